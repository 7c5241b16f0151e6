import { describe, expect, it } from 'vitest';

import { planBeamColumns, slotAt, slotX } from '../../src/beam/beam_geometry';
import { BeamPicture, firstDifference } from '../../src/view/beam_picture';
import { readTraceLayout } from '../../src/view/trace_layout';
import { looksLikeDecisionTrace } from '../../src/model/beam_trace';
import type { BeamCandidate, BeamOp, BeamScore, BeamTrace } from '../../src/model/generated/beam_trace';
import type { Run } from '../../src/model/report';

const layouts = [
  'dram/interleaved/1x1',
  'l1/height_sharded/64x1',
  'l1/block_sharded/8x8',
  'L1/interleaved/8x8',
  'null',
];
const [kDram, kHeight, kBlock, kInterleaved] = [0, 1, 2, 3];
const score = (cores: number, bytes = 2048): BeamScore => [1, 1, 0, 0, cores, bytes];
const candidate = (output: number, cores: number, more: Partial<BeamCandidate> = {}): BeamCandidate => ({
  hint: output,
  output,
  reason: -1,
  count: 1,
  score: score(cores),
  inputs: [],
  ...more,
});
const op = (index: number, more: Partial<BeamOp>): BeamOp => ({
  index,
  row: -1,
  op: 'ttnn.add',
  location: `op.${index}`,
  combinations: 1,
  tries: 3,
  fallback: false,
  inPlace: false,
  inputs: [],
  candidates: [],
  candidatesLeftOut: 0,
  beam: [],
  chosen: 0,
  final: kHeight,
  ...more,
});

// 0 is read by 1 and 2; 1 would like it height sharded, 2 block sharded; 3 joins them.
const trace: BeamTrace = {
  function: 'main',
  beamWidth: 2,
  layouts,
  reasons: ['needs more L1 than there is'],
  ops: [
    op(10, {
      beam: [
        { output: kHeight, score: score(64) },
        { output: kBlock, score: score(64) },
      ],
      candidates: [
        candidate(kHeight, 64),
        candidate(kBlock, 64),
        candidate(kInterleaved, 32),
        { hint: kBlock, output: -1, reason: 0, count: 7, inputs: [] },
      ],
    }),
    op(11, {
      beam: [{ output: kHeight, score: score(64), links: [[0, 0, 0, -1]] }],
      inputs: [{ operand: 0, from: 'beam', layouts: [kHeight, kBlock] }],
      candidates: [candidate(kHeight, 64, { inputs: [kHeight] })],
    }),
    op(12, { beam: [{ output: kBlock, score: score(64), links: [[0, 0, 1, kHeight]] }], final: kDram }),
    op(13, {
      beam: [
        {
          output: kHeight,
          score: score(64),
          links: [
            [0, 1, 0, -1],
            [1, 2, 0, kHeight],
          ],
        },
      ],
      inputs: [
        { operand: 0, from: 'beam', layouts: [kHeight] },
        { operand: 1, from: 'beam', layouts: [kBlock] },
        { operand: 1, from: 'reshard', layouts: [kHeight] },
      ],
      candidates: [candidate(kHeight, 64, { inputs: [kHeight, kHeight] })],
    }),
  ],
  edges: [
    [0, 1, 0, -1],
    [0, 2, 0, -1],
    [1, 3, 0, -1],
    [2, 3, 1, kHeight],
  ],
  forks: [{ at: 0, slot: 0, consumers: [1, 2] }],
  spills: {
    budget: 8192,
    steps: 4,
    total: 1,
    finalOccupied: 0,
    finalLive: 0,
    events: [
      {
        at: 3,
        position: 13,
        row: -1,
        op: 'ttnn.add',
        action: 'eviction',
        before: 6144,
        after: 4096,
        needed: 4096,
        victim: 'op.10',
        details: 'out of memory',
      },
      {
        at: 2,
        position: 12,
        row: -1,
        op: 'ttnn.add',
        action: 'demote_to_l1_interleaved',
        before: 4096,
        after: 4096,
        needed: 9000,
        victim: '',
        details: 'fragmented',
      },
      {
        at: -1,
        position: 99,
        row: -1,
        op: 'ttnn.foo',
        action: 'something_new',
        before: 0,
        after: 0,
        needed: 0,
        victim: '%x',
        details: '',
      },
    ],
  },
};

describe('layouts of a trace', () => {
  it('are read in both spellings', () => {
    expect(readTraceLayout('l1/width_sharded/1x64')).toMatchObject({ kind: 'width', text: 'WS 1×64' });
    expect(readTraceLayout('DRAM/interleaved')).toMatchObject({ kind: 'dram', text: 'DRAM' });
    expect(readTraceLayout('L1/interleaved/8x8')).toMatchObject({ kind: 'interleaved', text: 'IL' });
    expect(readTraceLayout('null')).toMatchObject({ kind: 'none', text: 'backend' });
    expect(readTraceLayout('<b>odd</b>')).toMatchObject({ kind: 'none', text: '<b>odd</b>' });
    expect(readTraceLayout(undefined)).toMatchObject({ kind: 'none', text: '–' });
  });
  it('are recognised as a file', () => {
    expect(looksLikeDecisionTrace(' {"version":3,"forwardPass":[]}')).toBe(true);
    expect(looksLikeDecisionTrace('{"tessera_graph":1}')).toBe(false);
    expect(looksLikeDecisionTrace(`func.func @f() // {"forwardPass"`)).toBe(false);
  });
});

describe('beam', () => {
  const picture = new BeamPicture(trace, null, 'upstream');
  it('points back to where entries come from', () => {
    expect([...picture.history(3, 0)].sort()).toEqual(['0:0', '0:1', '1:0', '2:0', '3:0']);
    expect([...picture.history(1, 0)].sort()).toEqual(['0:0', '1:0']);
    expect([...picture.history(1, 5)]).toEqual([]);
    expect(picture.edges.find((edge) => edge.from === 0 && edge.to === 2)).toMatchObject({
      fromSlot: 1,
      reshard: true,
      chosen: false,
    });
    expect(picture.edges.filter(({ chosen }) => chosen).map(({ from, to }) => `${from}${to}`)).toEqual([
      '01',
      '13',
      '23',
    ]);
  });
  it('counts the votes of a fork', () => {
    expect(picture.forkAt.get(0)).toEqual({ slot: 0, consumers: [1, 2], votes: [1, 1] });
  });
  it('lists every candidate once, with what became of it', () => {
    const rows = picture.candidates(0);
    expect(rows.map(({ rank, fate, count }) => [rank, fate, count])).toEqual([
      [0, 'chosen', 1],
      [1, 'kept', 1],
      [-1, 'worse', 1],
      [-1, 'refused', 7],
    ]);
    expect(rows[2]!.why).toBe('fewer cores (32 against 64)');
    const whyOf = (rule: string): string => new BeamPicture(trace, null, rule).candidates(0)[2]!.why;
    expect([whyOf('first'), whyOf('time').slice(0, 21), whyOf('cores').slice(0, 24)]).toEqual([
      'comes later in the order of preference',
      'its path takes longer',
      'its path has fewer cores',
    ]);
    expect(rows[3]).toMatchObject({ why: 'needs more L1 than there is', output: null });
  });
  it('tells which operands are converted', () => {
    expect(
      picture.candidates(3)[0]!.inputs.map(({ operand, reshard, layout }) => [operand, reshard, layout.kind]),
    ).toEqual([
      [0, false, 'height'],
      [1, true, 'height'],
    ]);
    expect(picture.candidates(1)[0]!.inputs[0]!.reshard).toBe(false);
  });
  it('says where spilled tensors went', () => {
    const [evicted, demoted, odd] = picture.events;
    expect(evicted).toMatchObject({ kind: 'evict', victim: 'op.10', victimAt: 0, bytes: 2048, cause: 'out of memory' });
    expect([evicted!.from?.kind, evicted!.to?.kind]).toEqual(['height', 'dram']);
    expect(demoted).toMatchObject({ kind: 'demote', victimAt: 2, bytes: 2048 });
    expect([demoted!.from?.kind, demoted!.to?.kind]).toEqual(['block', 'interleaved']);
    expect(odd).toMatchObject({ kind: 'other', action: 'something new', victim: '%x', victimAt: -1, from: null });
  });
  it('counts live bytes from the choices where there is no run', () => {
    // op 0 is read by op 2 for the last time
    expect(picture.live.map(({ tensors }) => tensors)).toEqual([2048, 4096, 4096, 4096]);
    expect(picture.measured).toBe(false);
    expect(picture.budget).toBe(8192);
  });
  it('forgets what was evicted, by name or by size', () => {
    const long: BeamTrace = { ...trace, edges: [...trace.edges, [0, 3, 0, -1]] };
    const lives = (victim: string, bytes: number): number => {
      const event = { ...trace.spills!.events[0]!, victim, before: 6144, after: 6144 - bytes };
      return new BeamPicture({ ...long, spills: { ...trace.spills!, events: [event] } }, null).live[3]!.tensors;
    };
    expect([lives('op.10', 2048), lives('%3', 2048), lives('%3', 999)]).toEqual([4096, 4096, 6144]);
  });
  it('takes rows, names and bytes from the run where there is one', () => {
    const l1 = { tensors: 77, circularBuffers: 5 };
    const rows = [
      { kind: 'op', label: 'conv', name: '%1', op: 'ttnn.conv2d', l1 },
      { kind: 'reshard', label: '', name: '%2', op: 'ttnn.to_layout', l1 },
      { kind: 'op', label: 'relu', name: '%3', op: 'ttnn.relu', l1 },
    ];
    const run = { rows, values: [], l1Budget: 100 } as unknown as Run;
    const ours = new BeamPicture(
      { ...trace, ops: [op(0, { row: 0, location: '' }), op(1, { row: 2, location: '' })], forks: [], edges: [] },
      run,
    );
    expect(ours.title(1)).toBe('relu');
    expect([0, 1, 2, 9].map((row) => ours.placeOfRow(row))).toEqual([0, 0, 1, 1]);
    expect(ours.live[0]).toEqual({ tensors: 77, circular: 5 });
  });
  it('takes any numbers a file may hold', () => {
    const odd = new BeamPicture(
      {
        ...trace,
        ops: [
          op(-5, {
            chosen: 44,
            final: 1e15,
            beam: [
              {
                output: -3,
                score: score(1),
                links: [
                  [0, 7, 0, -1],
                  [0, 0, 0, -1],
                ],
              },
            ],
          }),
        ],
        forks: [{ at: 900, slot: -1, consumers: [5, -2] }],
        edges: [],
      },
      null,
    );
    expect(odd.edges).toEqual([]);
    expect(odd.candidates(0)).toHaveLength(1);
    expect(odd.candidates(70)).toEqual([]);
    expect([...odd.history(0, 0)]).toEqual(['0:0']);
  });
  it('names the rule for a candidate that is as good as another', () => {
    const kept = [0, 1].map((output) => ({ output, score: score(8) }));
    const equal = (scoring: string) =>
      new BeamPicture(
        {
          ...trace,
          beamWidth: 2,
          forks: [],
          ops: [
            op(0, {
              chosen: 1,
              beam: kept,
              candidates: [{ hint: 2, output: 2, reason: -1, count: 1, score: score(8), inputs: [] }],
            }),
          ],
          edges: [],
        },
        null,
        scoring,
      ).candidates(0);
    for (const scoring of ['cores', 'time', 'upstream']) {
      const [first, taken, lost] = equal(scoring);
      expect(first!.why).toBe('as good by itself, but no reader on the path comes from it');
      expect(taken!.fate).toBe('chosen');
      expect(lost!.why).toContain('of equals the first that was found stands first');
    }
  });
  it('says of cached weights where the run has them', () => {
    const dram = { kind: 'dram', text: 'DRAM' };
    const run = {
      rows: [
        { kind: 'op', label: '', name: '%w', op: 'ttcore.load_cached', results: [0], l1: {} },
        { kind: 'op', label: '', name: '%x', op: 'ttnn.add', results: [0], l1: {} },
      ],
      values: [{ layout: dram }],
      l1Budget: 100,
    } as unknown as Run;
    const ops = [op(0, { row: 0, op: 'ttcore.load_cached' }), op(1, { row: 1 })];
    const ours = new BeamPicture({ ...trace, ops, forks: [], spills: null, edges: [] }, run);
    expect(ours.placeOfCached(0)).toBe(dram);
    expect(ours.placeOfCached(1)).toBeNull();
    expect(new BeamPicture({ ...trace, ops, forks: [], spills: null, edges: [] }, null).placeOfCached(0)).toBeNull();
  });
  it('compares scores as the compiler does', () => {
    expect(firstDifference([0, 0, 5, 1, 1, 0], [1, 1, 0, 0, 64, 9])).toBe('not in L1, the last that was kept is');
    expect(firstDifference([1, 1, 5, 1, 1, 0], [1, 1, 0, 0, 64, 9])).toContain('reads more from DRAM');
    expect(firstDifference(score(4), score(4))).toBeNull();
  });
});

describe('geometry of the beam', () => {
  it('gives all the width it has', () => {
    for (const width of [320, 560, 900, 1800]) {
      for (const slots of [1, 8, 64]) {
        const columns = planBeamColumns(width, slots);
        expect(columns.l1Left + columns.l1Width).toBeLessThanOrEqual(Math.max(width, 560));
        expect(slotX(slots - 1, columns.gap)).toBeLessThan(columns.beamWidth);
      }
    }
  });
  it('finds the entry under a point', () => {
    const picture = new BeamPicture(trace, null);
    expect(slotAt(picture, 0, slotX(1, 20) + 3, 20)).toBe(1);
    expect(slotAt(picture, 0, slotX(2, 20), 20)).toBe(-1);
    expect(slotAt(picture, 1, -40, 20)).toBe(-1);
  });
});
