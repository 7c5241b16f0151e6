import { expect, test } from 'vitest';

import type { Report } from '../../src/model/report';
import { readReport, writeReport, type WireReport } from '../../src/model/wire';
import { toWire } from '../fixtures/fabricate.mjs';
import { report } from './fixtures';

const wireOf = (made: Report): WireReport => toWire(made);

test('references become layouts', () => {
  const made = report({ blocks: 2 });
  expect(JSON.parse(JSON.stringify(readReport(wireOf(made)).run!.values))).toEqual(made.run!.values);
  expect(JSON.parse(JSON.stringify(readReport(wireOf(made)).run!.decisions))).toEqual(made.run!.decisions);
});

test('what an op produced instead of what it was asked becomes a layout; rows without one have none', () => {
  const made = report({ blocks: 1 });
  const elsewhere = made.run!.values[1]!.layout;
  const changed = {
    ...made,
    run: { ...made.run!, rows: made.run!.rows.map((row, at) => (at === 0 ? { ...row, produced: elsewhere } : row)) },
  };
  const read = readReport(wireOf(changed)).run!;
  expect(read.rows[0]!.produced).toEqual(elsewhere);
  expect(read.rows.slice(1).every(({ produced }) => produced === null)).toBe(true);
  expect(JSON.parse(JSON.stringify(read.rows))).toEqual(JSON.parse(JSON.stringify(changed.run.rows)));
});

test('a reference to nowhere is no layout; a candidate without one is left out', () => {
  const wire = wireOf(report({ blocks: 1 }));
  const broken = { ...wire, run: { ...wire.run!, layouts: [] } };
  const read = readReport(broken);
  expect(read.run!.values.every(({ layout }) => layout === null)).toBe(true);
  expect(read.run!.decisions.every(({ candidates }) => candidates.length === 0)).toBe(true);
});

test('an input that could not be read has no run', () => {
  expect(readReport({ ...wireOf(report({ blocks: 1 })), run: null }).run).toBeNull();
  expect(() => readReport({ run: null } as never)).toThrow(TypeError);
});

test('a report is written as it is read', () => {
  const made = report({ blocks: 2 });
  const again = JSON.parse(writeReport(readReport(wireOf(made)))) as WireReport;
  expect(again.run!.values.map(({ layout }) => layout)).toEqual(wireOf(made).run!.values.map(({ layout }) => layout));
  expect(JSON.parse(JSON.stringify(readReport(again)))).toEqual(JSON.parse(JSON.stringify(readReport(wireOf(made)))));
});
