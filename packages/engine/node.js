// The engine in Node: the code is read from the package's folder, once per process.

import { readFile } from 'node:fs/promises';

import { TesseraEngine } from './engine.js';

let compiled;

export async function createEngine({ wasm } = {}) {
  if (wasm instanceof WebAssembly.Module) return TesseraEngine.fromModule(wasm);
  if (wasm !== undefined) return TesseraEngine.fromModule(await WebAssembly.compile(wasm));
  compiled ??= readFile(new URL('./engine/tessera.wasm', import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  return TesseraEngine.fromModule(await compiled);
}

export { TesseraEngine };
