// Messages between the page and the engine's worker. One question, one answer, matched by id; texts in, one JSON text
// out.

import type { Part } from './split';

export type Call =
  | 'version'
  | 'catalog'
  | 'lint'
  | 'run'
  | 'compare'
  | 'passes'
  | 'checkPasses'
  | 'regret'
  | 'layout'
  | 'decisionTrace'
  | 'export'
  | 'problem'
  | 'logFeed'
  | 'logEnd'
  | 'logDump'
  | 'executePlan'
  | 'profile'
  // of the study's module
  | 'studyGraph'
  | 'studyBegin'
  | 'studyKeep'
  | 'studyFail'
  | 'study'
  | 'studyFile'
  | 'studyRun';

export interface StartMessage {
  readonly type: 'start';
  readonly engineUrl: string; // absolute address of engine/tessera.js, or of another module's
  readonly awaitsModule: boolean; // a module message follows: the worker compiles nothing itself
  readonly test: boolean; // the page was opened with ?test=1: the crash message is accepted
}

// The engine's code, compiled once for all workers; null: it could not be, and the worker is on its own.
export interface ModuleMessage {
  readonly type: 'module';
  readonly module: WebAssembly.Module | null;
}

// Asks a worker that does nothing else to compile the code at that address.
export interface CompileMessage {
  readonly type: 'compile';
  readonly url: string;
}

export interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly call: Call;
  readonly args: readonly (string | Uint8Array)[];
  readonly quiet?: boolean; // the answer is of no interest, and null is given
}

// Makes the next such call die as a failed check in the engine does, or as without memory, or never end. Only for tests
// of the recovery.
export interface CrashMessage {
  readonly type: 'crash';
  readonly call: Call;
  readonly how: 'die' | 'hang' | 'memory';
}

export type ToWorker = StartMessage | ModuleMessage | CompileMessage | CallMessage | CrashMessage;

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'compiled'; readonly module: WebAssembly.Module | null }
  | { readonly type: 'began'; readonly id: number } // the call is heard, and is being worked on
  // Pieces of a long answer come before it: split.ts.
  | { readonly type: 'part'; readonly id: number; readonly part: Part }
  | { readonly type: 'answer'; readonly id: number; readonly json: string; readonly ms: number }
  // The instance is not usable any more; id is -1 when it died outside of a call.
  | { readonly type: 'dead'; readonly id: number; readonly reason: string; readonly log: readonly string[] };
