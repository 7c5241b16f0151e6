// A policy that a person writes in the page: its code, what it did last, and how it fares on many graphs.

import type { Report } from './report';

export interface SandboxLimits {
  readonly milliseconds: number;
  readonly bytes: number; // of the policy's own memory
}
export const kUsualLimits: SandboxLimits = { milliseconds: 5000, bytes: 128 * 1024 * 1024 };

// Ahead of a request: the problem is read before anybody waits for it.
export interface SandboxProblem {
  readonly problem: string; // JSON
  readonly limits: SandboxLimits;
}

export interface SandboxRequest {
  readonly id: number;
  readonly code: string; // defines decide(problem), of the problem that was sent last
}

export interface PolicyError {
  readonly message: string;
  readonly line: number; // 1-based; 0: not known
  readonly column: number;
}

export interface SandboxAnswer {
  readonly id: number;
  readonly plan: string | null; // JSON; null: `error` says why
  readonly error: PolicyError | null;
  readonly log: readonly string[];
  readonly ms: number;
}

// What one policy made of one graph.
export interface PolicyCell {
  readonly time: number; // nanoseconds; 0 where `problem` says why there is none
  readonly problem: string;
}

export interface PolicyRow {
  readonly title: string; // of the graph
  readonly bound: number; // nanoseconds that no plan beats; 0: not known
  readonly proven: boolean; // a plan takes no more than that
  readonly cells: readonly PolicyCell[]; // by column
}

export interface PolicyTable {
  readonly columns: readonly string[]; // the person's policy, then the engine's
  readonly rows: readonly PolicyRow[];
  readonly total: number; // graphs
  readonly busy: boolean;
}

export interface PolicyLab {
  readonly code: string | null; // null: the policy that the editor begins with
  readonly busy: boolean;
  readonly answer: SandboxAnswer | null;
  readonly table: PolicyTable | null;
}
export const kNoPolicy: PolicyLab = { code: null, busy: false, answer: null, table: null };

export const kMostCode = 256 * 1024; // characters; longer code is not taken from a link

// A run as a cell: a plan with mistakes has no time that could be compared.
export function cellOf(report: Report): PolicyCell {
  const { run } = report;
  const wrong = report.diagnostics.find(({ severity }) => severity === 'error');
  if (run === null) return { time: 0, problem: wrong?.message ?? 'the run did not end' };
  if (wrong !== undefined) return { time: 0, problem: wrong.message };
  if (run.totals.failures > 0) return { time: 0, problem: `${run.totals.failures} steps do not fit` };
  return { time: run.totals.time, problem: '' };
}

// How much longer than the bound; null when that cannot be said.
export function ratioOf(row: PolicyRow, column: number): number | null {
  const time = row.cells[column]?.time ?? 0;
  return time > 0 && row.bound > 0 ? time / row.bound : null;
}

// Over the graphs on which every policy has a ratio, so that all are means of the same; null when there is none.
export function geometricMean(table: PolicyTable, column: number): number | null {
  const whole = table.rows.filter((row) => table.columns.every((_, at) => ratioOf(row, at) !== null));
  if (whole.length === 0) return null;
  return Math.exp(whole.reduce((sum, row) => sum + Math.log(ratioOf(row, column)!), 0) / whole.length);
}
