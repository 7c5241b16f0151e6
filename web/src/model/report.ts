// The answers of the engine as the page works with them. Their description is docs/schema; `generated` is made from it.
// On the way a run lists each layout once and refers to it by its index; here the layouts stand in their places
// (wire.ts), and what a candidate does not say is empty.

import type { CompareAnswer } from './generated/compare';
import type { Candidate as WireCandidate, Decision as WireDecision, Layout, Value } from './generated/report';
import type { Report as WireReport, Run as WireRun } from './generated/report';
import type { Row as WireRow } from './generated/row';

export type { Catalog, OptionInfo } from './generated/catalog';
export type { BufferKind, DeviceInfo, Diagnostic, Lint as LintResult, MemoryKind, Severity } from './generated/common';
export type { ComparedOp, ComparedRun, Comparison } from './generated/compare';
export type { ExportAnswer as ExportedFile } from './generated/export';
export type { BufferBox, Chain, Defect, Layout, Placement, SimEvent, Spilling, Totals } from './generated/report';
export type { BackedBuffer, CircularBuffer, Intermediate, MoveCause, Room, RowKind } from './generated/row';

export const REPORT_SCHEMA: WireReport['schema'] = 2;

export interface ValueInfo extends Omit<Value, 'layout'> {
  readonly layout: Layout | null; // null when it is no tensor
}

// One op of the schedule; its index in `rows` is its step.
export interface Row extends Omit<WireRow, 'produced'> {
  readonly produced: Layout | null; // null when the result is where it was asked for
}

// What an allocator has left, of each core's L1 or each DRAM bank.
export type MemoryHoles = Pick<Row['dram'], 'free' | 'largestHole'>;

export interface Candidate extends Required<Omit<WireCandidate, 'layout'>> {
  readonly layout: Layout;
}

export interface Decision extends Omit<WireDecision, 'candidates'> {
  readonly candidates: readonly Candidate[];
}

export interface Run extends Omit<WireRun, 'rows' | 'values' | 'decisions'> {
  readonly rows: readonly Row[];
  readonly values: readonly ValueInfo[];
  readonly decisions: readonly Decision[];
}

export interface Report extends Omit<WireReport, 'run'> {
  readonly run: Run | null; // null when the input could not be read
}

// A graph that carries layouts, beside what the optimizer makes of it.
export interface CompiledAnswer {
  readonly reports: readonly Report[]; // as written, under a policy, under the policy that proves the optimum
  readonly overrides: string; // of the last, in the compiler's own notation
}

export interface CompareResult extends Omit<CompareAnswer, 'runs'> {
  readonly runs: readonly Report[];
}
