// What a beam search went through, as core/report/beam_trace_json.cpp writes it: of a run of Greedy or Beam with the option `trace`
// (`propagationTrace`), or of the compiler's decision_trace.json. Layouts and reasons are listed once and referred to by index, -1 for none;
// ops are referred to by their place in `ops`.

import type { Diagnostic } from './report';

// [is in L1, is sharded, bytes of DRAM read, needs a reshard, cores, bytes of L1 of the result]; the flags are 0 or 1.
export type BeamScore = readonly [number, number, number, number, number, number];

// How an entry reads an operand: [operand, op, entry of that op's beam, layout it is resharded to].
export type BeamLink = readonly [number, number, number, number];

export interface BeamEntry {
  readonly output: number; // layout
  readonly score: BeamScore;
  readonly minCores?: number; // of the narrowest op of the path so far
  readonly pathReshards?: number; // more than on the best entry's path; shared by the readers of a fork, so with fractions
  readonly pathTime?: number; // nanoseconds more than on the best entry's path
  readonly links?: readonly BeamLink[];
}

// Evaluations that differ in their inputs alone; `inputs` are the first one's.
export interface BeamCandidate {
  readonly hint: number; // the layout that was asked for
  readonly output: number; // the layout that came out; -1 when it was refused
  readonly reason: number; // of a refusal; else -1
  readonly count: number;
  readonly score?: BeamScore;
  readonly inputs: readonly number[];
}

export interface BeamOp {
  readonly index: number; // in the schedule
  readonly row: number; // of the run's rows; -1 when there is none
  readonly op: string;
  readonly location: string;
  readonly combinations: number; // of operand layouts
  readonly tries: number;
  readonly fallback: boolean; // nothing worked: DRAM
  readonly inPlace: boolean;
  readonly inputs: readonly { readonly operand: number; readonly from: 'beam' | 'reshard' | 'fixed'; readonly layouts: readonly number[] }[];
  readonly candidates: readonly BeamCandidate[];
  readonly candidatesLeftOut: number;
  readonly beam: readonly BeamEntry[]; // best first
  readonly chosen: number; // entry; -1 for none
  readonly final: number; // layout, after spilling
}

export interface BeamSpill {
  readonly at: number; // op; -1 when the file says a place where none is
  readonly position: number; // in the schedule
  readonly row: number;
  readonly op: string;
  readonly action: string;
  readonly before: number; // bytes per core taken by tensors
  readonly after: number;
  readonly needed: number;
  readonly victim: string;
  readonly details: string;
}

export interface BeamTrace {
  readonly function: string;
  readonly beamWidth: number;
  readonly ops: readonly BeamOp[];
  readonly edges: readonly BeamLink[]; // [producer, consumer, operand, layout it is resharded to]
  readonly forks: readonly { readonly at: number; readonly slot: number; readonly consumers: readonly number[] }[];
  readonly spills: { readonly budget: number; readonly steps: number; readonly total: number; readonly finalOccupied: number; readonly finalLive: number; readonly events: readonly BeamSpill[] } | null;
  readonly layouts: readonly string[];
  readonly reasons: readonly string[];
}

export interface DecisionTraceAnswer {
  readonly schema: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly droppedDiagnostics: number;
  readonly trace: BeamTrace | null;
}

// As the engine looks at it: JSON whose first kilobytes name a forward pass.
export function looksLikeDecisionTrace(text: string): boolean {
  const start = text.slice(0, 4096);
  return start.trimStart().startsWith('{') && start.includes('"forwardPass"');
}
