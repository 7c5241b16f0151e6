// The policy that the editor begins with; tests run the same text.

import text from './start.js?raw';

export const kStart: string = text;
