// For bundlers: makes the element known, and names the engine's files in a way that bundlers follow.

import { setEngineFiles } from './embed/tessera-playground.js';

setEngineFiles(
  new URL('./engine/tessera.js', import.meta.url).href,
  new URL('./engine/tessera.wasm', import.meta.url).href,
);

export { setEngineBase, setEngineFiles, TesseraPlayground } from './embed/tessera-playground.js';
