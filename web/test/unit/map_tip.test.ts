import { expect, test } from 'vitest';

import { buildMap, circularAt, holesAt, mapX } from '../../src/view/map_geometry';
import { boxTitle, bufferTip, circularTip, freeL1, holesText, stepTip } from '../../src/view/map_tip';
import { boundText } from '../../src/why/query';
import { report } from './fixtures';

const made = report({ blocks: 2 });
const run = made.run!;
const device = made.device!;

test('circular buffers are found by name under the pointer', () => {
  const map = buildMap(run, device);
  const row = run.rows.findIndex(({ circularBuffers }) => circularBuffers.length === 3);
  for (const buffer of run.rows[row]!.circularBuffers) {
    const x = mapX(map, buffer.address + buffer.bytes / 2, 2000);
    expect(circularAt(run, map, row, x, 2000)?.name).toBe(buffer.name);
    expect(circularTip(run, row, buffer)).toContain(`${buffer.name} of `);
  }
  expect(circularAt(run, map, row, 1999, 2000)).toBeNull();
  expect(circularAt(run, map, -1, 5, 2000)).toBeNull();
});

test('holes are told with their fragmentation', () => {
  expect(holesText({ free: 0, largestHole: 0 })).toBe('nothing free');
  expect(holesText({ free: 2048, largestHole: 2048 })).toBe('free 2 KB in one piece');
  expect(holesText({ free: 3 * 102400, largestHole: 204800 })).toBe(
    'free 300 KB in holes up to 200 KB: 33 % fragmented',
  );
});

test('what is free at a step is what the map leaves empty, wherever it is told', () => {
  const map = buildMap(run, device);
  run.rows.forEach((_, step) => {
    const holes = holesAt(run, map, step).map(({ from, to }) => to - from);
    const { free, largestHole } = freeL1(run, map, step);
    expect([free, largestHole]).toEqual([holes.reduce((sum, size) => sum + size, 0), Math.max(0, ...holes)]);
    expect(stepTip(run, map, step)).toContain(`\nL1 ${holesText({ free, largestHole })}\n`);
  });
  expect(stepTip(run, map, 3)).toMatch(/^step 3: tensors .*\nL1 free .*\nDRAM per bank free .*$/);
});

test('values that share a buffer are told with it; intermediates have their own name', () => {
  const owner = run.buffers[0]!;
  const shared = { ...owner, value: owner.value + 1, aliasOf: 0 };
  const halo = { ...owner, value: -1, name: 'halo' };
  const map = buildMap({ ...run, buffers: [owner, shared, halo] }, device);
  expect(map.boxes.map((box) => [box.value, box.name, box.sharedBy])).toEqual([
    [owner.value, '', [owner.value + 1]],
    [-1, 'halo', []],
  ]);
  expect(bufferTip(run, map.boxes[0]!)).toContain('shared by ');
  expect(boxTitle(run, map.boxes[1]!)).toBe('halo');
  expect(bufferTip(run, map.boxes[1]!)).toMatch(/^halo of .*\nmade and freed by the op/);
});

test('an operand that its op frees early is told so', () => {
  const map = buildMap(run, device);
  const box = map.boxes.find(({ to }) => to > 0)!;
  expect(bufferTip(run, box)).not.toContain('freed by');
  const rows = run.rows.map((row, at) => (at === box.to ? { ...row, freedOperand: box.value } : row));
  expect(bufferTip({ ...run, rows }, box)).toContain('freed by ');
});

test('what bounds an op is told in words', () => {
  const row = run.rows[0]!;
  expect(boundText({ ...row, bound: 'noc', dramBytes: 2048, nocBytes: 0, cores: 1 })).toBe(
    'Bound by the NoC. 2 KB to and from DRAM. 1 core.',
  );
  expect(boundText({ ...row, bound: 'none', dramBytes: 0, nocBytes: 0, cores: 0 })).toBe('');
});
