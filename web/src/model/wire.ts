// The engine's JSON as it travels -> the Report that the page works with. A run lists each layout once and refers to it by
// its index (-1: none); here the references become the layouts themselves.

import type { Candidate, CompareResult, Layout, Report, Run } from './report';

interface WireRun extends Omit<Run, 'rows' | 'values' | 'decisions'> {
  readonly layouts?: readonly Layout[];
  readonly rows: readonly (Omit<Run['rows'][number], 'produced'> & { readonly produced: number | Layout | null })[];
  readonly values: readonly (Omit<Run['values'][number], 'layout'> & { readonly layout: number | Layout | null })[];
  readonly decisions: readonly (Omit<Run['decisions'][number], 'candidates'> & { readonly candidates: readonly WireCandidate[] })[];
}

// What a candidate does not say is empty.
type WireCandidate = Pick<Candidate, 'status'> & Partial<Pick<Candidate, 'reason' | 'text' | 'needed' | 'available'>> & { readonly layout: number | Layout };

type Writable = Record<string, unknown>;

export type WireReport = Omit<Report, 'run'> & { readonly run: WireRun | null };

// Throws a TypeError when the JSON is not of this schema: our own mistake, reported like a dead engine. Takes the parsed JSON over: a
// large graph's report has tens of thousands of objects, and copying them takes longer than drawing them.
export function readReport(wire: WireReport): Report {
  if (!Array.isArray(wire.diagnostics)) throw new TypeError('the report has no diagnostics');
  if (wire.run === null) return { ...wire, run: null };
  const layouts = wire.run.layouts ?? [];
  const layoutOf = (reference: number | Layout | null): Layout | null =>
    typeof reference === 'number' ? (layouts[reference] ?? null) : reference;
  for (const row of wire.run.rows as readonly Writable[]) row['produced'] = layoutOf(row['produced'] as number);
  for (const value of wire.run.values as readonly Writable[]) value['layout'] = layoutOf(value['layout'] as number);
  for (const decision of wire.run.decisions as readonly Writable[]) {
    decision['candidates'] = (decision['candidates'] as Writable[]).filter((candidate) => {
      candidate['layout'] = layoutOf(candidate['layout'] as number);
      candidate['reason'] ??= '';
      candidate['text'] ??= '';
      candidate['needed'] ??= 0;
      candidate['available'] ??= 0;
      return candidate['layout'] !== null;
    });
  }
  return wire as unknown as Report;
}

interface WireCompareResult {
  readonly schema: CompareResult['schema'];
  readonly runs: readonly WireReport[];
  readonly comparison: CompareResult['comparison'];
}

export function readComparison(wire: WireCompareResult): CompareResult {
  return { schema: wire.schema, runs: wire.runs.map(readReport), comparison: wire.comparison };
}
