import type { TesseraPlaygroundElement } from './api.js';

export type * from './api.js';

/** The element; importing the package makes it known as `tessera-playground`. */
export declare const TesseraPlayground: { new (): TesseraPlaygroundElement; prototype: TesseraPlaygroundElement };

/** Where the engine's files are: a folder with `tessera.js` and `tessera.wasm`. Before the first run. */
export declare function setEngineBase(address: string): void;

/** The same, each by its address. */
export declare function setEngineFiles(script: string, code: string): void;
