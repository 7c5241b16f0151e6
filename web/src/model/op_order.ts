// Single ops that run earlier or later than they do, as far as data flow permits it. Pure.

import type { Change } from './changes';
import { withForced } from './forced';
import { moveKind } from './moves';
import type { Options } from './option_values';
import type { Row, Run } from './report';

export const kOrderOption = 'op-order'; // "%12=%7": %12 runs right before %7
const kMostOrders = 6;

// Ops of a run by their place among the ops; moves that the plan inserts follow them by themselves.
class Flow {
  readonly ops: readonly Row[];
  private readonly reads_: readonly ReadonlySet<number>[]; // places of the ops that make what an op reads

  constructor(private readonly run_: Run) {
    const places = new Map<number, number>();
    const ops: Row[] = [];
    run_.rows.forEach((row, at) => {
      if (row.kind === 'op') places.set(at, ops.push(row) - 1);
    });
    this.ops = ops;
    this.reads_ = ops.map(({ operands }) => new Set(operands.flatMap((value) => places.get(this.maker(value)) ?? [])));
  }

  // The row of the op that made what the value holds; -1: an argument.
  private maker(value: number): number {
    let at = this.run_.values[value]?.producer ?? -1;
    for (let hop = 0; hop < this.run_.rows.length; hop++) {
      const row = this.run_.rows[at];
      if (row === undefined || row.kind === 'op') break;
      at = this.run_.values[row.operands[0] ?? -1]?.producer ?? -1;
    }
    return at;
  }

  readers(op: number): number[] {
    return this.reads_.flatMap((read, at) => (read.has(op) ? [at] : []));
  }

  // The first place at which the op can run: behind what makes its operands.
  earliest(op: number): number {
    return Math.max(-1, ...this.reads_[op]!) + 1;
  }

  // The op can run right before the other.
  permits(op: number, before: number): boolean {
    if (op === before || op + 1 === before) return false; // it does
    if (before < op) return this.earliest(op) <= before;
    const first = this.readers(op)[0] ?? this.ops.length;
    return before <= first;
  }
}

// The ops that took the result's room: those that run right after it was moved out of L1.
function takers(run: Run, flow: Flow, op: number): number[] {
  const result = flow.ops[op]!.results[0];
  return run.rows.flatMap((row, at) => {
    const leaves = moveKind(row) === 'spill' && row.operands[0] === result;
    const next = leaves ? run.rows.slice(at + 1).find(({ kind }) => kind === 'op') : undefined;
    return next === undefined ? [] : [flow.ops.indexOf(next)];
  });
}

// What may shorten the time for which the op's result, or what it reads, has to stay in L1: pairs of places, the first
// op right before the second.
function moves(run: Run, flow: Flow, op: number): [number, number][] {
  const readers = flow.readers(op);
  const last = readers.at(-1) ?? -1;
  return [
    ...(last < 0 ? [] : [[last, flow.earliest(last)] as [number, number]]),
    ...takers(run, flow, op).map((taker): [number, number] => [taker, last + 1]),
    ...(readers[0] === undefined ? [] : [[op, readers[0]] as [number, number]]),
    [op, flow.earliest(op)],
    [op, op - 1],
    [op + 1, op],
  ];
}

// The same for the two ways of saying that two neighbours change places.
function orderKey(moved: number, before: number): string {
  if (moved === before + 1) return `swap ${before}`;
  return moved + 2 === before ? `swap ${moved}` : `${moved} ${before}`;
}

// Other places for the op, its readers and its neighbours; `title` names an op.
export function orderChanges(run: Run, name: string, options: Options, title: (row: Row) => string): Change[] {
  const flow = new Flow(run);
  const op = flow.ops.findIndex((row) => name !== '' && row.name === name);
  if (op < 0) return [];
  const made = new Map<string, Change>();
  for (const [moved, before] of moves(run, flow, op)) {
    const [one, other] = [flow.ops[moved], flow.ops[before]];
    if (one === undefined || other === undefined || one.name === '' || other.name === '') continue;
    if (!flow.permits(moved, before)) continue;
    const key = `${one.name} before ${other.name}`;
    const order = orderKey(moved, before);
    if (made.has(order)) continue;
    made.set(order, {
      ...{ key, title: `Run ${title(one)} right before ${title(other)}`, id: kOrderOption },
      ...{ value: withForced(options[kOrderOption], one.name, other.name), op: name, layout: '' },
    });
  }
  return [...made.values()].slice(0, kMostOrders);
}
