// The whole run in a strip: steps across, in columns that hold one or more of them each. Pure; drawing is in
// minimap_draw.ts.

import { formatBytes, formatPercent, formatTime, plural } from '../model/format';
import { moveInfo, moveKind, type MoveKind } from '../model/moves';
import type { Run } from '../model/report';

export type MinimapMark = MoveKind | 'failure';

// Steps from `from` up to but without `end`.
export interface Steps {
  readonly from: number;
  readonly end: number;
}

// The most of any of its steps.
export interface MinimapColumn extends Steps {
  readonly time: number; // ns
  readonly tensors: number; // bytes per core, of the fullest step
  readonly circular: number;
  readonly mark: MinimapMark | null; // the gravest
}

// What is drawn over what: spills are never hidden.
const kGravest: readonly MinimapMark[] = ['failure', 'spill', 'reload', 'reshard', 'demotion', 'return'];

export function buildColumns(run: Run, { from, end }: Steps, most: number): MinimapColumn[] {
  const steps = Math.max(0, end - from);
  const count = Math.max(0, Math.min(steps, Math.floor(most)));
  return Array.from({ length: count }, (_, at) => {
    const begin = from + Math.floor((at * steps) / count);
    return columnOf(run, begin, from + Math.floor(((at + 1) * steps) / count));
  });
}

function columnOf(run: Run, from: number, end: number): MinimapColumn {
  let [time, tensors, circular] = [0, 0, 0];
  let grave = kGravest.length;
  for (let at = from; at < end; at++) {
    const row = run.rows[at]!;
    time = Math.max(time, row.time.total);
    if (row.l1.tensors + row.l1.circularBuffers > tensors + circular)
      [tensors, circular] = [row.l1.tensors, row.l1.circularBuffers];
    const mark = row.verdict !== null ? 'failure' : moveKind(row);
    if (mark !== null) grave = Math.min(grave, kGravest.indexOf(mark));
  }
  return { from, end, time, tensors, circular, mark: kGravest[grave] ?? null };
}

// Half the steps, or twice as many, around one that stays where it is; within `whole`.
export function zoomed(range: Steps, whole: Steps, around: number, factor: number): Steps {
  const all = whole.end - whole.from;
  const now = Math.max(1, range.end - range.from);
  const count = Math.min(all, Math.max(Math.min(all, kLeastSteps), Math.round(now * factor)));
  const share = Math.min(1, Math.max(0, (around - range.from) / now));
  return within({ from: Math.round(around - share * count), end: Math.round(around - share * count) + count }, whole);
}

const kLeastSteps = 40;

// Moved so that it lies in the whole.
export function within(range: Steps, whole: Steps): Steps {
  const count = Math.min(range.end - range.from, whole.end - whole.from);
  const from = Math.min(whole.end - count, Math.max(whole.from, range.from));
  return { from, end: from + count };
}

// Moved so that it shows these steps, if it does not.
export function following(range: Steps, whole: Steps, seen: Steps): Steps {
  if (seen.from >= range.from && seen.end <= range.end) return range;
  const count = range.end - range.from;
  const from = Math.round((seen.from + seen.end - count) / 2);
  return within({ from, end: from + count }, whole);
}

// "steps 120 to 150: 12 % of the time, L1 up to 1,188 KB per core, 1 spilled"
export function stepsText(run: Run, { from, end }: Steps): string {
  const rows = run.rows.slice(from, end);
  const time = rows.reduce((sum, row) => sum + row.time.total, 0);
  const peak = rows.reduce((most, row) => Math.max(most, row.l1.peak), 0);
  const moves = new Map<string, number>();
  for (const row of rows) {
    const word = row.verdict !== null ? 'not fitting' : moveInfo(row)?.word;
    if (word !== undefined) moves.set(word, (moves.get(word) ?? 0) + 1);
  }
  return [
    rows.length <= 1 ? `step ${from}` : `steps ${from} to ${end - 1} of ${plural(run.rows.length, 'step')}`,
    `${formatTime(time)}, ${formatPercent(time, run.totals.time)} of the time`,
    `L1 up to ${formatBytes(peak)} per core`,
    ...[...moves].map(([word, count]) => `${count} ${word}`),
  ].join(', ');
}
