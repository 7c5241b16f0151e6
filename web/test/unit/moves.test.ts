import { describe, expect, it } from 'vitest';

import { kMetrics } from '../../src/compare/compare_model';
import { kMoves, moveCount, moveText } from '../../src/model/moves';
import { findMatches, isNotable, searchTexts } from '../../src/view/schedule_search';
import { figuresOf } from '../../src/view/totals';
import { report } from './fixtures';

const made = report({ blocks: 2 }).run!;
const ops = made.rows.flatMap(({ kind }, row) => (kind === 'op' ? [row] : []));
const kinds = new Map(kMoves.map(({ kind }, at) => [ops[at + 1]!, kind]));
const rows = made.rows.map((row, at) => {
  const kind = kinds.get(at);
  if (kind === undefined) return row;
  // A tensor leaves L1 to make room, or for another reason.
  if (kind === 'demotion') return { ...row, kind: 'spill' as const, cause: 'chain end' as const };
  return { ...row, kind, cause: kind === 'spill' ? ('memory' as const) : ('operand' as const) };
});
rows.push({ ...rows[ops[1]!]! }); // a second spill
const run = { ...made, rows };

describe('moves of a plan', () => {
  it('are counted by what they are, in the totals and where runs are compared', () => {
    const counts = kMoves.map(({ kind }) => moveCount(run, kind));
    expect(counts).toEqual([2, 1, 1, 1, 1]);
    expect(kMoves.map(({ kind }) => kMetrics.find(({ id }) => id === kind)!.of(run))).toEqual(counts);
    const figures = figuresOf(run);
    expect(figures.find(({ id }) => id === 'spill')).toMatchObject({ value: '2', note: '+1 demoted' });
    expect(['reload', 'reshard', 'return'].map((kind) => figures.find(({ id }) => id === kind)?.value)).toEqual([
      '1',
      '1',
      '1',
    ]);
  });

  it('are found by their label and are stops of the keys n and p', () => {
    const texts = searchTexts(run);
    for (const [row, kind] of kinds) {
      expect(findMatches(texts, kMoves.find((move) => move.kind === kind)!.word)).toContain(row);
      expect(isNotable(rows[row]!)).toBe(true);
    }
  });

  it('are found by the memory that they lead to, as a phrase', () => {
    const texts = ['relu l1 interleaved in:l1 dram-bound within', 'add dram in:dram'];
    expect(findMatches(texts, 'in DRAM')).toEqual([1]);
    expect(findMatches(texts, 'relu in l')).toEqual([0]);
    expect(findMatches(texts, 'in')).toEqual([0, 1]);
    expect(searchTexts(run).every((text, row) => run.rows[row]!.results.length === 0 || / in:/.test(text))).toBe(true);
  });

  it('are explained by their cause', () => {
    const text = (kind: (typeof rows)[number]['kind'], cause: 'memory' | 'shared' | 'return'): string =>
      moveText({ ...rows[0]!, kind, cause });
    expect(text('spill', 'memory')).toBe('The plan moves the tensor out of L1 into DRAM to make room in L1.');
    expect(text('reload', 'shared')).toMatch(/^The plan moves the tensor from DRAM into L1; .* share the copy\.$/);
    expect(text('return', 'return')).toContain('returns the tensor in DRAM');
    expect(moveText(made.rows[ops[0]!]!)).toBe('');
  });
});
