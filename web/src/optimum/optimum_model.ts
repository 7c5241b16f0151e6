// What the Optimum view shows, computed from the regrets of a run. Pure.

import type { OpRegrets, RegretResult } from '../model/exact';
import type { OptionValue } from '../model/state';

export interface RegretRow {
  readonly name: string; // '%12'
  readonly op: string; // 'ttnn.add'
  readonly present: string; // this run's layout; '' when the solver did not try it
  readonly best: string;
  readonly regret: number; // ns; -1: unknown
  readonly choices: readonly { readonly layout: string; readonly regret: number }[]; // cheapest first; impossible ones last, with -1
}

export type RegretOrder = 'schedule' | 'regret';

function rowOf(op: OpRegrets, layouts: readonly string[]): RegretRow {
  const text = (choice: number): string => layouts[op.choices[choice]?.[0] ?? -1] ?? '';
  const price = (regret: number): number => (regret < 0 ? Infinity : regret);
  const choices = op.choices.map(([layout, regret]) => ({ layout: layouts[layout] ?? '', regret })).sort((a, b) => price(a.regret) - price(b.regret));
  return { name: op.name, op: op.op, present: text(op.present), best: text(op.best), regret: op.regret, choices };
}

export function regretRows(result: RegretResult, order: RegretOrder, differingOnly: boolean): RegretRow[] {
  if (result.regrets === null) return [];
  const { layouts, ops } = result.regrets;
  const rows = ops.map((op) => rowOf(op, layouts)).filter((row) => !differingOnly || row.present !== row.best);
  return order === 'regret' ? rows.sort((a, b) => b.regret - a.regret) : rows;
}

// A layout's description as the compiler's override notation, '' when it has none: 'L1 height 56x1' is '56x1:l1:height_sharded'.
export function overrideOf(layout: string): string {
  if (layout === 'DRAM') return 'dram:interleaved';
  if (layout === 'L1 interleaved') return 'l1:interleaved';
  const match = /^L1 (height|width|block) (\d+x\d+)$/.exec(layout);
  return match === null ? '' : `${match[2]}:l1:${match[1]}_sharded`;
}

// The entries of the option `override-output-layout` with one op's set, replaced, or (layout '') removed.
export function withOverride(option: OptionValue | undefined, name: string, layout: string): string {
  const entries = String(option ?? '').split(',').filter((entry) => entry.trim() !== '' && entry.split('=')[0]!.trim() !== name);
  const text = overrideOf(layout);
  return [...entries, ...(text === '' ? [] : [`${name}=${text}`])].join(',');
}

export function overriddenNames(option: OptionValue | undefined): Set<string> {
  return new Set(String(option ?? '').split(',').map((entry) => entry.split('=')[0]!.trim()).filter((name) => name !== ''));
}

// How far above `bound` a time is, as people read it: '+17.7 %'.
export function distanceText(time: number, bound: number): string {
  if (bound <= 0) return '–';
  const over = (time - bound) / bound;
  return over === 0 ? '0 %' : `+${over < 0.0005 ? '<0.1' : (over * 100).toFixed(1)} %`;
}
