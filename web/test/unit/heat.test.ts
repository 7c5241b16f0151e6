import { describe, expect, test } from 'vitest';

import type { RegretResult } from '../../src/model/exact';
import { decodeFragment, encodeState } from '../../src/model/url';
import { heatCells, heatLevel, kHeatLevels } from '../../src/model/regret_heat';
import { planColumns } from '../../src/view/schedule_geometry';
import { report } from './fixtures';

describe('the heat of a regret', () => {
  test('is a part of the optimum, in steps', () => {
    expect([0, 1, 100, 999, 1_000, 10_000, 99_999_999].map((cost) => heatLevel(cost, 1_000_000))).toEqual([
      0, 1, 2, 2, 3, 4, 4,
    ]);
    expect([heatLevel(-1, 100), heatLevel(5, 0)]).toEqual([-1, -1]);
    expect(kHeatLevels.every(({ from }, at) => at === 0 || from > kHeatLevels[at - 1]!.from)).toBe(true);
  });

  test('stands at the row of the op, never at what the plan inserted', () => {
    const run = report({ blocks: 3 }).run!;
    const ops = run.rows.flatMap((row, at) => (row.kind === 'op' && row.name !== '' ? [at] : []));
    const op = run.rows[ops[2]!]!;
    const regret: RegretResult = {
      schema: 2,
      time: 1100,
      optimum: 1000,
      lowerBound: 1000,
      regrets: {
        layouts: ['DRAM', 'L1 interleaved'],
        ops: [
          {
            name: op.name,
            op: op.op,
            best: 1,
            present: 0,
            regret: 30,
            candidateRegret: 40,
            choices: [
              [0, 30],
              [1, 0],
            ],
          },
          { name: '%none', op: 'x', best: 0, present: 0, regret: 1, candidateRegret: 1, choices: [[0, 1]] },
        ],
      },
    };
    const cells = heatCells(run, regret);
    expect([...cells.keys()]).toEqual(
      run.rows.flatMap((row, at) => (row.kind === 'op' && row.name === op.name ? [at] : [])),
    );
    expect(cells.get(ops[2]!)).toMatchObject({ level: 4, text: '40 ns' });
    expect(cells.get(ops[2]!)!.tip).toContain('the optimum takes L1 interleaved');
    expect(heatCells(run, { schema: 2, regrets: null }).size).toBe(0);
  });
});

describe('the column of regrets', () => {
  test('is there when asked for, at every width, and takes its room from the other columns', () => {
    for (const width of [360, 390, 560, 800, 1200]) {
      expect(planColumns(width, 0.67, 40, 'table').columns).not.toContain('regret');
      const plan = planColumns(width, 0.67, 40, 'table', { heat: true, dram: false });
      expect(plan.columns.at(-1)).toBe('regret');
      const fixed = plan.template
        .split(' ')
        .filter((track) => /^\d+px$/.test(track))
        .reduce((sum, track) => sum + parseInt(track, 10), 0);
      expect(width - fixed, `room for names at ${width}`).toBeGreaterThan(85);
    }
    expect(planColumns(800, 0.67, 40, 'map', { heat: true, dram: false }).columns).not.toContain('regret');
    expect(planColumns(1600, 0.67, 40, 'both', { heat: true, dram: false }).columns.slice(-2)).toEqual([
      'regret',
      'map',
    ]);
  });

  test('is in the link', async () => {
    const link = await encodeState({
      source: { kind: 'none' },
      options: {},
      selected: null,
      compareRuns: null,
      plan: null,
      policyCode: null,
      view: { regret: true },
    });
    const decoded = await decodeFragment(link);
    expect(decoded.kind === 'state' && decoded.state.view).toEqual({ regret: true });
  });
});
