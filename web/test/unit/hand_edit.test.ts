import { describe, expect, test } from 'vitest';

import type { Plan } from '../../src/model/generated/plan';
import type { Problem } from '../../src/model/generated/problem';
import {
  placeAt,
  presentCandidate,
  readAt,
  withCandidate,
  withCopy,
  withMove,
  withResult,
  withoutMove,
} from '../../src/model/hand_edit';
import { initialState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';
import { asPlan } from '../../src/model/plan';

const kDram = { buffer: 'dram', memory: 'interleaved', page: 'tile', dtype: 'bf16', grid: [1, 1] } as const;
const kL1 = { buffer: 'l1', memory: 'interleaved', page: 'tile', dtype: 'bf16', grid: [8, 8] } as const;
const kBlock = { buffer: 'l1', memory: 'block_sharded', page: 'tile', dtype: 'bf16', grid: [4, 4] } as const;
const candidate = { settings: -1, time: 1, buffers: 0, peak: 0, shares: false };
const problem: Problem = {
  ...{ schema: 1, tessera: '', graph: 'g', function: 'f', options: {}, grid: [8, 8], budget: 1000, settings: [] },
  ops: [
    { op: 'ttnn.relu', label: 'a', operands: [0], results: [1], class: 0 },
    { op: 'ttnn.relu', label: 'b', operands: [1], results: [2], class: 0 },
    { op: 'func.return', label: '', operands: [2], results: [], class: 1 },
  ],
  classes: [
    [
      { ...candidate, operands: [0], result: 0 },
      { ...candidate, operands: [2], result: 2 },
    ],
    [],
  ],
  values: [
    { name: '%in', type: 0, from: -1, to: 0, pinned: 0 },
    { name: '%0', type: 0, from: 0, to: 1, pinned: -1 },
    { name: '%1', type: 0, from: 1, to: 2, pinned: -1 },
  ],
  types: [
    { shape: [1], dtype: 'bf16', dram: 0, l1Interleaved: 1, layouts: [0, 1, 2], bytes: [0, 1, 1], conversions: [] },
  ],
  layouts: [kDram, kL1, kBlock],
};
const kEmpty: Plan = { schema: 1, layouts: [kDram], values: { '%0': 0 } };

describe('hand edits', () => {
  test('a candidate brings its result and the copies that it needs', () => {
    const plan = withCandidate({ problem, plan: kEmpty }, 1, problem.classes[0]![1]!);
    expect(plan.reshards).toEqual([{ op: 1, operand: 0, to: 1 }]);
    expect(plan.values?.['%1']).toBe(1);
    expect(plan.layouts?.[1]).toEqual(kBlock);
    expect(presentCandidate({ problem, plan }, 1)).toBe(1);
    expect(presentCandidate({ problem, plan }, 0)).toBe(0);
    const back = withCandidate({ problem, plan }, 1, problem.classes[0]![0]!);
    expect(back.reshards).toEqual([]);
    expect(presentCandidate({ problem, plan: back }, 1)).toBe(0);
  });
  test('a copy is read in place of the value, a move changes where it lies from there on', () => {
    const copied = withCopy({ problem, plan: kEmpty }, 1, 0, kL1);
    expect(readAt({ problem, plan: copied }, 1, 0)).toEqual(kL1);
    expect(placeAt({ problem, plan: copied }, 1, 1)).toEqual(kDram);
    expect(withCopy({ problem, plan: copied }, 1, 0, null).reshards).toEqual([]);
    const l1 = withResult({ problem, plan: kEmpty }, 0, kL1);
    const moved = withMove({ problem, plan: l1 }, 1, 1, kDram);
    expect(placeAt({ problem, plan: moved }, 1, 0)).toEqual(kL1);
    expect(placeAt({ problem, plan: moved }, 1, 1)).toEqual(kDram);
    expect(withResult({ problem, plan: moved }, 0, kDram).spills).toEqual([]);
    expect(withoutMove({ problem, plan: moved }, moved.spills![0]!).spills).toEqual([]);
  });
  test('are undone and redone, and a new one forgets what was undone', () => {
    const step = (policy: string) => ({ type: 'plan', plan: asPlan({ ...kEmpty, policy }), step: true }) as const;
    let state = reduce(reduce(initialState, step('a')), step('b'));
    expect(state.plan?.title).toBe('b');
    state = reduce(state, { type: 'plan-undo' });
    expect(state.plan?.title).toBe('a');
    expect(reduce(state, { type: 'plan-redo' }).plan?.title).toBe('b');
    state = reduce(state, step('c'));
    expect(state.planHistory.after).toEqual([]);
    state = reduce(reduce(state, { type: 'plan-undo' }), { type: 'plan-undo' });
    expect(state.plan).toBeNull();
    expect(reduce(state, { type: 'plan-undo' })).toBe(state);
  });
});
