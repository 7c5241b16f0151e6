// What sentences about a run are made of. Pure.

import type { Run } from '../model/report';
import { isInserted, kindWord, rowTitle } from './names';

// A name leads to its row, a rule to its place in the documents beside the page.
export type Piece =
  string | { readonly row: number; readonly text: string } | { readonly doc: string; readonly text: string };
export type Sentence = readonly Piece[];

export const rule = (doc: string): Piece[] => [' ', { doc, text: 'Rule' }];

const counted = new WeakMap<Run, ReadonlyMap<string, number>>();

// Ops by what they are called: one place in a model is often several ops.
function namesakes(run: Run): ReadonlyMap<string, number> {
  const known = counted.get(run);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const row of run.rows) {
    if (isInserted(row)) continue;
    const title = rowTitle(run, row);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  counted.set(run, counts);
  return counts;
}

const isShared = (run: Run, at: number): boolean => (namesakes(run).get(rowTitle(run, run.rows[at]!)) ?? 0) > 1;

// By its step as well where its name is not its own.
export function link(run: Run, at: number): Piece {
  const row = run.rows[at]!;
  const title = rowTitle(run, row);
  return { row: at, text: isShared(run, at) ? `${title} (${kindWord(row)}, step ${at})` : title };
}

// Which of those that are called alike made the tensor: "made at step 70, "; '' where its name says that.
export function madeAt(run: Run, value: number): string {
  let at = run.values[value]?.producer ?? -1;
  for (let hop = 0; hop < 16 && at >= 0 && isInserted(run.rows[at]!); hop++)
    at = run.values[run.rows[at]!.operands[0] ?? -1]?.producer ?? -1;
  return at >= 0 && isShared(run, at) ? `made at step ${at}, ` : '';
}
