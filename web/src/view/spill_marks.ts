// Which buffers of the L1 map end in a spill, and for whom they made room: the op that runs right after. Pure.

import type { Run } from '../model/report';
import { isInserted } from './names';

export interface SpillMark {
  readonly row: number; // of the spill
  readonly rival: number; // row of the op that comes next; -1: the function returns the value
}

const known = new WeakMap<Run, ReadonlyMap<number, SpillMark>>();

// By value that leaves L1.
export function spillMarks(run: Run): ReadonlyMap<number, SpillMark> {
  const before = known.get(run);
  if (before !== undefined) return before;
  const marks = new Map<number, SpillMark>();
  let rival = -1;
  for (let row = run.rows.length - 1; row >= 0; row--) {
    const { kind, operands } = run.rows[row]!;
    if (kind === 'spill' && operands[0] !== undefined) marks.set(operands[0], { row, rival });
    else if (!isInserted(run.rows[row]!)) rival = kind === 'return' ? -1 : row;
  }
  known.set(run, marks);
  return marks;
}

// Of a buffer: of its value or of one that shares it.
export function spillMark(run: Run, buffer: { readonly value: number; readonly sharedBy: readonly number[] }): SpillMark | null {
  const marks = spillMarks(run);
  for (const value of [buffer.value, ...buffer.sharedBy]) {
    const mark = marks.get(value);
    if (mark !== undefined) return mark;
  }
  return null;
}
