import { expect, test } from 'vitest';

import {
  formatAddress,
  formatBytes,
  formatDuration,
  withTimes,
  formatPercent,
  formatShape,
  formatTime,
  plural,
  shortOp,
} from '../../src/model/format';
import { badgeText, kindOf } from '../../src/model/layout_kind';
import { readNumber } from '../../src/model/option_values';
import { report } from './fixtures';

test('bytes', () => {
  expect([0, 1023, 1024, 2560, 24 * 1024, 1396448, 22439526, 1024 ** 3 * 1.5].map(formatBytes)).toEqual([
    '0 B',
    '1,023 B',
    '1 KB',
    '2.5 KB',
    '24 KB',
    '1,364 KB',
    '21.4 MB',
    '1.50 GB',
  ]);
});

test('times change the unit without a jump in digits', () => {
  expect(
    [0, 640, 999, 1000, 4200, 9960, 412_000, 999_600, 1_620_000, 45_300_000, 3_100_000_000].map(formatTime),
  ).toEqual([
    '0 ns',
    '640 ns',
    '999 ns',
    '1 µs',
    '4.2 µs',
    '10 µs',
    '412 µs',
    '1.00 ms',
    '1.62 ms',
    '45.3 ms',
    '3.1 s',
  ]);
});

test('small ones', () => {
  expect([0.2, 11.4, 2300].map(formatDuration)).toEqual(['<1 ms', '11 ms', '2.3 s']);
  expect([formatPercent(1, 3), formatPercent(1, 1000), formatPercent(0, 5), formatPercent(1, 0)]).toEqual([
    '33 %',
    '<1 %',
    '0 %',
    '–',
  ]);
  expect(formatShape('1x56x56x64')).toBe('1×56×56×64');
  expect(formatAddress(102688)).toBe('0x19120');
  expect([shortOp('ttir.conv2d'), shortOp('return')]).toEqual(['conv2d', 'return']);
  expect([plural(1, 'op'), plural(1500, 'op')]).toEqual(['1 op', '1,500 ops']);
});

test('badges', () => {
  const layouts = report({ blocks: 2 }).run!.values.map((value) => value.layout!);
  expect(new Set(layouts.map(badgeText))).toEqual(new Set(['DRAM', 'HS 64×1', 'BS 8×8', 'IL', 'WS 1×32']));
  expect(kindOf(null)).toBe('none');
  expect(badgeText(null)).toBe('–');
});

test('option fields give a number in range or nothing', () => {
  const info = {
    id: 'x',
    title: '',
    help: '',
    type: 'integer' as const,
    default: 8,
    min: 1,
    max: 64,
    step: 1,
    choices: [],
    policies: [],
    workload: false,
    draft: null,
  };
  expect([
    readNumber(info, '7.6'),
    readNumber(info, '9999'),
    readNumber(info, '-3'),
    readNumber(info, ''),
    readNumber(info, 'x'),
    readNumber(info, 'Infinity'),
  ]).toEqual([8, 64, 1, null, null, null]);
  expect(readNumber({ ...info, type: 'number', min: 0.1, max: 1 }, '0.95')).toBe(0.95);
});

test('times within a text are written as everywhere', () => {
  expect(withTimes('costs the net 12617 ns')).toBe('costs the net 13 µs');
  expect(withTimes('at least 900 ns more, 4112 ns here')).toBe('at least 900 ns more, 4.1 µs here');
  expect(withTimes('needs 12 nsx')).toBe('needs 12 nsx');
});
