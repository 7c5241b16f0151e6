// Which buffers of the L1 map end because their tensor leaves L1, and which op runs right after. Pure.

import type { Run } from '../model/report';
import { isInserted } from './names';

export interface SpillMark {
  readonly row: number; // of the move out of L1
  readonly returned: boolean; // it leaves because the function returns it
  readonly next: number; // row of the op that comes next; -1: none
}

const known = new WeakMap<Run, ReadonlyMap<number, SpillMark>>();

// By value that leaves L1.
export function spillMarks(run: Run): ReadonlyMap<number, SpillMark> {
  const before = known.get(run);
  if (before !== undefined) return before;
  const marks = new Map<number, SpillMark>();
  let next = -1;
  for (let row = run.rows.length - 1; row >= 0; row--) {
    const { kind, operands } = run.rows[row]!;
    const leaves = kind === 'spill' || kind === 'return';
    if (leaves && operands[0] !== undefined) marks.set(operands[0], { row, returned: kind === 'return', next });
    else if (!isInserted(run.rows[row]!)) next = kind === 'terminator' ? -1 : row;
  }
  known.set(run, marks);
  return marks;
}

// Of a buffer: of its value or of one that shares it.
export function spillMark(
  run: Run,
  buffer: { readonly value: number; readonly sharedBy: readonly number[] },
): SpillMark | null {
  const marks = spillMarks(run);
  for (const value of [buffer.value, ...buffer.sharedBy]) {
    const mark = marks.get(value);
    if (mark !== undefined) return mark;
  }
  return null;
}
