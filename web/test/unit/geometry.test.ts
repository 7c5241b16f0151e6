import { describe, expect, test } from 'vitest';

import { coresOf } from '../../src/why/core_grid';
import { l1Shares } from '../../src/why/l1_bar';
import { buildLanes, forkReach, lanesWidth, laneX } from '../../src/view/lanes_geometry';
import { addressAt, boxAt, boxesAtStep, buildMap, guideAddresses, mapX, type Cut } from '../../src/view/map_geometry';
import {
  clampSplit,
  kRowHeight,
  openingRow,
  planColumns,
  scrollToShow,
  windowFor,
} from '../../src/view/schedule_geometry';
import { findMatches, searchTexts, stepThrough } from '../../src/view/schedule_search';
import { SpanIndex } from '../../src/view/span_index';
import { timeScale, timeSegments } from '../../src/view/time_geometry';
import type { DeviceInfo, Layout, Run } from '../../src/model/report';
import { report } from './fixtures';

const made = report({ blocks: 6 });
const run = made.run!;
const device = made.device!;

describe('SpanIndex', () => {
  test('finds exactly what a scan finds', () => {
    let seed = 1;
    const random = (limit: number): number => (seed = (seed * 48271) % 2147483647) % limit;
    const spans = Array.from({ length: 400 }, () => {
      const from = random(1000);
      return [from, Math.min(999, from + random(random(4) === 0 ? 900 : 12))] as const;
    });
    const index = new SpanIndex(1000, spans.length, (item) => spans[item]!);
    for (let trial = 0; trial < 60; trial++) {
      const first = random(1000);
      const last = Math.min(999, first + random(80));
      const expected = spans.flatMap(([from, to], item) => (from <= last && to >= first ? [item] : []));
      expect(index.touching(first, last)).toEqual(expected);
    }
  });
  test('an empty index answers', () => expect(new SpanIndex(0, 0, () => [0, 0]).touching(0, 10)).toEqual([]));
});

describe('lanes', () => {
  const lanes = buildLanes(run);
  test('every edge goes down and joins an operand to its user', () => {
    expect(lanes.edges.length).toBeGreaterThan(run.rows.length - 5);
    for (const edge of lanes.edges) {
      expect(edge.from).toBeLessThan(edge.to);
      expect(run.rows[edge.to]!.operands.some((value) => run.values[value]!.producer === edge.from)).toBe(true);
    }
  });
  test('parameters that are only handed on have no edges', () => {
    const rows = [{ ...run.rows[0]!, time: { total: 0, fixed: 0, compute: 0, dram: 0, noc: 0 } }, ...run.rows.slice(1)];
    expect(buildLanes({ ...run, rows }).edges.some((edge) => edge.from === 0)).toBe(false);
  });
  test('a shortcut is a fork, neighbours of a chain are not', () => {
    const add = run.rows.findIndex((row) => row.label === 'layer1.0.add');
    expect(
      lanes.edges
        .filter((edge) => edge.to === add)
        .map((edge) => edge.kind)
        .sort(),
    ).toContain('fork');
    for (const edge of lanes.edges) if (edge.to === edge.from + 1) expect(edge.kind).not.toBe('fork');
  });
  test('rows outside of chains are in lane 0, chains start once', () => {
    run.rows.forEach((row, at) => expect(lanes.laneOf[at]).toBe(row.chain < 0 ? 0 : run.chains[row.chain]!.lane + 1));
    expect(lanes.chainStart.reduce((a, b) => a + b, 0)).toBe(run.chains.length);
  });
  test('lanes stay inside the column, whatever their number', () => {
    for (const count of [1, 2, 5, 40, 500]) {
      const width = lanesWidth(count);
      for (let lane = 0; lane < count; lane++)
        expect(laneX(lane, count, width) + forkReach(1e6)).toBeLessThanOrEqual(width);
    }
  });
});

describe('map', () => {
  const whole = buildMap(run, device);
  const cut = buildMap(run, device, false);
  test('addresses and pixels are each other’s inverse', () => {
    for (const picture of [whole, cut]) {
      for (let at = picture.base; at <= picture.end; at += 9973) {
        expect(Math.abs(addressAt(picture, mapX(picture, at, 400), 400) - at)).toBeLessThan(1);
      }
      expect(mapX(picture, picture.base, 400)).toBe(0);
      expect(mapX(picture, picture.end, 400)).toBeCloseTo(400, 6);
    }
  });
  test('the cut touches no buffer and makes the rest larger', () => {
    expect(cut.cut).not.toBeNull();
    for (const box of cut.boxes)
      expect(box.address + box.bytes <= cut.cut!.from || box.address >= cut.cut!.to).toBe(true);
    const box = cut.boxes[0]!;
    const width = (picture: typeof cut): number =>
      mapX(picture, box.address + box.bytes, 400) - mapX(picture, box.address, 400);
    expect(width(cut)).toBeGreaterThan(1.5 * width(whole));
  });
  test('the budget line is the budget’s distance from the end', () => {
    const tight = buildMap(report({ blocks: 6, cap: 0.5 }).run!, device);
    expect(tight.end - tight.budgetAt).toBe(Math.floor(device.usableL1 * 0.5));
  });
  test('a point finds its box and only while it is alive', () => {
    const box = whole.boxes.find((candidate) => candidate.to > candidate.from)!;
    const x = mapX(whole, box.address + box.bytes / 2, 1000);
    expect(boxAt(whole, box.from, x, 1000)).toBe(box);
    expect(boxAt(whole, box.to, x, 1000)).toBe(box);
    expect(boxAt(whole, box.to + 1, x, 1000)).not.toBe(box);
    expect(boxAt(whole, box.from, mapX(whole, device.l1Base + 700 * 1024, 1000), 1000)).toBeNull();
  });
  test('the buffers of a step add up to what the row says', () => {
    run.rows.forEach((row, step) =>
      expect(boxesAtStep(whole, step).reduce((sum, box) => sum + box.bytes, 0)).toBe(row.l1.tensors),
    );
  });
  test('guides are few, inside, and not in the cut', () => {
    for (const picture of [whole, cut]) {
      const lines = guideAddresses(picture);
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.length).toBeLessThanOrEqual(9);
      for (const line of lines)
        expect(
          line > picture.base &&
            line < picture.end &&
            (picture.cut === null || line < picture.cut.from || line > picture.cut.to),
        ).toBe(true);
    }
  });
  test('a buffer beyond the last row or of no bytes does no harm', () => {
    const odd = {
      ...run,
      buffers: [
        { value: 1, name: '', aliasOf: -1, space: 'l1' as const, address: 200000, bytes: 0, from: 0, to: 3 },
        { value: 9e9, name: '', aliasOf: -1, space: 'l1' as const, address: 200000, bytes: 64, from: -4, to: 1e6 },
      ],
    };
    const picture = buildMap(odd, device);
    expect(picture.boxes).toHaveLength(1);
    expect(picture.boxes[0]).toMatchObject({ from: 0, to: run.rows.length - 1 });
  });
});

describe('windows and columns', () => {
  test('a window covers what is visible, for every scroll position', () => {
    for (let top = 0; top < 10_000 * kRowHeight; top += 7777) {
      const { first, end } = windowFor(top, 700, 10_000);
      expect(first * kRowHeight).toBeLessThanOrEqual(top);
      expect(Math.min(10_000, end) * kRowHeight).toBeGreaterThanOrEqual(Math.min(10_000 * kRowHeight, top + 700));
      expect(end - first).toBe(windowFor(0, 700, 10_000).end);
      expect(end - first).toBeLessThan(80);
    }
    expect(windowFor(0, 700, 0)).toEqual({ first: 0, end: 0 });
    expect(windowFor(1e9, 700, 5)).toEqual({ first: 0, end: 5 });
  });
  test('a graph opens at its first op that costs time', () => {
    const rows = (free: number): { time: { total: number } }[] => [
      ...Array.from({ length: free }, () => ({ time: { total: 0 } })),
      { time: { total: 5 } },
    ];
    expect([
      openingRow(rows(0)),
      openingRow(rows(7)),
      openingRow(rows(267)),
      openingRow([]),
      openingRow([{ time: { total: 0 } }]),
    ]).toEqual([0, 0, 266, 0, 0]);
  });
  test('scrolling shows the row and stays when it is visible', () => {
    expect(scrollToShow(10, 0, 700)).toBe(0);
    const down = scrollToShow(100, 0, 700);
    expect(100 * kRowHeight).toBeGreaterThanOrEqual(down);
    expect(101 * kRowHeight).toBeLessThanOrEqual(down + 700);
    expect(scrollToShow(0, 500, 700)).toBe(0);
    expect(scrollToShow(100, down, 700)).toBe(down);
  });
  test('tracks add up to the width', () => {
    for (const show of ['both', 'table', 'map'] as const) {
      for (const width of [320, 360, 500, 700, 930, 1400, 2500]) {
        if (show === 'both' && width < 480) continue; // there the page shows one at a time
        const plan = planColumns(width, 0.64, 60, show);
        const fixed = [...plan.template.matchAll(/(?<!\()\b(\d+)px/g)].reduce(
          (sum, match) => sum + Number(match[1]),
          0,
        );
        expect(fixed, `${show} ${width}`).toBeLessThan(width);
        expect(plan.mapLeft + plan.mapWidth).toBe(width);
        expect(plan.columns).toContain('op');
      }
    }
  });
  test('the split leaves room for both sides', () => {
    expect(clampSplit(0.01, 1000)).toBeGreaterThan(0.3);
    expect(clampSplit(0.99, 1000)).toBeLessThan(0.9);
    expect(clampSplit(0.5, 0)).toBeGreaterThan(0);
  });
});

describe('search', () => {
  const texts = searchTexts(run);
  test('finds by name, op, shape and place, all words together', () => {
    expect(findMatches(texts, 'layer1.0.conv1')).toHaveLength(1);
    expect(findMatches(texts, 'conv2d block').every((row) => run.rows[row]!.op === 'ttir.conv2d')).toBe(true);
    expect(findMatches(texts, '56×56x64 RELU').length).toBeGreaterThan(0);
    expect(findMatches(texts, '  ')).toEqual([]);
    expect(findMatches(texts, 'reshard').map((row) => run.rows[row]!.kind)).toEqual(
      run.rows.flatMap((row) => (row.kind === 'reshard' ? ['reshard'] : [])),
    );
  });
  test('next and previous go around', () => {
    expect(stepThrough([3, 7, 9], -1, 1)).toBe(3);
    expect(stepThrough([3, 7, 9], 9, 1)).toBe(3);
    expect(stepThrough([3, 7, 9], 7, -1)).toBe(3);
    expect(stepThrough([3, 7, 9], 3, -1)).toBe(9);
    expect(stepThrough([], 3, 1)).toBe(-1);
  });
});

describe('time bars', () => {
  test('parts beside each other: the longest is the bar and ends at the total', () => {
    const segments = timeSegments({ total: 110, fixed: 10, compute: 100, dram: 40, noc: 5 }, 110);
    const bar = segments.filter(({ strip }) => strip < 0);
    expect(bar.map(({ part }) => part)).toEqual(['fixed', 'compute']);
    expect(bar[1]!.x + bar[1]!.width).toBeCloseTo(1);
    expect(segments.filter(({ strip }) => strip >= 0).map(({ part }) => part)).toEqual(['dram', 'noc']);
  });
  test('parts after each other fill the bar', () => {
    const segments = timeSegments({ total: 155, fixed: 10, compute: 100, dram: 40, noc: 5 }, 155);
    expect(segments.every(({ strip }) => strip < 0)).toBe(true);
    expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1);
  });
  test('nothing for no time', () =>
    expect(timeSegments({ total: 0, fixed: 0, compute: 0, dram: 0, noc: 0 }, 10)).toEqual([]));
  test('one huge op does not flatten the others', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({
      ...run.rows[0]!,
      time: { ...run.rows[0]!.time, total: at === 50 ? 1e9 : 1000 },
    }));
    expect(timeScale(rows)).toBe(1500);
    expect(timeScale([])).toBe(0);
  });
});

describe('cores and L1', () => {
  const layout = (change: Partial<Layout>): Layout => ({ ...run.values[1]!.layout!, ...change });
  test('block grids lie as they are, bands go row by row', () => {
    const block = coresOf(layout({ memory: 'block_sharded', grid: [2, 3] }), [8, 8]);
    expect(block.count).toBe(6);
    expect(block.used[8]).toBe(true);
    expect(block.used[3]).toBe(false);
    const height = coresOf(layout({ memory: 'height_sharded', grid: [10, 1] }), [8, 8]);
    expect(height.count).toBe(10);
    expect(height.used[9]).toBe(true);
    expect(height.used[10]).toBe(false);
    expect(coresOf(layout({ memory: 'interleaved' }), [8, 8]).count).toBe(64);
    expect(coresOf(layout({ buffer: 'dram' }), [8, 8]).count).toBe(0);
    expect(coresOf(layout({ memory: 'block_sharded', grid: [500, 500] }), [8, 8]).count).toBe(64);
  });
  test('shares stay within the bar, also over budget', () => {
    const row = { ...run.rows[0]!, l1: { ...run.rows[0]!.l1, tensors: 900, circularBuffers: 600, peak: 1500 } };
    const over = l1Shares(row, 1000);
    expect(over.circular + over.tensors).toBeCloseTo(1);
    expect(over.free).toBe(-500);
    expect(over.budget).toBeCloseTo(2 / 3);
    expect(l1Shares(row, 3000).free).toBe(1500);
  });
});

describe('the cut of the L1 map', () => {
  const mb = 1_000_000;
  // Circular buffers at the start and a tensor at the end of L1 in every step; `tall` steps use all in between.
  const runWith = (tall: number): Run =>
    ({
      rows: Array.from({ length: 100 }, (_, at) => ({
        circularBuffers: [{ name: 'in', address: 0, bytes: at < tall ? 0.8 * mb : 0.1 * mb }],
      })),
      values: [],
      l1Budget: mb,
      buffers: [
        { value: -1, name: 'halo', space: 'l1', from: 0, to: 99, address: 0.9 * mb, bytes: 0.1 * mb, aliasOf: -1 },
      ],
    }) as unknown as Run;
  const small = { l1Base: 0, l1Size: mb, usableL1: mb } as unknown as DeviceInfo;
  const cutOf = (tall: number): Cut | null => buildMap(runWith(tall), small, false).cut;

  test('is where no step, or hardly one, uses L1, and says how many do', () => {
    expect(cutOf(0)).toMatchObject({ steps: 0 });
    expect(cutOf(4)).toMatchObject({ steps: 4 });
    const narrow = cutOf(4)!;
    expect(narrow.to - narrow.from).toBeGreaterThan(0.6 * mb);
    expect(cutOf(60)).toBeNull();
  });
  test('addresses inside of it keep their order', () => {
    const map = buildMap(runWith(4), small, false);
    const at = [0, 0.05, 0.2, 0.5, 0.79, 0.9, 1].map((part) => mapX(map, part * mb, 600));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(addressAt(map, mapX(map, 0.5 * mb, 600), 600)).toBeCloseTo(0.5 * mb, 0);
    expect(mapX(map, 0.1 * mb, 600)).toBeGreaterThan(200);
  });
});
