// What ops and values are called on the page: the name of their place in the model when there is one, else the SSA name.

import { shortOp } from '../model/format';
import type { Row, Run, ValueInfo } from '../model/report';

export function rowTitle(run: Run, row: Row): string {
  if (row.kind === 'return') return row.label || 'return';
  // What the plan inserted is told by the tensor that it moves.
  if (row.kind !== 'op' && row.operands.length > 0) return valueTitle(run, row.operands[0]!);
  return row.label || row.name || shortOp(row.op);
}

export function valueTitle(run: Run, index: number): string {
  const value = run.values[index];
  return value === undefined ? `value ${index}` : titleOfValue(value);
}

export function titleOfValue(value: ValueInfo): string {
  return value.label || value.name;
}

// What a row that the plan inserted does, in a word.
export function kindWord(row: Row): string {
  switch (row.kind) {
    case 'reshard':
      return 'resharded';
    case 'spill':
      return 'spilled';
    case 'reload':
      return 'reloaded';
    default:
      return shortOp(row.op);
  }
}
