// Messages between the page and the engine's worker. One question, one answer, matched by id; texts in, one JSON text
// out.

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
  | 'logDump';

export interface StartMessage {
  readonly type: 'start';
  readonly engineUrl: string; // absolute address of engine/tessera.js, or of tessera_lab.js
  readonly test: boolean; // the page was opened with ?test=1: the crash message is accepted
}

export interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly call: Call;
  readonly args: readonly (string | Uint8Array)[];
}

// Makes the next such call die as a failed check in the engine does. Only for tests of the recovery.
export interface CrashMessage {
  readonly type: 'crash';
  readonly call: Call;
}

export type ToWorker = StartMessage | CallMessage | CrashMessage;

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly id: number; readonly json: string; readonly ms: number }
  // The instance is not usable any more; id is -1 when it died outside of a call.
  | { readonly type: 'dead'; readonly id: number; readonly reason: string; readonly log: readonly string[] };
