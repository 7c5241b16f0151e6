// The engine in a browser, in a worker or beside the page: the code is fetched from where the package lies, once.

import { TesseraEngine } from './engine.js';

let compiled;

async function fetched() {
  const response = await fetch(new URL('./engine/tessera.wasm', import.meta.url));
  if (!response.ok) throw new Error(`the engine's code cannot be loaded: ${response.status} ${response.url}`);
  // Compiled while it loads only where the host names the type.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm') === true;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export async function createEngine({ wasm } = {}) {
  if (wasm instanceof WebAssembly.Module) return TesseraEngine.fromModule(wasm);
  if (wasm !== undefined) return TesseraEngine.fromModule(await WebAssembly.compile(wasm));
  compiled ??= fetched();
  compiled.catch(() => (compiled = undefined)); // the next engine asks again
  return TesseraEngine.fromModule(await compiled);
}

export { TesseraEngine };
