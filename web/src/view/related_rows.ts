// The rows around one: those that make what it reads, and those that read what it makes. Pure.

import type { Run } from '../model/report';

export interface RelatedRows {
  readonly operandRows: ReadonlySet<number>;
  readonly consumerRows: ReadonlySet<number>;
}

export function relatedRows(run: Run | null, selected: number): RelatedRows {
  const row = run?.rows[selected];
  const producers = (row?.operands ?? []).map((value) => run!.values[value]?.producer ?? -1);
  return {
    operandRows: new Set(producers.filter((at) => at >= 0)),
    consumerRows: new Set((row?.results ?? []).flatMap((value) => run!.values[value]?.uses ?? [])),
  };
}
