// The time bar of a row. Fixed cost comes first. Compute, DRAM and NoC run beside each other when the engine lets them
// overlap (total < sum): the longest is the bar, the others are strips under it. Otherwise they follow each other.
// Pure.

import type { Row } from '../model/report';

export type TimePart = 'fixed' | 'compute' | 'dram' | 'noc';

export interface TimeSegment {
  readonly part: TimePart;
  readonly x: number; // 0..1 of the bar's full scale
  readonly width: number;
  readonly strip: number; // -1: the bar itself; 0, 1: a strip under it, beside what takes longer
}

export const kTimeParts: readonly { part: TimePart; title: string }[] = [
  { part: 'compute', title: 'compute' },
  { part: 'dram', title: 'DRAM' },
  { part: 'noc', title: 'NoC' },
  { part: 'fixed', title: 'fixed' },
];

export function timeSegments(time: Row['time'], scale: number): TimeSegment[] {
  if (scale <= 0 || time.total <= 0) return [];
  const sum = time.fixed + time.compute + time.dram + time.noc;
  const overlapped = sum > time.total * 1.02;
  const segments: TimeSegment[] = [];
  const add = (part: TimePart, at: number, strip: number): void => {
    if (time[part] > 0) segments.push({ part, x: at / scale, width: time[part] / scale, strip });
  };
  add('fixed', 0, -1);
  let at = time.fixed;
  const parts: TimePart[] = ['compute', 'dram', 'noc'];
  if (overlapped) {
    parts.sort((a, b) => time[b] - time[a]);
    parts.forEach((part, rank) => add(part, at, rank - 1));
  } else {
    for (const part of parts) {
      add(part, at, -1);
      at += time[part];
    }
  }
  return segments;
}

// Full scale of the bars. A single huge op would flatten all others, so the scale ends at one and a half times
// the 95th percentile; longer bars are cut and marked.
export function timeScale(rows: readonly Row[]): number {
  const times = rows
    .map((row) => row.time.total)
    .filter((time) => time > 0)
    .sort((a, b) => a - b);
  if (times.length === 0) return 0;
  const most = times[times.length - 1]!;
  const high = times[Math.min(times.length - 1, Math.floor(times.length * 0.95))]!;
  return Math.min(most, high * 1.5);
}
