import { describe, expect, test } from 'vitest';

import { buildGraph, nodeText } from '../../src/graph/graph_model';
import { layOut, spread, type LayoutInput } from '../../src/graph/layers';
import type { MoveKind } from '../../src/model/moves';
import type { Row, Run } from '../../src/model/report';
import { buildMap } from '../../src/view/map_geometry';
import { buildColumns, following, stepsText, within, zoomed } from '../../src/view/minimap_geometry';
import { RowFinder } from '../../src/view/row_finder';
import { filterChoices, rowsThatPass } from '../../src/view/row_filter';
import { rowsFrom, someRows } from '../../src/view/row_order';
import { pressed } from '../../src/view/schedule_keys';
import { bytesPerCore } from '../../src/why/core_grid';
import { report } from './fixtures';

const made = report({ blocks: 6 });
const run = made.run!;
const device = made.device!;

function random(seed: number): (limit: number) => number {
  return (limit) => (seed = (seed * 48271) % 2147483647) % limit;
}

describe('the lines of the schedule', () => {
  test('lines and rows are each other’s inverse, whichever rows are shown', () => {
    const next = random(7);
    for (let trial = 0; trial < 20; trial++) {
      const rows = 50 + next(50);
      const shown = Array.from({ length: rows }, (_, row) => row).filter(() => next(3) === 0);
      const hidden = next(20);
      for (const order of [someRows(shown, rows), rowsFrom(hidden, rows)]) {
        for (let line = 0; line < order.lines; line++) {
          expect(order.lineOf(order.rowAt(line))).toBe(line);
          expect(order.shows(order.rowAt(line))).toBe(true);
        }
      }
      const order = someRows(shown, rows);
      for (let row = 0; row < rows; row++) {
        expect(order.shows(row)).toBe(shown.includes(row));
        expect(order.lineOf(row)).toBe(shown.filter((one) => one < row).length);
      }
    }
  });
  test('keys step over what a filter hides', () => {
    const order = someRows([3, 7, 8], 12);
    const at = (key: string, selected: number): number => {
      let row = selected;
      const keys = { selected, order, folded: false, page: 2, jump: () => {}, openWhy: () => {}, leave: () => {} };
      expect(pressed(key, { ...keys, select: (next) => (row = next) })).toBe(true);
      return row;
    };
    expect([at('ArrowDown', 3), at('ArrowDown', 8), at('ArrowUp', 7), at('ArrowUp', 3)]).toEqual([7, 8, 3, 3]);
    expect([at('Home', 8), at('End', 3), at('PageDown', 3), at('ArrowDown', 5), at('ArrowUp', 5)]).toEqual([
      3, 8, 8, 7, 3,
    ]);
  });
});

describe('filters', () => {
  test('each choice lets exactly its rows pass', () => {
    const choices = filterChoices(run);
    expect(choices.map(({ id }) => id)).toEqual(expect.arrayContaining(['reshard', 'l1', 'dram']));
    for (const choice of choices) {
      const rows = rowsThatPass(run, [choice.id], null)!;
      expect(rows).toHaveLength(choice.rows);
      for (const row of rows) expect(choice.passes(run, run.rows[row]!)).toBe(true);
    }
  });
  test('one of each group; the search alone where there is one; unknown ids of a link are nothing', () => {
    const family = `family:${run.rows[2]!.family}`;
    const one = rowsThatPass(run, [family], null)!;
    const two = rowsThatPass(run, [family, 'l1'], null)!;
    expect(two.every((row) => one.includes(row))).toBe(true);
    expect(rowsThatPass(run, ['reshard', 'reload'], null)!.length).toBe(
      rowsThatPass(run, ['reshard'], null)!.length + rowsThatPass(run, ['reload'], null)!.length,
    );
    expect(rowsThatPass(run, ['nonsense', '__proto__'], null)).toBeNull();
    expect(rowsThatPass(run, ['search'], null)).toBeNull();
    expect(rowsThatPass(run, ['search'], [2, 5])).toEqual([2, 5]);
    expect(rowsThatPass(run, ['family:none at all'], null)).toEqual([]);
  });
  test('what is found, shown and said agree', () => {
    const rows = new RowFinder();
    rows.search(run, 'relu');
    rows.arrange(['search'], 0);
    expect(rows.shown).toEqual(rows.matches);
    expect(rows.order.lines).toBe(rows.matches.length);
    expect(rows.announcement()).toContain(`${rows.matches.length} of ${run.rows.length} steps shown`);
    rows.search(run, '');
    rows.arrange(['search'], 3);
    expect([rows.shown, rows.order.lines, rows.announcement()]).toEqual([null, run.rows.length - 3, '']);
  });
});

describe('the minimap', () => {
  test('every step is in one column, and nothing grave is lost', () => {
    for (const most of [1, 7, 40, 5000]) {
      const columns = buildColumns(run, { from: 0, end: run.rows.length }, most);
      expect(columns.length).toBe(Math.min(most, run.rows.length));
      expect(columns[0]!.from).toBe(0);
      columns.forEach(({ end }, at) => expect(end).toBe(columns[at + 1]?.from ?? run.rows.length));
      expect(Math.max(...columns.map(({ time }) => time))).toBe(Math.max(...run.rows.map((row) => row.time.total)));
      expect(Math.max(...columns.map(({ tensors, circular }) => tensors + circular))).toBe(
        Math.max(...run.rows.map(({ l1 }) => l1.tensors + l1.circularBuffers)),
      );
    }
    const spilled = run.rows.map((row, at) => (at === 9 ? { ...row, kind: 'spill', cause: 'memory' } : row)) as Row[];
    const [all] = buildColumns({ ...run, rows: spilled }, { from: 0, end: run.rows.length }, 1);
    expect(all!.mark).toBe('spill');
    expect(buildColumns(run, { from: 5, end: 5 }, 100)).toEqual([]);
  });
  test('a zoomed part stays in the whole and keeps the step under the pointer', () => {
    const whole = { from: 100, end: 1100 };
    let range = whole;
    for (let turn = 0; turn < 6; turn++) {
      range = zoomed(range, whole, 700, 0.5);
      expect(range.from).toBeGreaterThanOrEqual(100);
      expect(range.end).toBeLessThanOrEqual(1100);
      expect(range.from <= 700 && range.end >= 700).toBe(true);
    }
    expect(range.end - range.from).toBe(40);
    expect(zoomed(range, whole, 700, 1000)).toEqual(whole);
    expect(within({ from: -50, end: 50 }, whole)).toEqual({ from: 100, end: 200 });
    expect(following({ from: 100, end: 200 }, whole, { from: 400, end: 430 })).toEqual({ from: 365, end: 465 });
    expect(following({ from: 100, end: 200 }, whole, { from: 120, end: 150 })).toEqual({ from: 100, end: 200 });
  });
  test('it says figures', () => {
    const text = stepsText(run, { from: 0, end: run.rows.length });
    expect(text).toContain(`steps 0 to ${run.rows.length - 1}`);
    expect(text).toContain('100 % of the time');
    expect(text).toMatch(/L1 up to [\d,]+ KB per core/);
  });
});

describe('DRAM', () => {
  test('its map has what lies in DRAM, and L1 nothing of it', () => {
    const buffers = run.buffers.map((buffer, at) => (at % 3 === 0 ? { ...buffer, space: 'dram' as const } : buffer));
    const moved = { ...run, buffers };
    const dram = buildMap(moved, device, true, false, 'dram');
    const l1 = buildMap(moved, device);
    expect(dram.boxes.length).toBeGreaterThan(0);
    expect(dram.boxes.length + l1.boxes.length).toBe(buildMap(run, device).boxes.length);
    for (const box of dram.boxes) {
      expect(box.kind).toBe('dram');
      expect(box.address).toBeGreaterThanOrEqual(dram.base);
      expect(box.address + box.bytes).toBeLessThanOrEqual(dram.end);
    }
    expect(buildMap({ ...run, buffers: [] }, device, true, false, 'dram').end).toBeGreaterThan(0);
  });
});

describe('bytes per core', () => {
  test('the fullest core has what the row says, and unused cores have nothing of shards', () => {
    const map = buildMap(run, device);
    run.rows.forEach((row, step) => {
      const boxes = map.index.touching(step, step).map((box) => map.boxes[box]!);
      const { tensors, circular } = bytesPerCore(run, row, boxes, device);
      expect(tensors).toHaveLength(device.grid[0] * device.grid[1]);
      expect(Math.max(...tensors)).toBe(row.l1.tensors);
      expect(circular.filter((bytes) => bytes > 0).length).toBe(
        row.l1.circularBuffers > 0 ? Math.min(tensors.length, row.cores || tensors.length) : 0,
      );
    });
  });
});

describe('the graph of chains', () => {
  const graph = buildGraph(run);
  test('every op of the program is in one node, every node’s rows are one chain or line', () => {
    const seen = graph.nodes.flatMap(({ rows }) => rows);
    expect(new Set(seen).size).toBe(seen.length);
    run.rows.forEach((row, at) => {
      if (row.kind === 'op' && row.time.total > 0) expect(graph.nodes[graph.nodeOf[at]!]!.rows).toContain(at);
    });
    for (const { rows, kind } of graph.nodes)
      if (kind === 'chain') expect(new Set(rows.map((row) => run.rows[row]!.chain)).size).toBe(1);
    expect(graph.nodes.filter(({ kind }) => kind === 'chain')).toHaveLength(
      new Set(run.rows.map((row) => row.chain).filter((chain) => chain >= 0)).size,
    );
  });
  test('nodes are joined where one reads what another makes, and moves are marks of their edges', () => {
    const apart = buildGraph({ ...run, rows: run.rows.map((row) => ({ ...row, chain: -1 })) });
    const moves = new Set<MoveKind>(apart.edges.flatMap((edge) => edge.moves));
    expect(run.totals.reshards).toBeGreaterThan(0);
    expect(moves.has('reshard')).toBe(true);
    for (const { from, to } of graph.edges) expect(from).not.toBe(to);
    const ended = graph.nodes.findIndex(({ kind }) => kind === 'return');
    expect(graph.edges.some(({ to }) => to === ended)).toBe(true);
    expect(nodeText(graph, 1)).toContain(graph.nodes[1]!.title);
  });
  test('a line of ops in DRAM is one node, also of ten thousand', () => {
    const count = 10_000;
    const row = run.rows[0]!;
    const line: Run = {
      ...run,
      chainSummary: undefined as never,
      values: Array.from({ length: count + 1 }, (_, at) => ({
        ...run.values[0]!,
        role: at === 0 ? ('input' as const) : ('result' as const),
        producer: at - 1,
        uses: [at],
      })),
      rows: Array.from({ length: count }, (_, at) => ({
        ...row,
        kind: 'op' as const,
        chain: -1,
        operands: [at],
        results: [at + 1],
        time: { ...row.time, total: 5 },
      })),
    };
    const { nodes, edges } = buildGraph(line);
    expect(nodes.map(({ kind, rows }) => [kind, rows.length])).toEqual([
      ['input', 0],
      ['line', count],
    ]);
    expect(edges).toHaveLength(1);
  });
});

describe('the layout', () => {
  const net = (nodes: number, seed: number): LayoutInput => {
    const next = random(seed);
    const edges: number[] = [];
    for (let node = 1; node < nodes; node++) {
      edges.push(Math.max(0, node - 1 - next(3)), node);
      if (next(6) === 0) edges.push(next(node), node);
      if (next(40) === 0) edges.push(node, next(node));
    }
    return { nodes, edges: Int32Array.from(edges) };
  };
  test('edges go down, and no two nodes of a layer overlap', () => {
    for (const [nodes, seed] of [
      [1, 1],
      [2, 2],
      [60, 3],
      [500, 4],
      [10_000, 5],
    ] as const) {
      const input = net(nodes, seed);
      const laid = layOut(input);
      for (let edge = 0; edge < input.edges.length; edge += 2) {
        const ends = [input.edges[edge]!, input.edges[edge + 1]!].sort((a, b) => a - b);
        if (ends[0] !== ends[1]) expect(laid.layer[ends[1]!]!).toBeGreaterThan(laid.layer[ends[0]!]!);
        const [begin, end] = [laid.starts[edge / 2]!, laid.starts[edge / 2 + 1]!];
        expect(laid.points[begin]).toBe(laid.x[ends[0]!]);
        expect(laid.points[end - 1]).toBe(laid.x[ends[1]!]);
      }
      const layers = new Map<number, number[]>();
      laid.layer.forEach((layer, node) => layers.set(layer, [...(layers.get(layer) ?? []), laid.x[node]!]));
      for (const places of layers.values()) {
        places.sort((a, b) => a - b);
        places.forEach((x, at) => at > 0 && expect(x - places[at - 1]!).toBeGreaterThan(0.999));
      }
      expect(Math.min(...laid.x)).toBeGreaterThanOrEqual(0.5 - 1e-3);
      expect(laid.width).toBeGreaterThanOrEqual(1);
    }
  });
  test('a chain of nodes is a straight line, and nothing is no graph', () => {
    const chain = { nodes: 30, edges: Int32Array.from(Array.from({ length: 29 }, (_, at) => [at, at + 1]).flat()) };
    expect(new Set(layOut(chain).x).size).toBe(1);
    expect(layOut({ nodes: 0, edges: new Int32Array(0) })).toMatchObject({ layers: 0 });
  });
  test('wishes are met where there is room, else as nearly as can be', () => {
    expect(spread([0, 5], [1, 1], [1, 1])).toEqual([0, 5]);
    expect(spread([2, 2], [1, 1], [1, 1])).toEqual([1.5, 2.5]);
    expect(spread([3, 0], [1, 1], [1, 1])).toEqual([1, 2]);
  });
});
