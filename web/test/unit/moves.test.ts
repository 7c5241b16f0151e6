import { describe, expect, it } from 'vitest';

import { kMetrics } from '../../src/compare/compare_model';
import { kMoves, moveText } from '../../src/model/moves';
import { findMatches, isNotable, searchTexts } from '../../src/view/schedule_search';
import { figuresOf } from '../../src/view/totals';
import { report } from './fixtures';

const made = report({ blocks: 2 }).run!;
const ops = made.rows.flatMap(({ kind }, row) => (kind === 'op' ? [row] : []));
const kinds = new Map(kMoves.map(({ kind }, at) => [ops[at + 1]!, kind]));
const rows = made.rows.map((row, at) => {
  const kind = kinds.get(at);
  return kind === undefined ? row : { ...row, kind, cause: 'operand' as const };
});
const run = { ...made, rows, totals: { ...made.totals, spills: 11, reloads: 12, reshards: 13, returns: 14 } };

describe('moves of a plan', () => {
  it('are counted by their label, in the totals and where runs are compared', () => {
    const counts = kMoves.map(({ kind }) => figuresOf(run).find(({ id }) => id === kind)?.value);
    expect(counts).toEqual(['11', '12', '13', '14']);
    expect(kMoves.map(({ kind }) => kMetrics.find(({ id }) => id === kind)!.of(run))).toEqual([11, 12, 13, 14]);
  });

  it('are found by their label and are stops of the keys n and p', () => {
    const texts = searchTexts(run);
    for (const [row, kind] of kinds) {
      expect(findMatches(texts, kMoves.find((move) => move.kind === kind)!.word)).toContain(row);
      expect(isNotable(rows[row]!)).toBe(true);
    }
  });

  it('are explained by their cause', () => {
    const text = (kind: (typeof rows)[number]['kind'], cause: 'memory' | 'shared' | 'return'): string =>
      moveText({ ...rows[0]!, kind, cause });
    expect(text('spill', 'memory')).toBe('The plan moves the tensor out of L1 into DRAM to make room.');
    expect(text('reload', 'shared')).toMatch(/^The plan moves the tensor from DRAM into L1; .* share the copy\.$/);
    expect(text('return', 'return')).toContain('returns the tensor in DRAM');
    expect(moveText(made.rows[ops[0]!]!)).toBe('');
  });
});
