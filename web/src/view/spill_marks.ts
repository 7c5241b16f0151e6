// Which buffers of the L1 map end because their tensor leaves L1, and which op runs right after. Pure.

import { moveKind } from '../model/moves';
import type { Run } from '../model/report';
import { isInserted } from './names';

export interface SpillMark {
  readonly row: number; // of the move out of L1
  readonly kind: 'spill' | 'demotion' | 'return';
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
    const value = run.rows[row]!.operands[0];
    const kind = moveKind(run.rows[row]!);
    const leaves = kind === 'spill' || kind === 'demotion' || kind === 'return';
    if (leaves && value !== undefined) marks.set(value, { row, kind, next });
    else if (!isInserted(run.rows[row]!)) next = run.rows[row]!.kind === 'terminator' ? -1 : row;
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
