// What ops and values are called on the page: the name of their place in the model when there is one, else the SSA name.

import { shortOp } from '../model/format';
import type { Row, Run, ValueInfo } from '../model/report';

export function rowTitle(row: Row): string {
  if (row.kind === 'return') return row.label || 'return';
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
      return 'reshard';
    case 'spill':
      return 'spill to DRAM';
    case 'reload':
      return 'reload from DRAM';
    default:
      return shortOp(row.op);
  }
}
