import { expect, test } from 'vitest';

import type { Run } from '../../src/model/report';
import { commonPrefix, nameEnd, rowTitle, valueTitle, shownName } from '../../src/view/names';
import { groupCandidates } from '../../src/why/why_row';
import { report } from './fixtures';

function renamed(rename: (label: string) => string): Run {
  const run = report({ blocks: 3 }).run!;
  return {
    ...run,
    rows: run.rows.map((row) => ({ ...row, label: row.label === '' ? '' : rename(row.label) })),
    values: run.values.map((value) => ({ ...value, label: value.label === '' ? '' : rename(value.label) })),
  };
}

test('what all labels begin with is left out, up to a dot', () => {
  const run = renamed((label) => `encoder.0.${label}`);
  expect(commonPrefix(run)).toBe('encoder.0.');
  expect(rowTitle(run, run.rows[0]!)).toBe('stem.conv');
  expect(commonPrefix(renamed((label) => label))).toBe('');
  expect(commonPrefix(renamed(() => 'all.the.same'))).toBe('all.the.');
  expect(commonPrefix({ ...run, rows: [] })).toBe('');
});

test('a moved tensor keeps its name', () => {
  const run = report({ blocks: 4 }).run!;
  const at = run.rows.findIndex((row) => row.kind === 'reshard');
  const moved = run.rows[at]!;
  expect(valueTitle(run, moved.results[0]!)).toBe(valueTitle(run, moved.operands[0]!));
  expect(rowTitle(run, moved)).toBe(valueTitle(run, moved.operands[0]!));
  expect(valueTitle(run, 1e9)).toBe('value 1000000000');
});

test('a moved tensor that is its own origin does not hang', () => {
  const run = report({ blocks: 4 }).run!;
  const at = run.rows.findIndex((row) => row.kind === 'reshard');
  const rows = run.rows.map((row, index) => (index === at ? { ...row, operands: row.results } : row));
  expect(typeof valueTitle({ ...run, rows }, run.rows[at]!.results[0]!)).toBe('string');
});

test('candidates with one verdict stand together, the chosen first', () => {
  const { candidates } = report({ blocks: 1 }).run!.decisions[0]!;
  const [chosen, worse, rejected] = [candidates[0]!, candidates[1]!, candidates[2]!];
  const groups = groupCandidates([
    rejected,
    worse,
    { ...rejected, needed: rejected.needed + 4096, text: 'other figures' },
    chosen,
    worse,
  ]);
  expect(groups.map((group) => [group[0]!.status, group.length])).toEqual([
    ['chosen', 1],
    ['worse', 2],
    ['rejected', 2],
  ]);
});

test('a name of a file turns nothing around it, and has an end', () => {
  expect(shownName('encoder.3.relu')).toBe('encoder.3.relu');
  expect(shownName('a\u202egpj.exe')).toBe('\u2068a·gpj.exe\u2069');
  expect(shownName('שלום')).toBe('\u2068שלום\u2069');
  expect(shownName('x'.repeat(100_000)).length).toBeLessThan(200);
});

test('a name in little room keeps the end that tells it from its neighbours', () => {
  expect(nameEnd('attention.key.heads', 11)).toBe('…key.heads');
  expect(nameEnd('attention.key.heads', 19)).toBe('attention.key.heads');
  expect(nameEnd('attention.a_long_component', 8)).toBe('…mponent');
  expect(nameEnd('%1154_without_dots', 8)).toBe('%1154_without_dots');
  for (let room = 4; room < 24; room++) expect(nameEnd('stage1.m0.cv1.silu.x', room).length).toBeLessThanOrEqual(room);
});
