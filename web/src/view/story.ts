// Why a result lives where it lives, in sentences with figures, from what the run did. Pure.

import { formatBytes, formatPercent, formatTime, plural, withTimes } from '../model/format';
import { kSpillDoc, refusalDoc } from '../model/doc_links';
import { kindInfo, kindOf } from '../model/layout_kind';
import { moveKind, moveText } from '../model/moves';
import type { Candidate, Decision, Row, Run } from '../model/report';
import { isInserted, valueTitle } from './names';
import { roomCause, roomElsewhere } from './room_story';
import { spillMarks } from './spill_marks';
import { link, madeAt, rule, type Piece, type Sentence } from './story_pieces';

const kMostNamed = 4;

export function storyOf(run: Run, at: number, decisions: readonly Decision[]): Sentence[] {
  const row = run.rows[at]!;
  if (row.kind === 'terminator') return [['What the function returns.']];
  if (isInserted(row)) return moveStory(run, at);
  return [
    ...placeStory(run, row, decisions),
    ...roomElsewhere(run, at, row),
    ...roomStory(run, at),
    ...leavingStory(run, row),
    ...timeStory(run, row),
  ];
}

// The same as one text.
export function plainStory(run: Run, at: number, decisions: readonly Decision[]): string {
  return storyOf(run, at, decisions)
    .map((sentence) => sentence.map(plainPiece).join(''))
    .join(' ');
}

function plainPiece(piece: Piece): string {
  return typeof piece === 'string' ? piece : 'row' in piece ? piece.text : '';
}

// The first row from there on that is no move.
function nextOp(run: Run, from: number): number {
  for (let at = from; at < run.rows.length; at++) if (!isInserted(run.rows[at]!)) return at;
  return -1;
}

// Of a tensor that row `after` moves out: where it, or what it was moved into, is read next.
function nextRead(run: Run, value: number, after: number): number {
  const seen = [value];
  let best = -1;
  for (let hop = 0; hop < 4; hop++) {
    const uses = seen.flatMap((one) => run.values[one]?.uses ?? []).filter((use) => use >= after);
    for (const use of uses) {
      const user = run.rows[use]!;
      if (isInserted(user)) seen.push(...user.results);
      else if (user.kind === 'op' && (best < 0 || use < best)) best = use;
    }
  }
  return best;
}

function readLater(run: Run, value: number, after: number): Piece[] {
  const read = nextRead(run, value, after);
  if (read < 0) return ['not read by another op after it'];
  return [`read next ${plural(read - after, 'step')} later, by `, link(run, read)];
}

function needText(row: Row): string {
  const { circularBuffers, tensors } = row.constraints;
  const parts = [
    ...(circularBuffers > 0 ? [`${formatBytes(circularBuffers)} of circular buffers`] : []),
    ...(tensors > 0 ? [`${formatBytes(tensors)} for what it makes`] : []),
  ];
  return parts.join(' and ');
}

// What L1 would hold at that op's step with a tensor that has left before it; with less than the budget, the policy
// counted more than the sum: holes between tensors, reserves, later steps.
function withTensor(run: Run, next: number, value: number): { readonly sum: number; readonly over: boolean } {
  const sum = (run.rows[next]?.l1.peak ?? 0) + (run.values[value]?.layout?.bytesPerCore ?? 0);
  return { sum, over: sum > run.l1Budget };
}

// Why the tensor could not stay: by the policy's own count; of a plan from outside, which tells no figures, by the sum.
function fullStory(run: Run, at: number, next: number, value: number): Sentence {
  const { room } = run.rows[at]!;
  if (room !== undefined) return roomCause(run, at, room);
  if (next < 0) return ['The plan makes room here and says nothing of what needs it.'];
  const need = needText(run.rows[next]!);
  const needs = ` needs ${need === '' ? 'room in L1' : `${need} per core`} at its step`;
  const { sum, over } = withTensor(run, next, value);
  const part = `${formatBytes(sum)} of ${formatBytes(run.l1Budget)}`;
  return over
    ? [link(run, next), `${needs}, and L1 is full: with this tensor it would hold ${part}.`]
    : [
        'The plan makes room here without saying for what. ',
        link(run, next),
        ` comes next and${needs}; both fit: ${part}.`,
      ];
}

function moveStory(run: Run, at: number): Sentence[] {
  const row = run.rows[at]!;
  const value = row.operands[0] ?? -1;
  const bytes = run.values[value]?.layout?.bytesPerCore ?? 0;
  const cost: Sentence = [
    `The move takes ${formatTime(row.time.total)}, ${formatPercent(row.time.total, run.totals.time)} of all.`,
  ];
  if (moveKind(row) !== 'spill') return [[moveText(row)], ...roomElsewhere(run, at, row), cost];
  const next = nextOp(run, at + 1);
  return [
    fullStory(run, at, next, value),
    [
      `${valueTitle(run, value)} (${madeAt(run, value)}${formatBytes(bytes)} per core, `,
      ...readLater(run, value, at),
      ') leaves L1 for DRAM.',
    ],
    cost,
  ];
}

// Tensors that left right before the op, to make room for it.
function roomStory(run: Run, at: number): Sentence[] {
  const left: number[] = [];
  for (let before = at - 1; before >= 0 && isInserted(run.rows[before]!); before--)
    if (moveKind(run.rows[before]!) === 'spill') left.unshift(before);
  if (left.length === 0) return [];
  // The first that left tells how full it was before; those that wait for a later step say so at their own rows.
  const first = left.map((row) => run.rows[row]!.room).find((room) => room?.row === at);
  const need = needText(run.rows[at]!);
  const needs = `${need === '' ? 'It needs room in L1' : `It needs ${need} per core`}.`;
  const begin: Piece[] = [...(first === undefined ? [needs] : roomCause(run, at, first)), ' To make room, '];
  const named = left.slice(0, kMostNamed).flatMap((row, index): Piece[] => {
    const value = run.rows[row]!.operands[0] ?? -1;
    const bytes = run.values[value]?.layout?.bytesPerCore ?? 0;
    return [
      index === 0 ? '' : ', ',
      { row, text: valueTitle(run, value) },
      ` (${madeAt(run, value)}${formatBytes(bytes)}, `,
      ...readLater(run, value, row),
      ')',
    ];
  });
  const more = left.length > kMostNamed ? ` and ${left.length - kMostNamed} more` : '';
  return [[...begin, ...named, `${more} left L1.`, ...(first === undefined ? rule(kSpillDoc) : [])]];
}

function leavingStory(run: Run, row: Row): Sentence[] {
  return row.results.flatMap((value): Sentence[] => {
    const mark = spillMarks(run).get(value);
    if (mark === undefined || mark.kind === 'return') return [];
    const when: Piece = { row: mark.row, text: `step ${mark.row}` };
    if (mark.kind === 'demotion')
      return [['Its result leaves L1 at ', when, ': its chain ends there, or a reader wants it in DRAM.']];
    const bytes = formatBytes(run.values[value]?.layout?.bytesPerCore ?? 0);
    return [
      [
        ...['Its result left L1 at ', when, ': '],
        ...fullStory(run, mark.row, mark.next, value),
        ` The result takes ${bytes} and is `,
        ...readLater(run, value, mark.row),
        '.',
      ],
    ];
  });
}

function placeStory(run: Run, row: Row, decisions: readonly Decision[]): Sentence[] {
  const value = run.values[row.results[0] ?? -1];
  if (value === undefined) return [['The op has no result.']];
  const { layout } = value;
  const kind = kindOf(layout);
  const where =
    layout === null || kind === 'none'
      ? 'Its result has no place of its own.'
      : kind === 'dram' || kind === 'system'
        ? `Its result lives in ${kindInfo(kind).title}.`
        : `Its result lives in L1, ${kind === 'interleaved' ? 'interleaved' : kindInfo(kind).title} over ` +
          `${plural(layout.grid[0]! * layout.grid[1]!, 'core')}, ${formatBytes(layout.bytesPerCore)} on each.`;
  const decision = decisions[0];
  if (decision === undefined) return [[where], ['The policy took no decision about it.']];
  return [[where], [withTimes(decision.summary)], ...refusedStory(decision.candidates)];
}

// Refused candidates by reason, those that fail for want of memory with the nearest miss.
function refusedStory(candidates: readonly Candidate[]): Sentence[] {
  const refused = candidates.filter(({ status }) => status === 'rejected');
  if (refused.length === 0) return [];
  const tooLarge = refused.filter(({ needed, available }) => needed > available && available > 0);
  const story: Sentence[] = [];
  if (tooLarge.length > 0) {
    const nearest = tooLarge.reduce((best, one) => (one.needed < best.needed ? one : best));
    story.push([
      `${plural(tooLarge.length, 'layout')} in L1 ${tooLarge.length === 1 ? 'does' : 'do'} not fit: ` +
        `the smallest need is ${formatBytes(nearest.needed)} per core, ` +
        `${formatBytes(nearest.needed - nearest.available)} more than the ` +
        `${formatBytes(nearest.available)} that are allowed.`,
      ...rule(refusalDoc(nearest.reason)),
    ]);
  }
  const reasons = new Map<string, { readonly reason: string; readonly count: number }>();
  for (const { needed, reason, text } of refused)
    if (needed === 0 && text !== '') reasons.set(text, { reason, count: (reasons.get(text)?.count ?? 0) + 1 });
  for (const [text, { reason, count }] of [...reasons].sort((a, b) => b[1].count - a[1].count).slice(0, 2))
    story.push([
      `${plural(count, 'layout')} ${count === 1 ? 'was' : 'were'} refused: the op ${refusal(text)}.`,
      ...rule(refusalDoc(reason)),
    ]);
  return story;
}

// Most reasons say what the op does; the others say what must be.
function refusal(text: string): string {
  return /^(reads|writes|does|cannot|needs|finds) /.test(text) ? text : `cannot run so: ${text}`;
}

const kBounds = { compute: 'computing', dram: 'DRAM', noc: 'the network between cores', fixed: 'its launch' } as const;

function timeStory(run: Run, row: Row): Sentence[] {
  if (row.time.total <= 0) return [];
  const bound = row.bound === 'none' ? '' : `, most of it for ${kBounds[row.bound]}`;
  return [
    [`It takes ${formatTime(row.time.total)}, ${formatPercent(row.time.total, run.totals.time)} of all${bound}.`],
  ];
}
