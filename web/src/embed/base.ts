// Where the engine's files are: beside the folder of the element's own script, unless somebody says otherwise.

export interface EngineFiles {
  readonly script: string; // address of tessera.js
  readonly code: string; // of tessera.wasm
}

let files: EngineFiles | null = null;

// The files have their own names in a folder of their own.
export function setEngineBase(address: string): void {
  const base = new URL(address.endsWith('/') ? address : `${address}/`, document.baseURI);
  files = { script: new URL('tessera.js', base).href, code: new URL('tessera.wasm', base).href };
}

// Where a bundler has given each a name and a place.
export function setEngineFiles(script: string, code: string): void {
  files = { script, code };
}

export function engineFiles(): EngineFiles | null {
  return files;
}
