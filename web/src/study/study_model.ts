// A study as its tables and charts see it: which runs stand beside each other, and what becomes of all runs of a
// policy.

import { formatBytes, formatInteger, formatTime } from '../model/format';
import type { Study, StudyColumn, StudyRow, StudyRun } from '../model/generated/study';

// What study.json says, and what no file says twice in the same way.
export interface StudyData {
  readonly study: Study;
  readonly costs: readonly number[]; // microseconds that the policy of each run took to decide; 0: not known
}

// Of a study, one place: charts show one device under one combination of option values.
export interface Setting {
  readonly device: string;
  readonly values: readonly string[]; // by axis
}

export interface Slice {
  readonly graphs: readonly string[];
  readonly policies: readonly string[];
  readonly runs: readonly SliceRun[];
  readonly of: ReadonlyMap<string, SliceRun>; // by graph and policy, see `at`
}

export interface SliceRun {
  readonly run: StudyRun;
  readonly cost: number; // microseconds
}

export const kCauses = [
  ['lostConstraint', 'constraint'],
  ['lostMemory', 'memory'],
  ['lostFork', 'fork'],
  ['lostOperand0', 'operand 0'],
  ['lostChain', 'chain'],
  ['lostChoice', 'choice'],
  ['lostReturn', 'return'],
] as const satisfies readonly (readonly [keyof StudyRow, string])[];

export type Figure = keyof StudyRow;

export const policiesOf = ({ arguments: asked }: Study): readonly string[] => [
  ...asked.policies,
  ...asked.outside.map(({ name }) => name),
];

export const firstSetting = ({ arguments: asked }: Study): Setting => ({
  device: asked.devices[0] ?? '',
  values: asked.axes.map(({ values }) => values[0] ?? ''),
});

const same = (a: readonly string[], b: readonly string[]): boolean => a.every((one, at) => one === b[at]);

export function inSetting(run: StudyRun, setting: Setting): boolean {
  return run.device === setting.device && same(run.values, setting.values);
}

export function sliceOf({ study, costs }: StudyData, setting: Setting, query: string): Slice {
  const wanted = query.trim().toLowerCase();
  const runs = study.runs
    .map((run, at) => ({ run, cost: costs[at] ?? 0 }))
    .filter(({ run }) => inSetting(run, setting) && run.graph.toLowerCase().includes(wanted));
  const of = new Map(runs.map((one) => [`${one.run.graph}\n${one.run.policy}`, one]));
  return { graphs: [...new Set(runs.map(({ run }) => run.graph))], policies: policiesOf(study), runs, of };
}

export const at = (slice: Slice, graph: string, policy: string): SliceRun | undefined =>
  slice.of.get(`${graph}\n${policy}`);

export const causesOf = (row: StudyRow): readonly number[] => kCauses.map(([id]) => row[id]);

export interface PolicySummary {
  readonly policy: string;
  readonly runs: number;
  readonly failed: number;
  readonly meanRatio: number | null; // geometric
  readonly worstRatio: number | null;
  readonly atBound: number;
  readonly causes: readonly number[];
  readonly moves: readonly [spills: number, reloads: number, reshards: number];
  readonly meanHeadroom: number | null; // thousandths, rounded down as the program does
  readonly leastHeadroom: number | null;
  readonly cost: number | null; // microseconds, mean of the runs whose cost is known
}

// The same figures as the program's table of policies, which is over all runs.
export function summarize(policy: string, runs: readonly SliceRun[]): PolicySummary {
  const own = runs.filter(({ run }) => run.policy === policy);
  const rows = own.flatMap(({ run }) => (run.row === null ? [] : [run.row]));
  const ratios = own.flatMap(({ run }) => (run.ratio === null ? [] : [run.ratio]));
  const rooms = rows.map(({ headroom }) => Math.round(headroom * 1000));
  const costs = own.flatMap(({ cost }) => (cost > 0 ? [cost] : []));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    policy,
    runs: own.length,
    failed: own.length - rows.length,
    meanRatio: ratios.length === 0 ? null : Math.exp(sum(ratios.map(Math.log)) / ratios.length),
    worstRatio: ratios.length === 0 ? null : Math.max(...ratios),
    atBound: ratios.filter((ratio) => ratio <= 1).length,
    causes: kCauses.map(([id]) => sum(rows.map((row) => row[id]))),
    moves: [
      sum(rows.map(({ spills }) => spills)),
      sum(rows.map(({ reloads }) => reloads)),
      sum(rows.map(({ reshards }) => reshards)),
    ],
    meanHeadroom: rooms.length === 0 ? null : Math.trunc(sum(rooms) / rooms.length),
    leastHeadroom: rooms.length === 0 ? null : Math.min(...rooms),
    cost: costs.length === 0 ? null : sum(costs) / costs.length,
  };
}

// Of a figure, as people read it; its column says the unit.
export function figureText({ unit, id }: StudyColumn, row: StudyRow): string {
  const value = row[id as Figure];
  if (unit === 'ns') return formatTime(value);
  if (unit.startsWith('bytes')) return formatBytes(value);
  if (unit.startsWith('part of')) return percentText(value * 1000);
  return Number.isInteger(value) ? formatInteger(value) : value.toFixed(1);
}

export const ratioText = (ratio: number | null): string => (ratio === null ? '–' : ratio.toFixed(3));
export const percentText = (permille: number | null): string =>
  permille === null ? '–' : `${(permille / 10).toFixed(1)} %`;
export const costText = (micros: number | null): string =>
  micros === null || micros <= 0 ? '–' : formatTime(micros * 1000);

// "time" as "Time", "lostOperand0" as "Lost operand 0".
export function columnTitle(id: string): string {
  const words = id.replace(/([A-Z]+|\d+)/g, ' $1').toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\bl 1\b/g, 'L1').replace(/\bdram\b/g, 'DRAM');
}
