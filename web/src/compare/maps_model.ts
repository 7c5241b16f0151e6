// Two L1 maps in one scale, and which rows of two runs stand for the same op. Pure.

import type { DeviceInfo, Run } from '../model/report';
import { buildMap, type Axis, type Cut, type MapPicture } from '../view/map_geometry';

const kLeastCut = 0.2; // share of L1 that both must leave free

// Both pictures with the same addresses at the same places.
export function inOneScale(pictures: readonly MapPicture[]): MapPicture[] {
  const axis = commonAxis(pictures);
  return pictures.map((picture) => ({ ...picture, ...axis }));
}

function commonAxis(pictures: readonly MapPicture[]): Axis {
  const base = Math.min(...pictures.map((picture) => picture.base));
  const end = Math.max(...pictures.map((picture) => picture.end));
  return { base, end, cut: commonCut(pictures, base, end) };
}

// What all leave unused: L1 above the end of a smaller chip is unused by none of its steps.
function commonCut(pictures: readonly MapPicture[], base: number, end: number): Cut | null {
  let common: Cut | null = null;
  for (const { unused } of pictures) {
    if (unused === null) return null;
    if (common === null) common = unused;
    else {
      const from: number = Math.max(common.from, unused.from);
      const to: number = Math.min(common.to, unused.to);
      common = { from, to, steps: common.steps + unused.steps, width: Math.max(common.width, unused.width) };
    }
  }
  return common === null || common.to - common.from < kLeastCut * (end - base) ? null : common;
}

export function mapOf(run: Run, device: DeviceInfo): MapPicture {
  return buildMap(run, device);
}

const rows = new WeakMap<Run, ReadonlyMap<string, number>>();

// Rows of a run's ops by the name of their result.
function rowsByName(run: Run): ReadonlyMap<string, number> {
  let found = rows.get(run);
  if (found === undefined) {
    const made = new Map<string, number>();
    run.rows.forEach(({ kind, name }, at) => kind === 'op' && name !== '' && made.set(name, at));
    rows.set(run, (found = made));
  }
  return found;
}

export function rowNamed(run: Run, name: string): number {
  return rowsByName(run).get(name) ?? -1;
}

// The row of `other` that stands for a row of `run`: of the same op, or as far below the nearest op above.
export function sameRow(run: Run, other: Run, row: number): number {
  for (let at = Math.min(row, run.rows.length - 1); at >= 0; at--) {
    const { kind, name } = run.rows[at]!;
    const found = kind === 'op' && name !== '' ? rowNamed(other, name) : -1;
    if (found >= 0) return Math.min(found + row - at, other.rows.length - 1);
  }
  return Math.max(0, Math.min(row, other.rows.length - 1));
}

// Its result lives elsewhere in the other run.
export function livesElsewhere(run: Run, other: Run, row: number): boolean {
  const here = run.rows[row]!;
  const there = other.rows[here.kind === 'op' ? rowNamed(other, here.name) : -1];
  if (there === undefined) return false;
  const text = (of: Run, value: number | undefined): string => of.values[value ?? -1]?.layout?.text ?? '';
  return text(run, here.results[0]) !== text(other, there.results[0]);
}
