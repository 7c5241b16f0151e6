// The moves that a plan inserts, each kind with its words. The engine decides what a move is called
// (core/plan/moves.h).

import type { Row, Totals } from './report';

export type MoveKind = 'spill' | 'reload' | 'reshard' | 'return';

export interface MoveInfo {
  readonly kind: MoveKind;
  readonly word: string; // what happened to the tensor
  readonly title: string;
  readonly help: string;
  readonly count: (totals: Totals) => number;
}

export const kMoves: readonly MoveInfo[] = [
  {
    kind: 'spill',
    word: 'spilled',
    title: 'Spilled',
    help: 'Moves of a tensor out of L1 into DRAM.',
    count: ({ spills }) => spills,
  },
  {
    kind: 'reload',
    word: 'reloaded',
    title: 'Reloaded',
    help: 'Moves of a tensor from DRAM into L1.',
    count: ({ reloads }) => reloads,
  },
  {
    kind: 'reshard',
    word: 'resharded',
    title: 'Resharded',
    help: 'Moves of a tensor into another layout of the same memory.',
    count: ({ reshards }) => reshards,
  },
  {
    kind: 'return',
    word: 'returned',
    title: 'Returned',
    help: 'Moves of a result from L1 to DRAM because the function returns it there.',
    count: ({ returns }) => returns,
  },
];

export function moveInfo(row: Row): MoveInfo | undefined {
  return kMoves.find(({ kind }) => kind === row.kind);
}

const kBecause: Readonly<Record<string, string>> = {
  memory: ' to make room.',
  constraint: ' because an op that reads it does not take it as it was.',
  'chain end': ' because its chain of ops in L1 ends here.',
  shared: '; the ops that read it from here on share the copy.',
  operand: ': a copy for the op that reads it next.',
};

const kWhat: Readonly<Record<Exclude<MoveKind, 'return'>, string>> = {
  spill: 'The plan moves the tensor out of L1 into DRAM',
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
