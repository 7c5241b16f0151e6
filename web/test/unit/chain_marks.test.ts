import { describe, expect, it } from 'vitest';

import type { TracedChain } from '../../src/model/generated/chain_trace';
import type { DeviceInfo, Run } from '../../src/model/report';
import { chainMarks, chainText, keptMark } from '../../src/view/chain_marks';
import { buildLanes } from '../../src/view/lanes_geometry';
import { buildMap, holesAt } from '../../src/view/map_geometry';
import { bufferTip } from '../../src/view/map_tip';
import { spillMark, spillMarks } from '../../src/view/spill_marks';

const chain = (ops: readonly number[], more: Partial<TracedChain> = {}): TracedChain => ({
  ops,
  state: 'Completed',
  spill: 'DRAM',
  concat: false,
  mergedInto: -1,
  failure: '',
  ...more,
});
const rows = [0, 1, 2, 3, 4, 5].map((row) => ({
  kind: 'op',
  label: '',
  name: `%${row}`,
  op: 'ttnn.add',
  chain: -1,
  operands: row === 0 ? [] : [row - 1],
  results: [row],
  time: { total: 1 },
  circularBuffers: row === 2 ? [{ name: 'in0', address: 100, bytes: 50 }] : [],
}));
const values = rows.map((_, row) => ({
  name: `%${row}`,
  label: '',
  producer: row,
  uses: [],
  shape: '1x1',
  dtype: 'bf16',
  layout: null,
}));
const chains = [
  chain([0, 1], { spill: 'None', mergedInto: 2 }),
  chain([2, 3]),
  chain([4, 5], { state: 'Failed', failure: 'no path' }),
];
const reservations = [
  { source: { row: 1, name: '%1' }, from: 2, to: 4, bytes: 2048 },
  { source: { row: 3, name: '%3' }, from: 4, to: 5, bytes: 64 },
  { source: null, from: 0, to: 0, bytes: 1 },
];
const buffers = [
  { value: 1, name: '', space: 'l1', address: 700, bytes: 100, from: 1, to: 4, aliasOf: -1 },
  { value: 3, name: '', space: 'l1', address: 900, bytes: 100, from: 2, to: 5, aliasOf: -1 },
];
const run = {
  rows,
  values,
  chains: [],
  buffers,
  l1Budget: 900,
  totals: { peakL1: 0, peakStep: 0 },
  chainSummary: { chains, reservations },
} as unknown as Run;
const device = { l1Size: 1000, l1Base: 100, usableL1: 900 } as unknown as DeviceInfo;

describe('chains of the policy', () => {
  const marks = chainMarks(run)!;
  it('have lanes in which none overlap', () => {
    expect(marks.chains.map(({ lane }) => lane)).toEqual([0, 0, 0]);
    const nested = {
      ...run,
      chainSummary: { chains: [chain([0, 5]), chain([1, 2]), chain([3, 4]), chain([])], reservations: [] },
    } as unknown as Run;
    expect(chainMarks(nested)!.chains.map(({ lane }) => lane)).toEqual([0, 1, 1, 0]);
    expect(chainMarks(nested)!.lanes).toBe(2);
    expect([...buildLanes(nested).laneOf]).toEqual([1, 2, 2, 2, 2, 1]);
  });
  it('say how they ended', () => {
    expect(chainText(marks.chains[0]!)).toBe(
      'Chain A of 2 ops: completed, its result stays where it is, merged into chain C.',
    );
    expect(chainText(marks.chains[2]!)).toBe('Chain C of 2 ops: failed: all of it in DRAM (no path).');
    expect(marks.chainOf.get(3)).toBe(1);
  });
  it('mark what they keep in L1', () => {
    expect(marks.kept.get(1)).toMatchObject({ kind: 'merged', text: 'merged into C' });
    expect(marks.kept.get(3)).toMatchObject({ kind: 'reserved', from: 4, to: 5 });
    expect(marks.kept.size).toBe(2);
    expect(keptMark(run, { value: 9, sharedBy: [3] })?.kind).toBe('reserved');
    expect(keptMark(run, { value: 0, sharedBy: [] })).toBeNull();
  });
  it('are those of the run alone in other generations', () => {
    expect(chainMarks({ ...run, chainSummary: undefined } as unknown as Run)).toBeNull();
  });
});

describe('spills', () => {
  it('name the op that needed the room', () => {
    const kinds = ['op', 'op', 'spill', 'reshard', 'op', 'return', 'terminator'];
    const spilled = {
      ...run,
      rows: kinds.map((kind, row) => ({
        ...rows[0]!,
        kind,
        cause: 'memory',
        name: `%${row}`,
        operands: row === 2 ? [0] : row === 5 ? [4] : [],
      })),
      values,
    } as unknown as Run;
    expect([...spillMarks(spilled)]).toEqual([
      [4, { row: 5, kind: 'return', next: -1 }],
      [0, { row: 2, kind: 'spill', next: 4 }],
    ]);
    expect(spillMark(spilled, { value: 9, sharedBy: [0] })).toEqual({ row: 2, kind: 'spill', next: 4 });
    expect(spillMark(spilled, { value: 1, sharedBy: [] })).toBeNull();
    const map = buildMap(spilled, device);
    expect(bufferTip(spilled, { ...map.boxes[0]!, value: 0 })).toContain('spilled at step 2, right before %4');
  });
});

describe('holes', () => {
  it('are what neither tensors nor circular buffers take', () => {
    const map = buildMap(run, device);
    expect(holesAt(run, map, 0)).toEqual([{ from: 100, to: 1000 }]);
    expect(holesAt(run, map, 2)).toEqual([
      { from: 150, to: 700 },
      { from: 800, to: 900 },
    ]);
  });
});
