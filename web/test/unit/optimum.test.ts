import { describe, expect, test } from 'vitest';

import type { RegretResult } from '../../src/model/exact';
import type { ExactResult } from '../../src/model/exact';
import { forcedOps, withForced, withoutNumbered } from '../../src/model/forced';
import { boundsPicture, gapText } from '../../src/optimum/bounds_chart';
import { distanceOf, distanceText, forcedCost, overrideOf, regretRows } from '../../src/model/regret_rows';

const exact = (time: number, lowerBound: number, bounds: ExactResult['bounds'] = []): ExactResult => ({
  time,
  lowerBound,
  gapPpm: Math.ceil(((time - lowerBound) / lowerBound) * 1e6),
  proven: time === lowerBound,
  layoutOptimum: lowerBound,
  source: 'layouts',
  method: 'elimination',
  size: { variables: 1, tables: 1, candidates: 1, width: 1, cells: 1 },
  baselines: [],
  bounds,
});
const result: RegretResult = {
  schema: 2,
  policy: 'Greedy',
  time: 117,
  optimum: 100,
  lowerBound: 100,
  regrets: {
    layouts: ['DRAM', 'L1 interleaved', 'L1 height 56x1'],
    ops: [
      {
        name: '%1',
        op: 'ttnn.add',
        best: 0,
        present: 0,
        regret: 0,
        candidateRegret: 0,
        choices: [
          [2, 0],
          [0, 40],
          [1, -1],
        ],
      },
      {
        name: '%2',
        op: 'ttnn.relu',
        best: 1,
        present: 0,
        regret: 7,
        candidateRegret: 7,
        choices: [
          [0, 7],
          [2, 0],
        ],
      },
      { name: '%3', op: 'ttnn.exp', best: 0, present: -1, regret: -1, candidateRegret: -1, choices: [[1, 0]] },
      {
        name: '%4',
        op: 'ttnn.mul',
        best: 1,
        present: 0,
        regret: 9,
        candidateRegret: 9,
        choices: [
          [0, 9],
          [1, 0],
        ],
      },
    ],
  },
};

describe('regrets', () => {
  test('are the ops where run and optimum differ, costliest first, those without a figure last', () => {
    expect(regretRows(result, 'regret', true).map(({ name }) => name)).toEqual(['%4', '%2', '%3']);
    const reads = { ...result.regrets!.ops[0]!, candidateRegret: 5 };
    expect(regretRows({ ...result, regrets: { ...result.regrets!, ops: [reads] } }, 'regret', true)[0]).toMatchObject({
      present: 'L1 height 56x1',
      best: 'L1 height 56x1',
      cost: 5,
    });
    expect(regretRows(result, 'schedule', false).map(({ name }) => name)).toEqual(['%1', '%2', '%3', '%4']);
    expect(regretRows({ ...result, regrets: null }, 'regret', false)).toEqual([]);
  });

  test('name layouts, cheapest choice first and impossible ones last', () => {
    const [add, , exp] = regretRows(result, 'schedule', false);
    expect(add).toMatchObject({ present: 'L1 height 56x1', best: 'L1 height 56x1' });
    expect(add!.choices.map(({ layout }) => layout)).toEqual(['L1 height 56x1', 'DRAM', 'L1 interleaved']);
    expect(exp).toMatchObject({ present: '', cost: -1 });
  });
});

describe('a forced layout', () => {
  test('is written in the notation of the option', () => {
    expect(
      ['DRAM', 'L1 interleaved', 'L1 height 56x1', 'L1 block 8x8', 'L1 width 1x64', 'host'].map(overrideOf),
    ).toEqual([
      'dram:interleaved',
      'l1:interleaved',
      '56x1:l1:height_sharded',
      '8x8:l1:block_sharded',
      '1x64:l1:width_sharded',
      '',
    ]);
  });

  test('is added, replaced and released without touching the others', () => {
    const one = withForced('conv1=dram', '%6', 'l1:interleaved');
    expect(one).toBe('conv1=dram,%6=l1:interleaved');
    expect(withForced(one, '%6', 'dram:interleaved')).toBe('conv1=dram,%6=dram:interleaved');
    expect(withForced(one, '%6', '')).toBe('conv1=dram');
    expect(forcedOps(one)).toEqual([
      { name: 'conv1', layout: 'dram' },
      { name: '%6', layout: 'l1:interleaved' },
    ]);
    expect(withForced(undefined, '%6', '')).toBe('');
    expect(withoutNumbered(one)).toBe('conv1=dram');
  });
});

test('a distance is in per cent of the bound', () => {
  expect([distanceText(100, 100), distanceText(117, 100), distanceText(100_001, 100_000), distanceText(5, 0)]).toEqual([
    '0 %',
    '+17.0 %',
    '+<0.1 %',
    '–',
  ]);
  expect([distanceText(95, 100), distanceText(4000, 100)]).toEqual(['−5.0 %', '+3900 %']);
});

describe('the distance of a run', () => {
  test('is measured from the optimum where it is proven, else from the bound, and says so', () => {
    expect(distanceOf({ ...result, exact: exact(100, 100) })).toMatchObject({ value: '+17.0 %', note: '' });
    expect(distanceOf({ ...result, time: 100, exact: exact(100, 100) })).toMatchObject({
      value: '0 %',
      note: 'proven',
    });
    const open = distanceOf({ ...result, exact: exact(110, 104) });
    expect(open).toMatchObject({ value: '+12.5 %', note: 'at most' });
    expect(open.help).toContain('The best plan known takes 110 ns');
    expect(distanceOf({ ...result, time: 95, exact: exact(100, 100) })).toMatchObject({
      value: '−5.0 %',
      note: 'outside',
    });
  });

  test('is not invented where there is no bound', () => {
    expect(distanceOf({ ...result, regrets: null }).value).toBe('–');
    expect(distanceOf({ ...result, exact: exact(100, 0) }).value).toBe('–');
  });
});

test('the cost of forced layouts is the optimum with them against the one without', () => {
  const forced = { ...result, exact: exact(120, 120) };
  expect(forcedCost(forced, null)).toContain('Looking');
  expect(forcedCost(forced, { ...result, exact: exact(100, 100) })).toBe(
    'They move the optimum from 100 ns to 120 ns: +20 ns (+20.0 %).',
  );
  expect(forcedCost(forced, { ...result, exact: exact(120, 120) })).toContain('cost nothing');
  expect(forcedCost(forced, { ...result, exact: exact(110, 100) })).toContain('the best plan known');
  expect(forcedCost({ ...result, exact: exact(-1, 100) }, { ...result, exact: exact(100, 100) })).toBe(
    'With them no plan fits.',
  );
});

describe('the picture of the bounds', () => {
  const bounds: ExactResult['bounds'] = [
    [0, -1, 80],
    [1, 120, 90],
    [4, 110, 90],
    [9, 110, 100],
  ];

  test('are step lines over the rounds that had a plan, the upper never below the lower', () => {
    const picture = boundsPicture(bounds)!;
    expect(picture).toMatchObject({ top: 120, bottom: 90, rounds: 9 });
    expect(picture.upper.split(' ')).toHaveLength(5);
    const ys = (line: string): number[] => line.split(' ').map((at) => Number(at.split(',')[1]));
    ys(picture.upper).forEach((y, at) => expect(y).toBeLessThanOrEqual(ys(picture.lower)[at]!));
    expect(boundsPicture([])).toBeNull();
    expect(boundsPicture([[0, 100, 100]])).toBeNull();
  });

  test('end in a gap in words', () => {
    expect(gapText(exact(110, 100))).toContain('at most 10.00 % above the optimum');
    expect(gapText(exact(100, 100))).toContain('proven optimal');
    expect(gapText(exact(-1, 100))).toContain('No plan that fits');
  });
});
