// Which op of one run is which of another.

import type { Row } from './report';

export type RowName = Pick<Row, 'name' | 'label'>;

// An op, found again after another run: rows move when reshards and spills come and go.
export interface RowKey {
  readonly name: string;
  readonly label: string;
  readonly row: number;
}

// The row with the same label and name, else the same name, else the same label; of several the nearest; -1 when gone.
export function findInRows(rows: readonly RowName[], key: RowKey): number {
  const tests: ((index: number) => boolean)[] = [
    (index) => rows[index]!.name === key.name && rows[index]!.label === key.label,
    (index) => key.name !== '' && rows[index]!.name === key.name,
    (index) => key.label !== '' && rows[index]!.label === key.label,
  ];
  for (const test of tests) {
    let best = -1;
    for (let index = 0; index < rows.length; index++) {
      if (test(index) && (best < 0 || Math.abs(index - key.row) < Math.abs(best - key.row))) best = index;
    }
    if (best >= 0) return best;
  }
  return -1;
}
