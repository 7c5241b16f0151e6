// The compiler's own plan beside what the optimizer makes of the same graph. Pure: reports in, figures out.

import type { RunAsked } from './option_values';
import { askedRun, kPolicy, kReoptimize } from './plan';
import type { Report, Run } from './report';
import type { AppState } from './state';
import { policiesWith, provingPolicy } from './traits';

// The runs of a CompiledAnswer, in its order; null before the engine has said which policies it has.
export function compiledRuns(state: AppState): readonly RunAsked[] | null {
  const written = policiesWith(state.catalog, 'as-it-stands')[0];
  const proving = provingPolicy(state.catalog);
  if (written === undefined || proving === null) return null;
  const { [kPolicy]: present, [kReoptimize]: _, plan: __, ...options } = askedRun(state);
  const own = present === undefined || present === written.id ? {} : { [kPolicy]: present };
  return [
    { ...options, [kPolicy]: written.id },
    { ...options, ...own, [kReoptimize]: true },
    { ...options, [kPolicy]: proving.id, [kReoptimize]: true },
  ];
}

export interface LostOp {
  readonly name: string; // of its first result
  readonly label: string;
  readonly op: string;
  readonly written: number; // nanoseconds of the op and of the moves before it
  readonly optimum: number;
  readonly writtenLayout: string;
  readonly optimumLayout: string;
  readonly overrides: readonly string[]; // that make the compiler do what the optimum does
}

interface OpCost {
  time: number;
  readonly row: number;
}

// Time by op, moves counted with the op that reads what they make first. `known`: what is an op, not a move.
function costs(run: Run, known: (name: string) => boolean): Map<string, OpCost> {
  const isOp = (at: number): boolean => {
    const row = run.rows[at];
    return row?.kind === 'op' && row.name !== '' && known(row.name);
  };
  const readerOf = (start: number): number => {
    let at = start;
    for (let hops = 0; hops <= run.rows.length && at >= 0 && !isOp(at); hops++) {
      const result = run.values[run.rows[at]?.results[0] ?? -1];
      const next = result?.uses.find((use) => use > at);
      if (next === undefined) return -1;
      at = next;
    }
    return isOp(at) ? at : -1;
  };
  const found = new Map<string, OpCost>();
  run.rows.forEach((row, at) => {
    const reader = readerOf(at);
    if (reader < 0) return;
    const { name } = run.rows[reader]!;
    const cost = found.get(name) ?? { time: 0, row: reader };
    cost.time += row.time.total;
    found.set(name, cost);
  });
  return found;
}

// "override-output-layout=conv1=8x8:...,relu=..." -> what it says about each op, by the op's location.
export function overridesByOp(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [option = '', ...rest] = line.split('=');
    for (const entry of rest.join('=').split(',')) {
      const label = entry.slice(0, entry.indexOf('='));
      if (label === '') continue;
      found.set(label, [...(found.get(label) ?? []), `${option}=${entry}`]);
    }
  }
  return found;
}

// The ops on which the plan as written takes longer than the optimum, the worst first.
export function lostOps(written: Run, optimum: Run, overrides: string): LostOp[] {
  const names = new Set(optimum.rows.flatMap((row) => (row.kind === 'op' ? [row.name] : [])));
  const inWritten = new Set(written.rows.flatMap((row) => (row.kind === 'op' ? [row.name] : [])));
  const known = (name: string): boolean => names.has(name) && inWritten.has(name);
  const [before, after] = [costs(written, known), costs(optimum, known)];
  const said = overridesByOp(overrides);
  const layout = (run: Run, row: number): string => run.values[run.rows[row]?.results[0] ?? -1]?.layout?.text ?? '';
  return [...before]
    .flatMap(([name, cost]): LostOp[] => {
      const best = after.get(name);
      const row = written.rows[cost.row];
      if (best === undefined || row === undefined || cost.time <= best.time) return [];
      return [
        {
          name,
          label: row.label,
          op: row.op,
          written: cost.time,
          optimum: best.time,
          writtenLayout: layout(written, cost.row),
          optimumLayout: layout(optimum, best.row),
          overrides: said.get(row.label) ?? [],
        },
      ];
    })
    .sort((a, b) => b.written - b.optimum - (a.written - a.optimum) || (a.name < b.name ? -1 : 1));
}

// The least time that any plan of the re-optimized graph takes; 0 when nothing is known.
export function lowerBoundOf(report: Report | undefined): number {
  return report?.run?.exact?.lowerBound ?? 0;
}
