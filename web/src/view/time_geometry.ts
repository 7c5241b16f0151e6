// The time bar of a row. Fixed cost comes first; then compute, DRAM and NoC run beside each other when the engine lets
// them overlap (total < sum), or one after the other when it does not. Pure.

import type { Row } from '../model/report';

export type TimePart = 'fixed' | 'compute' | 'dram' | 'noc';

export interface TimeSegment {
  readonly part: TimePart;
  readonly x: number; // 0..1 of the bar's full scale
  readonly width: number;
  readonly track: number; // 0..2 when parts overlap, -1 = the full height
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
  let at = 0;
  const add = (part: TimePart, track: number): void => {
    if (time[part] <= 0) return;
    segments.push({ part, x: at / scale, width: time[part] / scale, track });
  };
  add('fixed', -1);
  at = time.fixed;
  (['compute', 'dram', 'noc'] as const).forEach((part, track) => {
    add(part, overlapped ? track : -1);
    if (!overlapped) at += time[part];
  });
  return segments;
}

// Full scale of the bars. A single huge op would flatten all others, so the scale ends at three times the 95th
// percentile; longer bars are cut and marked.
export function timeScale(rows: readonly Row[]): number {
  const times = rows.map((row) => row.time.total).filter((time) => time > 0).sort((a, b) => a - b);
  if (times.length === 0) return 0;
  const most = times[times.length - 1]!;
  const high = times[Math.min(times.length - 1, Math.floor(times.length * 0.95))]!;
  return Math.min(most, high * 3);
}
