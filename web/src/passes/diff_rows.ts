// Two texts as rows of a side-by-side view, with the unchanged stretches between changes left out.

import { diffArrays } from 'diff';

import { alignedLines } from './aligned_lines';
import { unfoldedLines, type Line } from './unfolded_lines';

export type DiffRow =
  | {
      readonly kind: 'same' | 'changed';
      readonly left: string | null;
      readonly right: string | null;
      readonly leftLine: number; // in the text, from 1; 0: none, or it goes on from the row above
      readonly rightLine: number;
    }
  | { readonly kind: 'gap'; readonly lines: number };

interface Part {
  readonly same: boolean; // then both have as many lines
  readonly left: Line[];
  readonly right: Line[];
}

const kContext = 2; // unchanged lines around a change
const kMostEdits = 400; // beyond it two stretches have little in common, and the search would take long

// What lies between two lines that both texts have.
function partsBetween(left: readonly Line[], right: readonly Line[]): Part[] {
  const texts = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);
  const known = new Set(texts(left));
  const found = texts(right).some((text) => known.has(text))
    ? diffArrays(texts(left), texts(right), { maxEditLength: kMostEdits })
    : undefined;
  if (found === undefined) return [{ same: false, left: [...left], right: [...right] }];
  const parts: Part[] = [];
  let [l, r] = [0, 0];
  for (const { added, removed, value } of found) {
    const ofLeft = added ? [] : left.slice(l, (l += value.length));
    const ofRight = removed ? [] : right.slice(r, (r += value.length));
    parts.push({ same: !added && !removed, left: ofLeft, right: ofRight });
  }
  return parts;
}

// Neighbours of one kind are one part: what is taken out and what is put in its place stand side by side.
function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.same === part.same) {
      last.left.push(...part.left);
      last.right.push(...part.right);
    } else out.push({ same: part.same, left: [...part.left], right: [...part.right] });
  }
  return out;
}

function partsOf(left: readonly Line[], right: readonly Line[]): Part[] {
  const parts: Part[] = [];
  let [l, r] = [0, 0];
  const upTo = (leftEnd: number, rightEnd: number): void => {
    if (leftEnd > l || rightEnd > r) parts.push(...partsBetween(left.slice(l, leftEnd), right.slice(r, rightEnd)));
  };
  for (const [at, to] of alignedLines(left, right)) {
    upTo(at, to);
    parts.push({ same: true, left: [left[at]!], right: [right[to]!] });
    [l, r] = [at + 1, to + 1];
  }
  upTo(left.length, right.length);
  return joined(parts);
}

function row(kind: 'same' | 'changed', left: Line | undefined, right: Line | undefined): DiffRow {
  return {
    kind,
    left: left?.text ?? null,
    right: right?.text ?? null,
    leftLine: left?.number ?? 0,
    rightLine: right?.number ?? 0,
  };
}

function rowsOf({ same, left, right }: Part, first: boolean, last: boolean): DiffRow[] {
  const count = Math.max(left.length, right.length);
  const rows = Array.from({ length: count }, (_, at) =>
    row(left[at]?.text === right[at]?.text ? 'same' : 'changed', left[at], right[at]),
  );
  const head = first ? 0 : kContext;
  const tail = last ? 0 : kContext;
  if (!same || count <= head + tail + 1) return rows;
  return [...rows.slice(0, head), { kind: 'gap', lines: count - head - tail }, ...rows.slice(count - tail)];
}

export function diffRows(before: string, after: string): DiffRow[] {
  const parts = partsOf(unfoldedLines(before), unfoldedLines(after));
  return parts.flatMap((part, at) => rowsOf(part, at === 0, at === parts.length - 1));
}
