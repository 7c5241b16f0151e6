import type { Calls } from './answers.js';

export type * from './answers.js';

/** An engine in this thread. It remembers the last graphs, so that a run with other options is quick. */
export interface TesseraEngine extends Calls<'now'> {}
export declare class TesseraEngine {
  /** `compiled`: engine/tessera.wasm of this package. */
  static fromModule(compiled: WebAssembly.Module): Promise<TesseraEngine>;
  private constructor();
}

export interface EngineSettings {
  /** The engine's code, where it is not to be loaded from the package: engine/tessera.wasm. */
  readonly wasm?: WebAssembly.Module | ArrayBuffer | Uint8Array;
}

/** Makes an engine. It throws for a mistake in the engine alone; such an engine cannot be used any more. */
export declare function createEngine(settings?: EngineSettings): Promise<TesseraEngine>;
