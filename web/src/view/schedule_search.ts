// Search over the rows, and the jumps from one notable row to the next. Pure.

import { badgeText, kindInfo, kindOf, type LayoutKind } from '../model/layout_kind';
import { moveKind } from '../model/moves';
import type { Row, Run } from '../model/report';
import { isInserted, kindWord, rowTitle } from './names';

// One lower-case text per row: what the row shows, and the words for its kind.
export function searchTexts(run: Run): string[] {
  return run.rows.map((row) => {
    const result = run.values[row.results[0] ?? -1];
    const kind = kindOf(result?.layout);
    const parts = [
      row.label || rowTitle(run, row),
      row.name,
      row.op,
      isInserted(row) ? `${moveKind(row)} ${kindWord(row)}` : row.kind,
      row.family,
      row.bound === 'none' ? '' : `${row.bound}-bound`,
      result?.shape ?? '',
      result?.dtype ?? '',
      result === undefined ? '' : `${badgeText(result.layout)} ${kindInfo(kind).title} ${memoryWord(kind)}`,
      row.verdict === null ? '' : `failure ${row.verdict.kind.replace(/_/g, ' ')}`,
    ];
    return parts.join(' ').toLowerCase().replace(/×/g, 'x');
  });
}

// What "in DRAM" of a query stands for: one word, so that it is no two that may stand apart.
function memoryWord(kind: LayoutKind): string {
  return kind === 'none' ? '' : kind === 'dram' ? 'in:dram' : kind === 'system' ? 'in:host' : 'in:l1';
}

const kMemoryPhrase = /\bin +(?=(?:d|dr|dra|dram|l|l1|h|ho|hos|host)(?: |$))/g;

// Rows that hold every word of the query, and lie in the memory that it names ("in DRAM"); nothing for an empty query.
export function findMatches(texts: readonly string[], query: string): number[] {
  const words = query
    .toLowerCase()
    .replace(/×/g, 'x')
    .replace(kMemoryPhrase, 'in:')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const matches: number[] = [];
  texts.forEach((text, row) => {
    if (words.every((word) => text.includes(word))) matches.push(row);
  });
  return matches;
}

export function isNotable(row: Row): boolean {
  return isInserted(row) || row.verdict !== null;
}

// The next (+1) or previous (-1) of `rows` (ascending) from `current`, around the end; -1 when there is none.
export function stepThrough(rows: readonly number[], current: number, direction: 1 | -1): number {
  if (rows.length === 0) return -1;
  if (direction === 1) return rows.find((row) => row > current) ?? rows[0]!;
  return rows.findLast((row) => row < current) ?? rows[rows.length - 1]!;
}
