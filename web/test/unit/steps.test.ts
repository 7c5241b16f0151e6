import { describe, expect, it } from 'vitest';

import type { ChainEvent, ChainTrace } from '../../src/model/generated/chain_trace';
import type { Run } from '../../src/model/report';
import { StepList } from '../../src/steps/steps_model';
import { chainLetter } from '../../src/view/chain_marks';

const op = (row: number) => ({ row, name: `%${row}` });
const events: ChainEvent[] = [
  { kind: 'Scheduled', op: op(0) },
  { kind: 'ChainStarted', op: op(0), chain: 0 },
  { kind: 'ChainGrew', op: op(1), chain: 0 },
  { kind: 'ChainBroke', op: op(1), chain: 0, rule: 'its result is read more than once' },
  { kind: 'ChainStarted', op: op(2), chain: 1 },
  {
    kind: 'Propagated',
    op: op(1),
    chain: 0,
    producer: op(0),
    before: 24,
    after: 20,
    producerAfter: 18,
    consumerAfter: 20,
    paths: 18,
  },
  { kind: 'ChainResolved', op: op(0), chain: 0 },
  { kind: 'MergeTried', op: op(2), chain: 0, other: 1, operand: 1, before: 2048 },
  { kind: 'Rejected', op: op(3), chain: 0, why: 'needs 3 MB' },
  { kind: 'SpillDecided', op: op(1), chain: 0, note: 'DRAM' },
];
const chain = { state: 'Completed', spill: 'DRAM', concat: false, mergedInto: -1, failure: '' } as const;
const trace: ChainTrace = {
  schedule: [0, 1, 2, 3],
  chains: [
    { ...chain, ops: [0, 1] },
    { ...chain, ops: [2] },
  ],
  solvingOrder: [0, 1],
  reservations: [],
  dispatches: [],
  events,
};
const run = {
  rows: ['conv', 'relu', 'add', ''].map((label, row) => ({ label, name: `%${row}`, op: 'ttnn.add' })),
} as unknown as Run;
const list = new StepList(run, trace);

describe('steps', () => {
  it('say which op belongs to which chain at a step', () => {
    expect([0, 1, 2, 4].map((step) => list.ops.map((scheduled) => list.chainAt(scheduled, step)))).toEqual([
      [-1, -1, -1, -1],
      [0, -1, -1, -1],
      [0, 0, -1, -1],
      [0, 0, 1, -1],
    ]);
    expect([2, 3, 6].map((step) => list.stateAt(0, step))).toEqual(['building', 'built', 'solved']);
  });
  it('name the rule that ends a chain', () => {
    expect(list.step(3).text).toContain('its result is read more than once');
    expect(list.step(3).title).toBe('Chain A ends');
  });
  it('show configurations before and after a propagation', () => {
    const step = list.step(5);
    expect(step.figures.slice(0, 2)).toEqual([
      { name: 'Configurations of conv', before: '24', after: '18' },
      { name: 'Configurations of relu', before: '20', after: '20' },
    ]);
    expect(step.text).toContain('6 of them');
    expect(step.rows).toEqual([1, 0]);
  });
  it('name the merge that an op fails', () => {
    const step = list.step(8);
    expect(step.title).toBe('Merge of A into B rejected');
    expect(step.text).toBe('%3 does not work then: needs 3 MB.');
  });
  it('tell how a fused kernel orders chains', () => {
    const fused = new StepList({ ...run, l1Budget: 1_000_000 } as unknown as Run, {
      ...trace,
      solvingOrder: [0, 1],
      dispatches: [{ op: op(2), input: 'L1 block 2x8', output: 'L1 block 2x2', l1Budget: 990_000 }],
      events: [
        { kind: 'OpLeftOut', op: op(2), rule: 'the next op is a fused kernel' },
        { kind: 'DispatchRelated', op: op(2), chain: 0, other: 1 },
        { kind: 'SolvingOrder', op: null, note: '0 1' },
        { kind: 'DispatchConfigured', op: op(2), before: 990_000, layout: 'L1 block 2x2' },
      ],
    });
    expect(fused.step(0).text).toContain('add is a fused kernel');
    expect(fused.step(1)).toMatchObject({ title: 'add stands between A and B', phase: 'Order chains', chains: [0, 1] });
    expect(fused.step(2).figures).toEqual([{ name: 'Solving order', before: '', after: 'A, B' }]);
    expect(fused.step(3).figures.at(-1)).toEqual({ name: 'Kept by its input and result', before: '', after: '9.8 KB' });
  });
  it('jump', () => {
    expect(list.next('MergeTried', 0)).toBe(7);
    expect(list.next('MergeTried', 7)).toBe(-1);
    expect(list.nextAbout(0, 6)).toBe(0);
    expect(list.nextAbout(3, 0)).toBe(8);
    expect(list.step(99).index).toBe(events.length - 1);
  });
  it('count chains like columns', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(chainLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
  });
});
