// The script that a page loads.

import { defineElement } from './define';

export { readReport } from '../model/wire';
export { setDocBase } from '../view/doc_link';
export { setEngineBase, setEngineFiles } from './base';
export { TesseraPlayground } from './playground';

defineElement(import.meta.url);
