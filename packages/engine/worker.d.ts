import type { Calls } from './answers.js';

export type * from './answers.js';

/** An engine in a worker: a run does not hold up the caller, and `terminate` ends one that takes too long. */
export interface WorkerEngine extends Calls<'later'> {
  /** Ends the worker; what it was asked for is rejected. */
  terminate(): void;
}

export declare function createWorkerEngine(): WorkerEngine;
