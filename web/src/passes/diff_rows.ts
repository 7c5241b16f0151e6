// Two texts as rows of a side-by-side view, with the unchanged stretches between changes left out.

import { diffLines } from 'diff';

export type DiffRow =
  | {
      readonly kind: 'same' | 'changed';
      readonly left: string | null;
      readonly right: string | null;
      readonly leftLine: number;
      readonly rightLine: number;
    }
  | { readonly kind: 'gap'; readonly lines: number };

const kContext = 2; // unchanged lines around a change
const kMostEdits = 1500; // beyond it the texts have little in common, and the search would take long

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function diffRows(before: string, after: string): DiffRow[] {
  const parts = diffLines(before, after, { maxEditLength: kMostEdits }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let left = 1;
  let right = 1;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    const lines = linesOf(part.value);
    if (!part.added && !part.removed) {
      rows.push(...withoutMiddle(lines, left, right, at > 0, at < parts.length - 1));
      left += lines.length;
      right += lines.length;
      continue;
    }
    const next = parts[at + 1];
    const paired = part.removed && next?.added === true;
    const removed = part.removed ? lines : [];
    const added = part.added ? lines : paired ? linesOf(next.value) : [];
    for (let line = 0; line < Math.max(removed.length, added.length); line++) {
      rows.push({
        kind: 'changed',
        left: removed[line] ?? null,
        right: added[line] ?? null,
        leftLine: line < removed.length ? left + line : 0,
        rightLine: line < added.length ? right + line : 0,
      });
    }
    left += removed.length;
    right += added.length;
    if (paired) at++;
  }
  return rows;
}

function withoutMiddle(
  lines: readonly string[],
  left: number,
  right: number,
  afterChange: boolean,
  beforeChange: boolean,
): DiffRow[] {
  const head = afterChange ? kContext : 0;
  const tail = beforeChange ? kContext : 0;
  const row = (line: number): DiffRow => ({
    kind: 'same',
    left: lines[line]!,
    right: lines[line]!,
    leftLine: left + line,
    rightLine: right + line,
  });
  const indices = lines.map((_, line) => line);
  if (lines.length <= head + tail + 1) return indices.map(row);
  return [
    ...indices.slice(0, head).map(row),
    { kind: 'gap', lines: lines.length - head - tail },
    ...indices.slice(lines.length - tail).map(row),
  ];
}
