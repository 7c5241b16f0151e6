import { describe, expect, test } from 'vitest';

import type { RegretResult } from '../../src/model/exact';
import { distanceText, overriddenNames, overrideOf, regretRows, withOverride } from '../../src/optimum/optimum_model';

const result: RegretResult = {
  schema: 1, policy: 'Greedy', time: 117, optimum: 100, lowerBound: 100,
  regrets: {
    layouts: ['DRAM', 'L1 interleaved', 'L1 height 56x1'],
    ops: [
      { name: '%1', op: 'ttnn.add', best: 0, present: 0, regret: 0, wayRegret: 0, choices: [[2, 0], [0, 40], [1, -1]] },
      { name: '%2', op: 'ttnn.relu', best: 1, present: 0, regret: 7, wayRegret: 7, choices: [[0, 7], [2, 0]] },
      { name: '%3', op: 'ttnn.exp', best: 0, present: -1, regret: -1, wayRegret: -1, choices: [[1, 0]] },
      { name: '%4', op: 'ttnn.mul', best: 1, present: 0, regret: 9, wayRegret: 9, choices: [[0, 9], [1, 0]] },
    ],
  },
};

describe('regrets', () => {
  test('are the ops where run and optimum differ, costliest first, those without a figure last', () => {
    expect(regretRows(result, 'regret', true).map(({ name }) => name)).toEqual(['%4', '%2', '%3']);
    expect(regretRows(result, 'schedule', false).map(({ name }) => name)).toEqual(['%1', '%2', '%3', '%4']);
    expect(regretRows({ ...result, regrets: null }, 'regret', false)).toEqual([]);
  });

  test('name layouts, cheapest choice first and impossible ones last', () => {
    const [add, , exp] = regretRows(result, 'schedule', false);
    expect(add).toMatchObject({ present: 'L1 height 56x1', best: 'L1 height 56x1' });
    expect(add!.choices.map(({ layout }) => layout)).toEqual(['L1 height 56x1', 'DRAM', 'L1 interleaved']);
    expect(exp).toMatchObject({ present: '', regret: -1 });
  });
});

describe('a forced layout', () => {
  test('is written in the notation of the option', () => {
    expect(['DRAM', 'L1 interleaved', 'L1 height 56x1', 'L1 block 8x8', 'L1 width 1x64', 'host'].map(overrideOf)).toEqual(['dram:interleaved', 'l1:interleaved', '56x1:l1:height_sharded', '8x8:l1:block_sharded', '1x64:l1:width_sharded', '']);
  });

  test('is added, replaced and released without touching the others', () => {
    const one = withOverride('conv1=dram', '%6', 'L1 interleaved');
    expect(one).toBe('conv1=dram,%6=l1:interleaved');
    expect(withOverride(one, '%6', 'DRAM')).toBe('conv1=dram,%6=dram:interleaved');
    expect(withOverride(one, '%6', '')).toBe('conv1=dram');
    expect([...overriddenNames(one)]).toEqual(['conv1', '%6']);
    expect(withOverride(undefined, '%6', '')).toBe('');
  });
});

test('a distance is in per cent of the bound', () => {
  expect([distanceText(100, 100), distanceText(117, 100), distanceText(100_001, 100_000), distanceText(5, 0)]).toEqual(['0 %', '+17.0 %', '+<0.1 %', '–']);
});
