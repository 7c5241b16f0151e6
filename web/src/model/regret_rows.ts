// What the Optimum view shows, computed from the regrets of a run. Pure.

import type { OpRegrets, RegretResult } from './exact';
import { formatTime } from './format';
import { kOutside } from './outside';

export interface RegretRow {
  readonly name: string; // '%12'
  readonly op: string; // 'ttnn.add'
  readonly present: string; // this run's layout; '' when the solver did not try it
  readonly best: string;
  // ns that the net loses because the op runs as it does here, with the layouts it reads; -1: unknown
  readonly cost: number;
  // cheapest first; impossible ones last, with -1
  readonly choices: readonly { readonly layout: string; readonly regret: number }[];
}

export type RegretOrder = 'schedule' | 'regret';

// Of running the op as this run does; where the solver does not know that way, of its layout alone.
export function costOf(op: OpRegrets): number {
  return Math.max(op.candidateRegret, op.regret);
}

function rowOf(op: OpRegrets, layouts: readonly string[]): RegretRow {
  const text = (choice: number): string => layouts[op.choices[choice]?.[0] ?? -1] ?? '';
  const price = (regret: number): number => (regret < 0 ? Infinity : regret);
  const choices = op.choices
    .map(([layout, regret]) => ({ layout: layouts[layout] ?? '', regret }))
    .sort((a, b) => price(a.regret) - price(b.regret));
  return { name: op.name, op: op.op, present: text(op.present), best: text(op.best), cost: costOf(op), choices };
}

export function regretRows(result: RegretResult, order: RegretOrder, differingOnly: boolean): RegretRow[] {
  if (result.regrets === null) return [];
  const { layouts, ops } = result.regrets;
  const rows = ops
    .map((op) => rowOf(op, layouts))
    .filter((row) => !differingOnly || row.present !== row.best || row.cost > 0);
  return order === 'regret' ? rows.sort((a, b) => b.cost - a.cost) : rows;
}

// A layout's description as the compiler's override notation, '' when it has none: 'L1 height 56x1' is
// '56x1:l1:height_sharded'.
export function overrideOf(layout: string): string {
  if (layout === 'DRAM') return 'dram:interleaved';
  if (layout === 'L1 interleaved') return 'l1:interleaved';
  const match = /^L1 (height|width|block) (\d+x\d+)$/.exec(layout);
  return match === null ? '' : `${match[2]}:l1:${match[1]}_sharded`;
}

// What the forced layouts cost the optimum; `free`: the same run with none of them.
export function forcedCost(result: RegretResult, free: RegretResult | null, count = 2): string {
  const [they, move, cost] = count === 1 ? ['It', 'moves', 'costs'] : ['They', 'move', 'cost'];
  const [now, before] = [result.exact, free?.exact];
  if (now === undefined || before === undefined) return 'Looking for the optimum without…';
  if (now.time < 0) return `With ${count === 1 ? 'it' : 'them'} no plan fits.`;
  if (before.time < 0) return `The best plan takes ${formatTime(now.time)}; without none was found that fits.`;
  const figures = `from ${formatTime(before.time)} to ${formatTime(now.time)}`;
  const what = now.proven && before.proven ? 'the optimum' : 'the best plan known';
  if (now.time === before.time) return `${they} ${cost} nothing: ${what} still takes ${formatTime(now.time)}.`;
  const more = now.time - before.time;
  return (
    `${they} ${move} ${what} ${figures}: ${more > 0 ? '+' : '−'}${formatTime(Math.abs(more))} ` +
    `(${distanceText(now.time, before.time)}).`
  );
}

// How far above `bound` a time is, as people read it: '+17.7 %'.
export function distanceText(time: number, bound: number): string {
  if (bound <= 0) return '–';
  const percent = (Math.abs(time - bound) / bound) * 100;
  if (percent === 0) return '0 %';
  return `${time > bound ? '+' : '−'}${percent < 0.05 ? '<0.1' : percent.toFixed(percent < 1000 ? 1 : 0)} %`;
}

// The distance of a run to the optimum, as the strip of totals says it.
export interface Distance {
  readonly value: string;
  readonly note: string; // how sure it is
  readonly help: string;
}

const kModel =
  'The bound holds for all plans that are made of the layouts that were tried for each op, in this order ' +
  'of ops, with L1 counted at every step.';

export function distanceOf(regret: RegretResult): Distance {
  const none = (help: string): Distance => ({ value: '–', note: '', help });
  const { exact, time = -1 } = regret;
  const bound = exact?.lowerBound ?? regret.lowerBound ?? 0;
  if (regret.regrets === null) return none('There is no optimum of a run with errors.');
  if (time < 0 || bound <= 0) return none('There is no proven bound for this graph.');
  const best = exact?.time ?? -1;
  const own = `This run takes ${formatTime(time)}`;
  if (time < bound)
    return {
      value: distanceText(time, bound),
      note: 'outside',
      help: `${own}, less than the proven bound of ${formatTime(bound)}: ${kOutside}`,
    };
  if (exact?.proven === true) {
    const said =
      time === bound
        ? `${own}: that is the proven optimum.`
        : `${own}; the proven optimum, a plan that fits, takes ${formatTime(bound)}.`;
    return { value: distanceText(time, bound), note: time === bound ? 'proven' : '', help: `${said} ${kModel}` };
  }
  const known = best > 0 ? ` The best plan known takes ${formatTime(best)}, so the optimum lies between the two.` : '';
  return {
    value: distanceText(time, bound),
    note: 'at most',
    help: `${own}; no plan can take less than ${formatTime(bound)}.${known} ${kModel}`,
  };
}
