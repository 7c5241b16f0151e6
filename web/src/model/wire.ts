// The engine's JSON as it travels -> the Report that the page works with: references to layouts become the layouts.

import { deferDecisions, isDeferred } from './decisions';
import type { CompareAnswer } from './generated/compare';
import type { Layout, Report as WireReport } from './generated/report';
import type { Candidate, CompareResult, Decision, Report, Row, Run, ValueInfo } from './report';

export type { WireReport };

// `object` with other fields in place of its own. It is changed, not copied: a large graph's report has tens of
// thousands of objects, and copying them takes longer than drawing them.
function become<Object extends object, Fields extends object>(
  object: Object,
  fields: Fields,
): Omit<Object, keyof Fields> & Fields {
  return Object.assign(object as Omit<Object, keyof Fields>, fields);
}

// Takes the parsed JSON over. Throws a TypeError when it is no report: our own mistake, reported like a dead engine.
export function readReport(wire: WireReport): Report {
  if (!Array.isArray(wire.diagnostics)) throw new TypeError('the report has no diagnostics');
  const { run } = wire;
  if (run === null) return { ...wire, run };
  const layoutOf = (reference: number): Layout | null => run.layouts[reference] ?? null;
  const rows = run.rows.map((row): Row => become(row, { produced: layoutOf(row.produced) }));
  const values = run.values.map((value): ValueInfo => become(value, { layout: layoutOf(value.layout) }));
  const read = (decisions: WireDecisions): Decision[] => decisions.map((one) => readDecision(one, layoutOf));
  const given: unknown = run.decisions;
  if (!isDeferred(given)) return become(wire, { run: become(run, { rows, values, decisions: read(run.decisions) }) });
  const late: Run = become(run, { rows, values, decisions: [] });
  deferDecisions(late, { texts: given.deferred, read: (json) => read(JSON.parse(json) as WireDecisions) });
  return become(wire, { run: late });
}

type WireDecisions = NonNullable<WireReport['run']>['decisions'];

function readDecision(wire: WireDecisions[number], layoutOf: (reference: number) => Layout | null): Decision {
  const candidates = wire.candidates.flatMap((candidate): Candidate[] => {
    const layout = layoutOf(candidate.layout);
    if (layout === null) return [];
    const { reason = '', text = '', needed = 0, available = 0 } = candidate;
    return [become(candidate, { layout, reason, text, needed, available })];
  });
  return become(wire, { candidates });
}

export function readComparison(wire: CompareAnswer): CompareResult {
  return become(wire, { runs: wire.runs.map(readReport) });
}

// The other way: what readReport takes, for files.
export function writeReport(report: Report): string {
  const places = new Map<unknown, number>(report.run?.layouts.map((layout, at) => [layout, at]));
  const refers = (key: string): boolean => key === 'produced' || key === 'layout';
  return JSON.stringify(report, (key, value: unknown) =>
    refers(key) ? (value === null ? -1 : (places.get(value) ?? value)) : value,
  );
}
