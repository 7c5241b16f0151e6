// The policy that the editor begins with; tests run the same text.

import text from '../../../examples/policies/fastest.js?raw';

export const kStart: string = text;
