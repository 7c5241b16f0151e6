// Where the engine's files are: beside the folder of the element's own script, unless somebody says otherwise.

let base = '';

export function setEngineBase(address: string): void {
  base = address.endsWith('/') ? address : `${address}/`;
}

export function engineBase(): string {
  return base;
}
