// What n runs of one graph have in common and where they differ. Pure: reports in, tables out.

import { kOwnPlan, kPinned } from '../model/compared_runs';
import { kMoves, moveCount } from '../model/moves';
import type { Layout, Report, Run } from '../model/report';
import type { Options } from '../model/option_values';

export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly unit: 'time' | 'bytes' | 'count';
  readonly of: (run: Run) => number;
  readonly better: 'less' | 'more' | 'none';
}

export const kMetrics: readonly Metric[] = [
  {
    id: 'time',
    title: 'Device time',
    help: 'Estimated time of one pass: the sum over all steps.',
    unit: 'time',
    of: (run) => run.totals.time,
    better: 'less',
  },
  {
    id: 'dram',
    title: 'DRAM traffic',
    help: 'Bytes read from and written to DRAM by the whole device.',
    unit: 'bytes',
    of: (run) => run.totals.dramBytes,
    better: 'less',
  },
  ...kMoves.map(({ kind, title, help }): Metric => ({
    id: kind,
    title,
    help,
    unit: 'count',
    of: (run) => moveCount(run, kind),
    better: kind === 'return' ? 'none' : 'less',
  })),
  {
    id: 'l1',
    title: 'Results in L1',
    help: 'Op results that stay in L1.',
    unit: 'count',
    of: (run) => run.totals.l1Results,
    better: 'more',
  },
  {
    id: 'peak',
    title: 'Peak L1',
    help: 'Most bytes of one core’s L1 in use at once.',
    unit: 'bytes',
    of: (run) => run.totals.peakL1,
    better: 'none',
  },
  {
    id: 'headroom',
    title: 'Headroom',
    help: 'What the budget leaves free of L1 at the fullest step.',
    unit: 'bytes',
    of: (run) => run.l1Budget - run.totals.peakL1,
    better: 'none',
  },
  {
    id: 'failures',
    title: 'Failures',
    help: 'Steps whose buffers do not fit.',
    unit: 'count',
    of: (run) => run.totals.failures,
    better: 'less',
  },
  {
    id: 'refused',
    title: 'Refused',
    help: 'Ops that the device library would not run with these layouts. The device time says nothing about them.',
    unit: 'count',
    of: (run) => run.totals.refused ?? 0,
    better: 'less',
  },
];

// Indices of the runs that are best in a metric; none when all are equal, nothing is better, or the best has nothing of
// it: a plan that keeps all in DRAM moves nothing, which is no merit.
export function bestOf(metric: Metric, runs: readonly (Run | null)[]): readonly number[] {
  if (metric.better === 'none') return [];
  const values = runs.map((run) => (run === null ? null : metric.of(run)));
  const known = values.filter((value): value is number => value !== null);
  if (known.length < 2) return [];
  const best = metric.better === 'less' ? Math.min(...known) : Math.max(...known);
  if (known.every((value) => value === best) || best === 0) return [];
  return values.flatMap((value, at) => (value === best ? [at] : []));
}

// Indices of the runs, the fastest first; those without a result last, in their order.
export function byTime(runs: readonly (Run | null)[]): number[] {
  const time = (at: number): number => runs[at]?.totals.time ?? Infinity;
  const failed = (at: number): number => Number((runs[at]?.totals.failures ?? 0) > 0);
  return runs.map((_, at) => at).sort((a, b) => failed(a) - failed(b) || time(a) - time(b) || a - b);
}

export interface Distance {
  readonly from: 'optimum' | 'fastest';
  readonly percent: number;
}

// How much longer a run takes than the proven bound of one of them, or than the fastest when none has a bound.
export function distanceOf(run: Run, runs: readonly (Run | null)[]): Distance | null {
  const bound = Math.max(0, ...runs.map((other) => other?.exact?.lowerBound ?? 0));
  const whole = runs.flatMap((other) => (other === null || other.totals.failures > 0 ? [] : [other.totals.time]));
  const least = bound > 0 ? bound : Math.min(...whole);
  if (!Number.isFinite(least) || least <= 0 || run.totals.failures > 0) return null;
  return { from: bound > 0 ? 'optimum' : 'fastest', percent: (run.totals.time / least - 1) * 100 };
}

// One op of the graph in every run.
export interface OpAcrossRuns {
  readonly key: string; // unique in the graph
  readonly name: string;
  readonly label: string;
  readonly op: string;
  readonly cells: readonly (OpCell | null)[]; // null: the run has no such op
  readonly differs: boolean; // in where the result lives
  readonly spread: number; // nanoseconds between the slowest and the fastest
}

export interface OpCell {
  readonly row: number;
  readonly layout: Layout | null;
  readonly time: number;
  readonly cores: number;
}

// Ops are matched by the name of their result, which no policy changes; moves have no partner and are
// left out.
export function acrossRuns(runs: readonly (Run | null)[]): OpAcrossRuns[] {
  const found = new Map<string, { name: string; label: string; op: string; cells: (OpCell | null)[] }>();
  runs.forEach((run, at) => {
    run?.rows.forEach((row, index) => {
      if (row.kind !== 'op' || row.name === '') return;
      const key = `${row.name} ${row.op}`;
      let entry = found.get(key);
      if (entry === undefined) {
        entry = { name: row.name, label: row.label, op: row.op, cells: runs.map(() => null) };
        found.set(key, entry);
      }
      const result = row.results[0];
      const layout = result === undefined ? null : (run.values[result]?.layout ?? null);
      entry.cells[at] = { row: index, layout, time: row.time.total, cores: row.cores };
    });
  });
  return [...found].map(([key, entry]) => {
    const cells = entry.cells.filter((cell): cell is OpCell => cell !== null);
    const places = new Set(cells.map((cell) => cell.layout?.text ?? ''));
    const times = cells.map((cell) => cell.time);
    return {
      key,
      ...entry,
      differs: places.size > 1 || cells.length < runs.length,
      spread: times.length === 0 ? 0 : Math.max(...times) - Math.min(...times),
    };
  });
}

const kUntold: ReadonlySet<string> = new Set(['policy', 'device', kPinned, kOwnPlan]);

// A run's short name: its policy and whatever else sets it apart from the others.
export function runTitle(report: Report | null, run: Options, runs: readonly Options[]): string {
  const parts = [run[kOwnPlan] === true ? 'Plan' : (report?.policy?.title ?? String(run['policy'] ?? 'as set'))];
  const differing = (id: string): boolean => new Set(runs.map((other) => other[id])).size > 1;
  if (run['device'] !== undefined && differing('device')) parts.push(report?.device?.title ?? String(run['device']));
  for (const [id, value] of Object.entries(run)) {
    if (!kUntold.has(id) && differing(id)) parts.push(`${id} ${String(value)}`);
  }
  return parts.join(' · ');
}
