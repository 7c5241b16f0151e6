// Why room in L1 decided, by the count of the policy that decided it: sentences from the report's `room`. Pure.

import { formatBytes } from '../model/format';
import { kSpillDoc, policyDoc, refusalDoc } from '../model/doc_links';
import type { Room, Row, Run } from '../model/report';
import { link, rule, type Piece, type Sentence } from './story_pieces';

// What tensors held of what there is.
const taken = (run: Run, { occupied }: Room, of = run.l1Budget): string =>
  `${formatBytes(occupied)} of ${formatBytes(of)} were taken`;

// What the op that found no room lacked; after the op.
function lack(run: Run, room: Room): string {
  const needed = formatBytes(room.needed);
  const available = formatBytes(Math.max(room.available, 0));
  switch (room.reason) {
    case 'NoHole':
      return ` needed ${needed} per core in one piece; ${taken(run, room)}, and the largest hole had ${available}.`;
    case 'CircularBufferClash':
      return (
        ` needed ${needed} per core in one piece for circular buffers, below all tensors, where ${available} were ` +
        `free; ${taken(run, room)}.`
      );
    case 'OutOfL1':
      // The sum counts the result, circular buffers, and copies of operands.
      return (
        ` needed ${formatBytes(room.needed - room.occupied)} per core in all; ${taken(run, room, room.available)}, ` +
        `${formatBytes(room.needed - room.available)} too many.`
      );
    case 'UnknownOp':
      return ' is an op of which nothing is known, so everything leaves L1 before it.';
    default:
      return ` could not run as planned: it ${room.text}.`;
  }
}

// Where the rule by which the policy decided is written.
const decidedBy = (run: Run): Piece[] => [
  ' ',
  {
    doc: run.exact === undefined && run.chainSummary === undefined ? kSpillDoc : policyDoc(run),
    text: 'Policy',
  },
];

// The cause with the policy's figures; `at` is the row that asks, which is not named twice.
export function roomCause(run: Run, at: number, room: Room): Sentence {
  if (room.rule === 'search')
    return [
      'The policy searched over all steps at once, and by its prices L1 is worth more to others here.',
      ...decidedBy(run),
    ];
  if (room.rule === 'prices')
    return [
      'At the prices of L1 that Exact found for every step, its room is worth more than the move.',
      ...decidedBy(run),
    ];
  const who: Piece = room.row === at ? 'It' : room.row >= 0 ? link(run, room.row) : 'A later op';
  return [
    who,
    lack(run, room),
    ...rule(room.reason === 'None' ? kSpillDoc : refusalDoc(room.reason)),
    ...decidedBy(run),
  ];
}

// Of an op whose result lies elsewhere than it was wanted; of a move back into L1.
export function roomElsewhere(run: Run, at: number, row: Row): Sentence[] {
  if (row.room === undefined) return [];
  const begin: Piece =
    row.kind === 'op'
      ? 'Another place in L1 was planned for its result. '
      : 'It had left L1, and there is room again. ';
  return [[begin, ...roomCause(run, at, row.room)]];
}
