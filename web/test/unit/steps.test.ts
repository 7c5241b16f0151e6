import { describe, expect, it } from 'vitest';

import type { BeamOp, BeamTrace } from '../../src/model/generated/beam_trace';
import type { ChainEvent, ChainTrace } from '../../src/model/generated/chain_trace';
import type { ExactResult } from '../../src/model/exact';
import type { Run } from '../../src/model/report';
import { BeamSteps } from '../../src/steps/beam_steps';
import { ChainSteps } from '../../src/steps/chain_steps';
import { DecisionSteps } from '../../src/steps/decision_steps';
import { ExactSteps } from '../../src/steps/exact_steps';
import { stepsOf } from '../../src/steps/step_source';
import { tickPath } from '../../src/steps/ticks';
import { oneAfterAnother, Walk, type StepSource } from '../../src/steps/walk';
import { chainLetter } from '../../src/view/chain_marks';
import { catalog, report } from './fixtures';

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
  rows: ['conv', 'relu', 'add', ''].map((label, row) => ({
    kind: 'op',
    label,
    name: `%${row}`,
    op: 'ttnn.add',
    operands: [],
    results: [],
  })),
  values: [],
} as unknown as Run;
const steps = new ChainSteps(run, trace);

describe('steps of the chain generation', () => {
  it('name the rule that ends a chain', () => {
    expect(steps.tell(3).text).toContain('its result is read more than once');
    expect(steps.tell(3).title).toBe('Chain A ends');
  });
  it('show configurations before and after a propagation', () => {
    const step = steps.tell(5);
    expect(step.figures.slice(0, 2)).toEqual([
      { name: 'Configurations of conv', before: '24', after: '18' },
      { name: 'Configurations of relu', before: '20', after: '20' },
    ]);
    expect(step.text).toContain('6 of them');
    expect(steps.mark(5).rows).toEqual([1, 0]);
  });
  it('name the merge that an op fails', () => {
    const step = steps.tell(8);
    expect(step.title).toBe('Merge of A into B rejected');
    expect(step.text).toBe('%3 does not work then: needs 3 MB.');
  });
  it('tell how a fused kernel orders chains', () => {
    const fused = new ChainSteps({ ...run, l1Budget: 1_000_000 } as unknown as Run, {
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
    expect(fused.tell(0).text).toContain('add is a fused kernel');
    expect(fused.tell(1)).toMatchObject({ title: 'add stands between A and B', phase: 'Order chains' });
    expect(fused.tell(2).figures).toEqual([{ name: 'Solving order', before: '', after: 'A, B' }]);
    expect(fused.tell(3).figures.at(-1)).toEqual({ name: 'Kept by its input and result', before: '', after: '9.8 KB' });
  });
  it('count chains like columns', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(chainLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
  });
});

describe('a walk', () => {
  const walk = new Walk(steps, false);
  it('stops where something changes, and everywhere when asked to', () => {
    expect(walk.shown).toEqual([1, 2, 3, 4, 5, 6, 9]);
    expect(walk.hidden).toBe(3);
    expect(new Walk(steps, true).shown).toHaveLength(events.length);
  });
  it('finds the next spill, the next step about an op, and where a step is', () => {
    expect(walk.next(0, ({ spill }) => spill)).toBe(6);
    expect(walk.next(6, ({ spill }) => spill)).toBe(-1);
    expect(walk.next(5, ({ rows }) => rows.includes(0), true)).toBe(0);
    expect(walk.next(0, ({ turn }) => turn)).toBe(-1);
    expect([0, 1, 5, 8, 99].map((step) => walk.placeOf(step))).toEqual([0, 0, 4, 5, 6]);
  });
  it('goes through several sources', () => {
    const both = oneAfterAnother([steps, steps]);
    expect(both.count).toBe(2 * events.length);
    expect(both.tell(events.length + 3)).toEqual(steps.tell(3));
    expect(both.mark(3)).toEqual(steps.mark(3));
  });
  it('marks its steps, those that fall together once', () => {
    expect(tickPath(walk, ({ spill }) => spill, 1, 19)).toBe('M1000 1V19');
    const many: StepSource = {
      count: 10_000,
      mark: () => ({ rows: [], effect: true, spill: true, turn: false }),
      tell: () => steps.tell(3),
    };
    expect(tickPath(new Walk(many, true), () => true, 1, 2).split('M').length).toBeLessThan(500);
  });
});

const score = (cores: number) => [1, 1, 0, 0, cores, 1024] as const;
const beamOp = (row: number, extra: Partial<BeamOp>): BeamOp => ({
  index: row,
  row,
  op: 'ttnn.add',
  location: '',
  combinations: 2,
  tries: 2,
  fallback: false,
  inPlace: false,
  inputs: [],
  candidates: [],
  candidatesLeftOut: 0,
  beam: [
    { output: 0, score: score(64) },
    { output: 1, score: score(8) },
  ],
  chosen: 0,
  final: 0,
  ...extra,
});
const beam: BeamTrace = {
  function: 'f',
  beamWidth: 2,
  ops: [
    beamOp(0, { chosen: 1 }),
    beamOp(1, { beam: [{ output: 0, score: score(64), links: [[0, 0, 1, -1]] }] }),
    beamOp(2, {
      chosen: 1,
      beam: [
        { output: 0, score: score(64) },
        { output: 1, score: score(8) },
      ],
    }),
  ],
  edges: [],
  forks: [{ at: 0, slot: 1, consumers: [1, 2] }],
  spills: {
    budget: 2048,
    steps: 3,
    total: 1,
    finalOccupied: 0,
    finalLive: 0,
    events: [
      {
        at: 2,
        position: 2,
        row: 2,
        op: 'add',
        action: 'evict',
        before: 2048,
        after: 1024,
        needed: 512,
        victim: '%0',
        details: 'L1 is full',
      },
    ],
  },
  layouts: ['l1/block_sharded/8x8', 'l1/height_sharded/8x1'],
  reasons: [],
};

describe('steps of the pass generation', () => {
  const spilled = { ...run, rows: run.rows.map((row) => ({ ...row, l1: { tensors: 0, circularBuffers: 0 } })) };
  const source = new BeamSteps(spilled as unknown as Run, beam, 'upstream');
  const told = Array.from({ length: source.count }, (_, at) => source.tell(at));
  it('go forward, back over forks and paths, then through what left L1', () => {
    expect(told.map(({ phase }) => phase.split(':')[0])).toEqual([
      ...['Forward', 'Forward', 'Forward'],
      ...['Back', 'Back'],
      'Spill management',
    ]);
    expect(told[3]!.title).toBe('add: rank 1, not the best by itself');
    expect(told[4]!.title).toBe('conv: rank 1 for 2 readers');
    expect(told[4]!.text).toContain('1 reader wants rank 1');
    expect(told[5]!.title).toBe('conv evicted');
    expect(told[5]!.figures[0]).toEqual({ name: 'L1 of tensors', before: '2 KB', after: '1 KB' });
  });
  it('know a change of mind and a spill, and are about the tensor that leaves', () => {
    expect(source.mark(4)).toEqual({ rows: [0], effect: true, spill: false, turn: true });
    expect(source.mark(5)).toEqual({ rows: [0, 2], effect: true, spill: true, turn: true });
    expect(source.mark(1).effect).toBe(false); // one candidate: nothing to choose
  });
});

describe('steps of the optimum', () => {
  const exact: ExactResult = {
    time: 900,
    lowerBound: 890,
    gapPpm: 11_236,
    proven: false,
    layoutOptimum: 800,
    source: 'prices',
    method: 'elimination',
    size: { variables: 3, tables: 2, candidates: 9, width: 1, cells: 12 },
    baselines: [
      { policy: 'DRAM', time: 2000, fits: true },
      { policy: 'Beam', time: 700, fits: false },
    ],
    bounds: [
      [0, 2000, 800],
      [4, 2000, 850],
      [5, 2000, 850],
      [9, 900, 890],
    ],
  };
  const source = new ExactSteps(exact, null);
  const told = Array.from({ length: source.count }, (_, at) => source.tell(at));
  it('are layouts, other plans, price rounds and the proof', () => {
    expect(told.map(({ title }) => title)).toEqual([
      'Layouts as if L1 held everything',
      'DRAM: 2 µs',
      'Beam: 700 ns, does not fit',
      ...[0, 4, 5, 9].map((round) => `Price round ${round}`),
      'At most 1.12 % from the optimum',
    ]);
  });
  it('have no effect when neither bound moves, and turn when a faster plan is found', () => {
    expect(told.map((_, at) => source.mark(at).effect)).toEqual([true, true, false, true, true, false, true, true]);
    expect(told.flatMap((_, at) => (source.mark(at).turn ? [at] : []))).toEqual([6]);
  });
});

describe('steps of a policy without a trace', () => {
  it('are the decisions and moves down the schedule', () => {
    const made = report({ blocks: 2, policy: 'Greedy' });
    const source = new DecisionSteps(made.run);
    const rows = Array.from({ length: source.count }, (_, at) => source.mark(at).rows[0]!);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect(rows.length).toBeGreaterThan(3);
    for (const [at, row] of rows.entries()) {
      const kind = made.run.rows[row]!.kind;
      if (kind === 'spill') expect(source.mark(at).effect).toBe(true);
      expect(source.tell(at).text).not.toBe('');
    }
    expect(stepsOf(made, catalog)!.count).toBe(rows.length);
    expect(stepsOf(null, catalog)).toBeNull();
  });
});
