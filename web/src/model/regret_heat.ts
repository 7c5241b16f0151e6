// The regret of every op as a column of the schedule: what the net loses because the op runs as it does. Pure.

import type { RegretResult } from './exact';
import { formatTime } from './format';
import type { Run } from './report';
import { regretRows, type RegretRow } from './regret_rows';

// Parts of the optimum's time, so that colours mean the same under every policy; each level starts where the one before
// ends.
export const kHeatLevels: readonly { readonly from: number; readonly title: string }[] = [
  { from: 0, title: '0' },
  { from: Number.MIN_VALUE, title: '<0.01 %' },
  { from: 1e-4, title: '≥0.01 %' },
  { from: 1e-3, title: '≥0.1 %' },
  { from: 1e-2, title: '≥1 %' },
];

export interface HeatCell {
  readonly row: RegretRow;
  readonly level: number; // index in kHeatLevels; -1: unknown
  readonly text: string;
  readonly tip: string;
}

export function heatLevel(cost: number, optimum: number): number {
  if (cost < 0 || optimum <= 0) return -1;
  return kHeatLevels.reduce((level, { from }, at) => (cost / optimum >= from ? at : level), 0);
}

// By row of the run. Ops without a choice (inputs, views, returns) have no cell.
export function heatCells(run: Run, regret: RegretResult): ReadonlyMap<number, HeatCell> {
  const optimum = regret.optimum ?? regret.lowerBound ?? 0;
  const rows = new Map(regretRows(regret, 'schedule', false).map((row) => [row.name, row]));
  const cells = new Map<number, HeatCell>();
  run.rows.forEach((row, at) => {
    const found = row.kind === 'op' ? rows.get(row.name) : undefined;
    if (found === undefined || found.choices.length === 0) return;
    const { cost } = found;
    cells.set(at, {
      row: found,
      level: heatLevel(cost, optimum),
      text: cost < 0 ? '?' : cost === 0 ? '0' : formatTime(cost),
      tip: besideOptimum(found),
    });
  });
  return cells;
}

// One or two sentences: what the optimum has for the op, and what it costs to have something else.
export function besideOptimum(row: RegretRow): string {
  const here = row.present === '' ? 'Here it has a layout that the solver does not try' : `Here it is ${row.present}`;
  if (row.cost === 0)
    return row.present === row.best
      ? 'The optimum has it here, too.'
      : `${here}; the optimum takes ${row.best}, but this is as good.`;
  if (row.cost < 0) return `${here}; the optimum takes ${row.best}. What that costs is not known.`;
  const loss = `the whole net loses at least ${formatTime(row.cost)}`;
  if (row.present === row.best) return `The optimum has it here, too, but reads other layouts: run like this, ${loss}.`;
  return `${here}; the optimum takes ${row.best}. Run like this, ${loss}.`;
}
