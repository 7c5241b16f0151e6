// The moves that a plan inserts, each kind with its words. The engine tells from where to where a tensor moves and why
// (core/plan/moves.h); out of L1 it is spilled to make room, and demoted where it leaves for another reason.

import type { Row, Run } from './report';

export type MoveKind = 'spill' | 'demotion' | 'reload' | 'reshard' | 'return';

export interface MoveInfo {
  readonly kind: MoveKind;
  readonly word: string; // what happened to the tensor
  readonly title: string;
  readonly help: string;
}

export const kMoves: readonly MoveInfo[] = [
  {
    kind: 'spill',
    word: 'spilled',
    title: 'Spilled',
    help: 'Moves of a tensor out of L1 into DRAM to make room in L1.',
  },
  {
    kind: 'demotion',
    word: 'demoted',
    title: 'Demoted',
    help:
      'Moves of a tensor out of L1 into DRAM that no lack of room forces: its chain ends, or an op that reads it ' +
      'wants it there.',
  },
  {
    kind: 'reload',
    word: 'reloaded',
    title: 'Reloaded',
    help: 'Moves of a tensor from DRAM into L1.',
  },
  {
    kind: 'reshard',
    word: 'resharded',
    title: 'Resharded',
    help: 'Moves of a tensor into another layout of the same memory.',
  },
  {
    kind: 'return',
    word: 'returned',
    title: 'Returned',
    help: 'Moves of a result from L1 to DRAM because the function returns it there.',
  },
];

type MovedRow = Pick<Row, 'kind' | 'cause'>;

const kByKind: ReadonlyMap<MoveKind, MoveInfo> = new Map(kMoves.map((info) => [info.kind, info]));

// Null for an op of the program.
export function moveKind(row: MovedRow): MoveKind | null {
  if (row.kind === 'op' || row.kind === 'terminator') return null;
  return row.kind === 'spill' && row.cause !== 'memory' ? 'demotion' : row.kind;
}

export function moveInfo(row: MovedRow): MoveInfo | undefined {
  const is = moveKind(row);
  return is === null ? undefined : kByKind.get(is);
}

export function moveInfoOf(kind: MoveKind): MoveInfo {
  return kByKind.get(kind)!;
}

const counts = new WeakMap<Run, ReadonlyMap<MoveKind, number>>();

// How often a run makes that move.
export function moveCount(run: Run, kind: MoveKind): number {
  let known = counts.get(run);
  if (known === undefined) {
    const found = new Map<MoveKind, number>();
    for (const row of run.rows) {
      const is = moveKind(row);
      if (is !== null) found.set(is, (found.get(is) ?? 0) + 1);
    }
    counts.set(run, found);
    known = found;
  }
  return known.get(kind) ?? 0;
}

const kBecause: Readonly<Record<string, string>> = {
  memory: ' to make room in L1.',
  constraint: ' because an op that reads it does not take it as it was.',
  'chain end': ' because its chain of ops in L1 ends here.',
  shared: '; the ops that read it from here on share the copy.',
  operand: ': a copy for the op that reads it next.',
};

const kWhat: Readonly<Record<Exclude<MoveKind, 'return'>, string>> = {
  spill: 'The plan moves the tensor out of L1 into DRAM',
  demotion: 'The plan moves the tensor out of L1 into DRAM',
  reload: 'The plan moves the tensor from DRAM into L1',
  reshard: 'The plan moves the tensor into another layout of the same memory',
};

// One sentence: what the plan does here and why; '' for an op of the program.
export function moveText(row: Row): string {
  const info = moveInfo(row);
  if (info === undefined) return '';
  if (info.kind === 'return') return 'The function returns the tensor in DRAM, so it leaves L1 here.';
  return kWhat[info.kind] + (kBecause[row.cause ?? ''] ?? '.');
}
