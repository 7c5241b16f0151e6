import { describe, expect, test } from 'vitest';

import {
  cellAt,
  colourOf,
  frameOf,
  kGutterLeft,
  kGutterTop,
  nextElement,
  overviewOf,
  regions,
  spotAt,
  unpack,
} from '../../src/lab/cells';
import { coreCells } from '../../src/lab/cores';
import { describeSpot, offsetText } from '../../src/lab/describe';
import { parseOffset } from '../../src/lab/element_card';
import { derivation, wastes } from '../../src/lab/figures';
import { decodeLab, encodeLab } from '../../src/lab/link';
import { intervalsText, kDefaultFields, parseIntervals, parseNumbers, ravel, step, unravel } from '../../src/lab/model';
import { type LabDrawn, type LabAnswer, type LabFields, type LabWindow } from '../../src/model/generated/layout';
import { kPresets } from '../../src/lab/presets';
import { LabStore, type LabState } from '../../src/lab/store';

const kWindow: LabWindow = {
  // Two cores of 2x2 side by side in 2x5 places; the last column is padding of the second.
  extent: [2, 5],
  origin: [0, 0],
  size: [2, 5],
  outer: [],
  cells: [2, 0, 0, 0, 2, 2, 1, 0, 1, -2, 1, -1, 2, 4, 0, 64, 2, 6, 1, 64, 1, -2, 1, -1],
};

describe('numbers', () => {
  test('are read in the spellings people use', () => {
    for (const text of ['2x3x64', '2 × 3 × 64', '2,3,64', ' [2, 3, 64] ', '(2,3,64)', '2 3 64'])
      expect(parseNumbers(text), text).toEqual([2, 3, 64]);
    expect(parseNumbers('')).toEqual([]);
    expect(parseNumbers('-1')).toEqual([-1]);
    for (const text of ['2xx3', 'a', '2.5', '1e9', '99999999999999999999', '2x'])
      expect(parseNumbers(text), text).toBeNull();
  });
  test('of intervals', () => {
    expect(parseIntervals('(0, 3), (-3, -1)')).toEqual([
      [0, 3],
      [-3, -1],
    ]);
    expect(parseIntervals('[[1,-1]]')).toEqual([[1, -1]]);
    expect(parseIntervals('')).toEqual([]);
    for (const text of ['(0)', '0,1', '(0,1', 'x', '(0, 1) and']) expect(parseIntervals(text), text).toBeNull();
    expect(
      parseIntervals(
        intervalsText([
          [0, 2],
          [3, -1],
        ]),
      ),
    ).toEqual([
      [0, 2],
      [3, -1],
    ]);
  });
  test('of offsets', () => {
    expect(parseOffset('0x1F0')).toEqual({ offset: 496, bit: 0 });
    expect(parseOffset(' 496.4 ')).toEqual({ offset: 496, bit: 4 });
    for (const text of ['', '-1', '4.9', '0xZ', '1.5.2']) expect(parseOffset(text), text).toBeNull();
    expect(offsetText(4 * 8 + 2)).toBe('byte 4, bit 2');
  });
  test('of elements and indices belong together', () => {
    const shape = [5, 3, 2, 7];
    for (let element = 0; element < 210; element++) expect(ravel(unravel(element, shape), shape)).toBe(element);
    expect(unravel(0, [])).toEqual([]);
  });
  test('step carries and stops at the ends', () => {
    expect(step([0, 2, 6], [2, 3, 7], 2, 1)).toEqual([1, 0, 0]);
    expect(step([1, 0, 0], [2, 3, 7], 2, -1)).toEqual([0, 2, 6]);
    expect(step([1, 2, 6], [2, 3, 7], 2, 1)).toEqual([1, 2, 6]);
    expect(step([0, 0, 3], [2, 3, 7], 1, -1)).toEqual([0, 0, 3]);
  });
});

describe('cells', () => {
  const cells = unpack(kWindow, 32);
  test('are unpacked from runs', () => {
    expect([...cells.element]).toEqual([0, 1, 2, 3, -2, 4, 5, 6, 7, -2]);
    expect([...cells.position]).toEqual([0, 0, 1, 1, 1, 0, 0, 1, 1, 1]);
    expect([...cells.bits]).toEqual([0, 32, 0, 32, -1, 64, 96, 64, 96, -1]);
    expect(cells.where.get(6)).toBe(7);
    expect(cells.where.has(-2)).toBe(false);
  });
  test('of broken runs stay within the window', () => {
    const broken = unpack({ ...kWindow, cells: [1000, 0, 0, 0, 5] }, 32);
    expect(broken.element.length).toBe(10);
    expect(unpack({ ...kWindow, cells: [] }, 32).where.size).toBe(0);
  });
  test('are found under a point', () => {
    const frame = frameOf(cells, 400, 400);
    expect(frame.cell).toBe(24);
    for (let at = 0; at < 10; at++) {
      const [x, y] = [kGutterLeft + (at % 5) * 24 + 12, kGutterTop + Math.floor(at / 5) * 24 + 12];
      expect(cellAt(cells, frame, x, y)).toBe(at);
    }
    for (const [x, y] of [
      [0, 30],
      [60, 0],
      [399, 30],
      [60, 399],
    ])
      expect(cellAt(cells, frame, x!, y!)).toBe(-1);
    const large = frameOf({ rows: 64, cols: 64 }, 330, 400);
    expect(large.cell).toBeGreaterThanOrEqual(4);
    expect(large.width).toBeLessThanOrEqual(330);
  });
  test('keyboard: the next element passes padding over', () => {
    expect(nextElement(cells, 3, 0, 1)).toBe(-1);
    expect(nextElement(cells, 0, 1, 0)).toBe(5);
    expect(nextElement({ ...cells, element: Float64Array.from([0, -1, 2, 3, -2, 4, 5, 6, 7, -2]) }, 0, 0, 1)).toBe(2);
  });
  test('the overview shows the part in the whole', () => {
    const part = { ...kWindow, extent: [384, 128] as const, origin: [256, 64] as const, size: [64, 64] as const };
    const overview = overviewOf(part, [192, 32]);
    expect([overview.cutsY.length, overview.cutsX.length]).toEqual([1, 3]);
    expect(overview.window.y / overview.height).toBeCloseTo(256 / 384);
    expect(overview.window.width / overview.width).toBeCloseTo(0.5);
    const thin = overviewOf({ ...part, extent: [1, 1_000_000], origin: [0, 999_936], size: [1, 64] }, [1, 1]);
    expect(thin.cutsX).toEqual([]);
    expect(thin.window.width).toBe(2);
    expect(thin.height).toBeGreaterThanOrEqual(8);
  });
  test('regions are the rectangles of positions', () => {
    expect(regions(cells)).toEqual([
      { position: 0, row: 0, col: 0, rows: 2, cols: 2 },
      { position: 1, row: 0, col: 2, rows: 2, cols: 3 },
    ]);
    const scattered = unpack({ ...kWindow, size: [1, 4], cells: [1, 0, 0, 0, 1, 1, 1, 0, 2, 2, 0, 0] }, 8);
    expect(regions(scattered).map(({ position }) => position)).toEqual([1]);
  });
  test('neighbours in the grid have different colours', () => {
    for (let cols = 1; cols <= 12; cols++) {
      for (let at = 0; at < 96; at++) {
        if (at % cols < cols - 1) expect(colourOf(at, cols)).not.toBe(colourOf(at + 1, cols));
        expect(colourOf(at, cols)).not.toBe(colourOf(at + cols, cols));
      }
    }
  });
  test('of cores stand where the engine says', () => {
    const cores = coreCells([0, 0, 0, 8, 0, 1, 0, 4, 1, 0, 1, 8], 8, 0, 2, 2);
    expect(cores.map(({ position, fill }) => [position, fill])).toEqual([
      [0, 1],
      [1, 0.5],
      [-1, 0],
      [-1, 0],
    ]);
    expect(coreCells([1, 9, 9, 8], 8, 1, 2, 2).every(({ position }) => position === -1)).toBe(true);
  });
});

const kDrawn = {
  units: [2, 1],
  grid: [2, 2],
  scalarShard: [40, 20],
  physical: [80, 40],
  stored: [64, 32],
  positions: 4,
  unitBytes: 2048,
  valueBits: 16,
  bytes: { perCore: 4096, total: 16384, data: 6400, wasted: 9984, usableL1: 1_000_000 },
  places: { elements: 3200, stored: 8192, strideGap: 0, beyondTensor: 0, tileRounding: 4992 },
  cores: [0, 0, 0, 800, 0, 1, 0, 800, 0, 0, 1, 800, 0, 1, 1, 800],
} as unknown as LabDrawn;
const kTiled: LabFields = { ...kDefaultFields, shape: [80, 40], grid: [2, 2], tiled: true };

describe('words', () => {
  test('grid first, then tile', () => {
    const titles = derivation(kDrawn, kTiled).map(({ title, value }) => `${title}: ${value}`);
    expect(titles).toEqual([
      'logical tensor: 80×40',
      'collapsed: 80×40',
      '÷ grid 2×2, up: 40×20',
      '÷ tile 32×32, up: 2×1',
    ]);
  });
  test('of padding and elements', () => {
    const cells = unpack(kWindow, 32);
    expect(describeSpot(spotAt('stored', cells, 4), kDrawn, kTiled)).toContain('beyond the tensor');
    expect(describeSpot(spotAt('stored', cells, 8), kDrawn, kTiled)).toBe(
      'Element [0, 7] is on core (1, 0), tile 0, byte 12.',
    );
    expect(wastes(kDrawn)).toEqual([{ kind: -3, places: 4992 }]);
  });
});

describe('links', () => {
  test('hold every preset', () => {
    for (const { fields, cursor } of kPresets) {
      const decoded = decodeLab(`#${encodeLab({ fields, cursor })}`);
      expect(decoded).toEqual({ kind: 'state', link: { fields, cursor } });
    }
  });
  test('an old link still opens', () => {
    // Made when format 1 was new; it must stay readable for ever.
    const decoded = decodeLab('#lab1:eyJjdXJzb3IiOls1Miw2Ml0sInNoYXBlIjpbNTMsNjNdLCJncmlkIjpbMywyXX0');
    expect(decoded).toEqual({
      kind: 'state',
      link: { cursor: [52, 62], fields: { ...kDefaultFields, shape: [53, 63], grid: [3, 2] } },
    });
  });
  test('that are damaged give a problem', () => {
    for (const hash of [
      '#x',
      '#lab1:',
      '#lab1:!!',
      '#lab1:AAAA',
      '#lab2:AAAA',
      '#v1:abc',
      `#lab1:${'A'.repeat(100_000)}`,
    ])
      expect(decodeLab(hash).kind, hash).toBe('problem');
    expect(decodeLab('').kind).toBe('none');
    expect(decodeLab('#').kind).toBe('none');
  });
  test('with fields of wrong types keep the defaults', () => {
    const wrong = {
      shape: 'x',
      grid: [1.5],
      collapse: [[1]],
      tile: [1],
      tiled: 1,
      deviceDims: 'a',
      dtype: 7,
      view: 'nothing',
      cursor: [null],
    };
    const hash = `#lab1:${btoa(JSON.stringify(wrong)).replace(/=+$/, '')}`;
    expect(decodeLab(hash)).toEqual({ kind: 'state', link: { cursor: [], fields: kDefaultFields } });
  });
});

describe('store', () => {
  const drawnAt = (index: readonly number[], cores?: readonly number[]): LabDrawn =>
    ({ ...kDrawn, cursor: { index }, cores }) as unknown as LabDrawn;
  const good = (request: string): LabAnswer => {
    const { detail, cursor, text: _, find: __, look: ___, window: ____, ...fields } = JSON.parse(request);
    return {
      schema: 1,
      problems: [],
      request: fields,
      drawn: drawnAt(cursor, detail ? [0, 0, 0, 1] : undefined),
      ...(detail ? { legal: [] } : {}),
    };
  };
  const make = (
    answer: (request: string) => LabAnswer,
  ): { store: LabStore; states: LabState[]; asked: Record<string, unknown>[] } => {
    const states: LabState[] = [];
    const asked: Record<string, unknown>[] = [];
    const store = new LabStore(
      { fields: kTiled, cursor: [0, 0] },
      async (request) => {
        asked.push(JSON.parse(request));
        return { kind: 'done', value: answer(request), ms: 0 };
      },
      (state) => states.push(state),
      () => 64,
    );
    return { store, states, asked };
  };

  test('asks for cores and legal layouts only when the fields change', async () => {
    const { store, asked } = make(good);
    await store.setFields(kTiled);
    await store.setCursor([3, 4]);
    await store.look(2);
    expect(asked.map(({ detail }) => detail)).toEqual([true, false, false]);
    expect(store.state.drawn?.cores).toEqual([0, 0, 0, 1]);
    expect(store.state.cursor).toEqual([3, 4]);
  });

  test('a refused layout keeps the picture and says why', async () => {
    const { store } = make((request) => {
      const answer = good(request);
      if (answer.request?.grid[0] !== 9) return answer;
      const { drawn: _, ...rest } = answer;
      return { ...rest, problems: [{ field: 'layout', rule: 'GridBeyondDevice', text: 'no' }] };
    });
    await store.setFields(kTiled);
    await store.setFields({ ...kTiled, grid: [9, 9] });
    expect(store.state.problems[0]?.rule).toBe('GridBeyondDevice');
    expect(store.state.drawn).not.toBeNull();
    expect(store.state.drawnFields.grid).toEqual([2, 2]);
    await store.setFields(kTiled);
    expect(store.state.problems).toEqual([]);
  });

  test('a text that cannot be read changes nothing but the message', async () => {
    const { store } = make((request) =>
      JSON.parse(request).text === undefined
        ? good(request)
        : { schema: 1, problems: [{ field: 'text', rule: 'BadText', text: 'no' }] },
    );
    await store.setFields(kTiled);
    await store.setText('ttnn', 'nonsense');
    expect(store.state.textProblem).toEqual({ kind: 'ttnn', rule: 'BadText', text: 'no' });
    expect(store.state.fields).toEqual(kTiled);
    await store.setText('ttnn', '');
    expect(store.state.textProblem).toBeNull();
  });
});
