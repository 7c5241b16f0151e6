import { describe, expect, test } from 'vitest';

import { followOps, hasEffect, splitBecame, type PassInfo } from '../../src/model/passes';
import { initialState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';
import { diffRows } from '../../src/passes/diff_rows';
import { unfoldedLines } from '../../src/passes/unfolded_lines';
import { withShortLayouts } from '../../src/passes/short_layouts';

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

describe('two texts side by side', () => {
  test('show a change with its surroundings and say how much is left out', () => {
    const before = `${numbered(1, 20)}old\n${numbered(21, 40)}`;
    const after = `${numbered(1, 20)}new\nnewer\n${numbered(21, 40)}`;
    const rows = diffRows(before, after);
    expect(rows[0]).toEqual({ kind: 'gap', lines: 18 });
    expect(rows.at(-1)).toEqual({ kind: 'gap', lines: 18 });
    expect(rows.filter(({ kind }) => kind === 'changed')).toEqual([
      { kind: 'changed', left: 'old', right: 'new', leftLine: 21, rightLine: 21 },
      { kind: 'changed', left: null, right: 'newer', leftLine: 0, rightLine: 22 },
    ]);
    expect(rows[3 + 2]).toEqual({ kind: 'same', left: 'line 21', right: 'line 21', leftLine: 22, rightLine: 23 });
  });

  test('every line of both texts is shown or counted exactly once', () => {
    const before = `${numbered(1, 5)}a\n${numbered(6, 30)}b\nc\n`;
    const after = `x\n${numbered(1, 30)}c\nd\n`;
    const rows = diffRows(before, after);
    const count = (side: 'left' | 'right'): number =>
      rows.reduce((sum, row) => sum + (row.kind === 'gap' ? row.lines : row[side] === null ? 0 : 1), 0);
    expect(count('left')).toBe(33);
    expect(count('right')).toBe(33);
  });

  test('thousands of changes do not hide what stayed', () => {
    const op = (at: number, kind: string): string => `%${at} = "${kind}"(%${at - 1})`;
    const lines = (of: (at: number) => string[]): string =>
      Array.from({ length: 4000 }, (_, at) => of(at))
        .flat()
        .join('\n');
    const before = lines((at) => [op(at, at % 2 ? 'conv' : 'norm'), '}']);
    const after = lines((at) => (at % 2 ? [op(at, 'conv'), '}'] : [op(at, 'mul'), op(at + 9000, 'add'), '}']));
    const rows = diffRows(before, after);
    const changed = rows.flatMap((row) => (row.kind === 'changed' ? [row] : []));
    expect(changed).toHaveLength(4000);
    expect(changed.filter(({ left }) => left !== null)).toHaveLength(2000);
    expect(changed.every(({ left, right }) => !left?.includes('conv') && !right?.includes('conv'))).toBe(true);
  });

  test('both texts can be read from the rows', () => {
    let seed = 7;
    const below = (limit: number): number => (seed = (seed * 48271) % 2147483647) % limit;
    for (let round = 0; round < 200; round++) {
      const some = (): string[] => Array.from({ length: 1 + below(40) }, () => `${below(25)}`);
      const [before, after] = [some(), some()];
      const rows = diffRows(before.join('\n'), after.join('\n'));
      for (const [side, number, lines] of [
        ['left', 'leftLine', before],
        ['right', 'rightLine', after],
      ] as const) {
        let next = 0;
        for (const row of rows) {
          if (row.kind === 'gap') next += row.lines;
          else if (row[side] !== null) {
            expect([row[side], row[number]]).toEqual([lines[next], next + 1]);
            next++;
          }
          if (row.kind === 'same') expect(row.left).toBe(row.right);
          if (row.kind === 'changed') expect(row.left).not.toBe(row.right);
        }
        expect(next).toBe(lines.length);
      }
    }
  });

  test('a line that stands on both sides of a row is no change, also where the search was given up', () => {
    const lines = (name: string): string => Array.from({ length: 900 }, (_, at) => `${name}${at}\n}\n`).join('');
    const rows = diffRows(lines('a'), lines('b'));
    expect(rows.map(({ kind }) => kind)).toEqual(rows.map((_, at) => (at % 2 === 0 ? 'changed' : 'same')));
    expect(rows).toHaveLength(1800);
  });

  test('texts with nothing in common are replaced as a whole', () => {
    const rows = diffRows(numbered(1, 5000), numbered(6001, 11000));
    expect(rows.every(({ kind }) => kind === 'changed')).toBe(true);
    expect(rows).toHaveLength(5000);
  });
});

describe('a text as lines', () => {
  const argument = (at: number): string => `%a${at}: tensor<1x${at}xbf16> {n = "x,(${at}", m = #m<(d0) -> (d0)>}`;
  const head = `  func.func @f(${[1, 2, 3].map(argument).join(', ')}) -> (tensor<1xbf16>, tensor<2xbf16>) {`;

  test('has one for each argument of a long function', () => {
    expect(unfoldedLines(`module {\n${head}\n  }\n}\n`)).toEqual([
      { text: 'module {', number: 1 },
      { text: '  func.func @f(', number: 2 },
      { text: `      ${argument(1)},`, number: 0 },
      { text: `      ${argument(2)},`, number: 0 },
      { text: `      ${argument(3)}) -> (tensor<1xbf16>, tensor<2xbf16>) {`, number: 0 },
      { text: '  }', number: 3 },
      { text: '}', number: 4 },
    ]);
  });

  test('keeps what is short, is no function, or does not end', () => {
    const op = `    %0 = "ttir.add"(${[1, 2, 3].map(argument).join(', ')})`;
    for (const line of ['  func.func @f(%a: i32, %b: i32, %c: i32) {', op, head.slice(0, -60)])
      expect(unfoldedLines(line)).toEqual([{ text: line, number: 1 }]);
    expect(unfoldedLines('')).toEqual([]);
  });

  test('compared, shows the argument that changed', () => {
    const rows = diffRows(head, head.replace('1x2xbf16', '1x2xf32'));
    expect(rows.filter(({ kind }) => kind === 'changed')).toEqual([
      {
        kind: 'changed',
        left: `      ${argument(2)},`,
        right: `      ${argument(2).replace('bf16', 'f32')},`,
        leftLine: 0,
        rightLine: 0,
      },
    ]);
  });
});

describe('ops followed through the passes', () => {
  const provenance = [
    { op: '%0', name: 'ttir.conv2d', became: [{ op: '%0', name: 'ttnn.conv2d' }] },
    { op: '%1', name: 'ttir.batch_norm_inference', became: [{ op: '%0', name: 'ttnn.conv2d' }] },
    { op: '%2', name: 'ttir.empty', became: [] },
  ];
  test('are found by their name and by what they became', () => {
    expect(followOps(provenance, '').length).toBe(3);
    expect(followOps(provenance, 'Batch_Norm').map(({ op }) => op)).toEqual(['%1']);
    expect(followOps(provenance, 'ttnn conv').map(({ op }) => op)).toEqual(['%0', '%1']);
    expect(followOps(provenance, 'softmax')).toEqual([]);
  });

  test('a pass has an effect when it changed, added or removed an op', () => {
    const idle: PassInfo = {
      name: 'p',
      title: 'P',
      description: '',
      stage: 'lower',
      changed: 0,
      added: 0,
      removed: 0,
      notes: [],
      problems: [],
    };
    expect(hasEffect(idle)).toBe(false);
    expect(hasEffect({ ...idle, removed: 1 })).toBe(true);
  });
});

test('what a check found is forgotten when the passes run again', () => {
  const checked = reduce(initialState, {
    type: 'answered',
    what: 'passChecks',
    value: [{ pass: 'ttnn-layout', verdict: 'same', text: '' }],
  });
  expect(checked.answers.passChecks).toMatchObject({ busy: false, value: { length: 1 } });
  const again = reduce(checked, { type: 'answered', what: 'passes', value: { schema: 2, passes: [], provenance: [] } });
  expect(again.answers.passChecks.value).toBeNull();
});

test('what computes is told apart from what moves', () => {
  const became = ['ttnn.to_layout', 'ttnn.conv2d', 'ttnn.to_layout', 'ttnn.from_device'].map((name, at) => ({
    op: `%${at}`,
    name,
  }));
  expect(splitBecame(became)).toEqual({
    ops: [{ op: '%1', name: 'ttnn.conv2d' }],
    moves: [
      { name: 'to_layout', count: 2 },
      { name: 'from_device', count: 1 },
    ],
  });
});

test('layouts are written out in short; other aliases and broken lines stay', () => {
  const text = [
    '#dev = #ttcore.device<8x8>',
    '#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x8x!ttcore.tile<32x32, bf16>, ' +
      '#ttnn.buffer_type<dram>>, <interleaved>>',
    '#layout1 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x8, (d0, d1) -> (0, d0)>, memref<1x3x!ttcore.tile<32x32, f32>, ' +
      '#ttnn.buffer_type<l1>>, <width_sharded>, core_ranges = <[]>>',
    '#layout10 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<32x64xui32, #ttnn.buffer_type<system_memory>>>',
    '#layout2 = #ttnn.ttnn_layout<broken',
    'a : (tensor<1xbf16, #layout1>, tensor<#layout10>, #layout, #layout2, #dev)',
  ].join('\n');
  expect(withShortLayouts(text).split('\n')).toEqual([
    '#dev = #ttcore.device<8x8>',
    '#layout2 = #ttnn.ttnn_layout<broken',
    'a : (tensor<1xbf16, ‹l1 width_sharded 1x8 1x3 tiles f32›>, tensor<‹system_memory 32x64 rows ui32›>, ' +
      '‹dram interleaved 4x8 tiles bf16›, #layout2, #dev)',
  ]);
});
