// The L1 map as numbers: addresses across, rows down. Pure; drawing is in map_draw.ts.

import { kindOf, type LayoutKind } from '../model/layout_kind';
import type { CircularBuffer, DeviceInfo, Run } from '../model/report';
import { SpanIndex } from './span_index';

export interface MapBox {
  readonly value: number; // -1 for an intermediate
  readonly name: string; // of an intermediate, else ''
  readonly sharedBy: readonly number[]; // values that are views of it, or written into it
  readonly kind: LayoutKind;
  readonly from: number; // row
  readonly to: number; // row, included
  readonly address: number;
  readonly bytes: number;
  readonly runtimeAddress: number | null; // where the runtime puts it, when the picture shows another, planned one
}

// Addresses that nothing uses in the whole run can be cut out of the axis, so that the rest is drawn larger.
export interface Cut {
  readonly from: number;
  readonly to: number;
}

export interface Axis {
  readonly base: number; // address at the left edge
  readonly end: number; // address at the right edge
  readonly cut: Cut | null;
}

export interface MapPicture extends Axis {
  readonly unused: Cut | null; // what could be cut
  // tensors grow down from the end (or from L1_SMALL); beyond this address they are over budget
  readonly budgetAt: number;
  readonly boxes: readonly MapBox[];
  readonly index: SpanIndex;
}

export const kCutWidth = 16; // CSS pixels that a cut takes
const kLeastCut = 0.3; // share of L1 that must be unused for a cut

export function buildMap(run: Run, device: DeviceInfo, whole = true, planned = false): MapPicture {
  const boxes: MapBox[] = [];
  const lastRow = Math.max(0, run.rows.length - 1);
  const sharedBy = sharers(run);
  for (const [at, buffer] of run.buffers.entries()) {
    if (buffer.space === 'dram' || buffer.bytes <= 0 || buffer.aliasOf >= 0) continue;
    const ahead = planned ? (run.placement?.addresses[at] ?? -1) : -1;
    const kind = kindOf(run.values[buffer.value]?.layout);
    boxes.push({
      value: buffer.value,
      name: buffer.name,
      sharedBy: sharedBy.get(at) ?? [],
      kind: kind === 'dram' || kind === 'none' || kind === 'system' ? 'interleaved' : kind,
      from: Math.max(0, buffer.from),
      to: Math.min(lastRow, buffer.to),
      address: ahead >= 0 ? ahead : buffer.address,
      bytes: buffer.bytes,
      runtimeAddress: ahead >= 0 && ahead !== buffer.address ? buffer.address : null,
    });
  }
  const index = new SpanIndex(run.rows.length, boxes.length, (box) => [boxes[box]!.from, boxes[box]!.to]);
  const end = Math.max(device.l1Size, device.l1Base + 1);
  const unused = unusedGap(run, boxes, device.l1Base, end);
  return {
    base: device.l1Base,
    end,
    cut: whole ? null : unused,
    unused,
    budgetAt: Math.max(device.l1Base, Math.min(end, device.l1Base + device.usableL1) - run.l1Budget),
    boxes,
    index,
  };
}

// Values that have no buffer of their own, by the buffer they share.
function sharers(run: Run): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const buffer of run.buffers) {
    if (buffer.aliasOf >= 0) found.set(buffer.aliasOf, [...(found.get(buffer.aliasOf) ?? []), buffer.value]);
  }
  return found;
}

// The widest stretch between circular buffers and tensors that no step uses, with a margin; null when it is small.
function unusedGap(run: Run, boxes: readonly MapBox[], base: number, end: number): Cut | null {
  const spans: [number, number][] = boxes.map((box) => [box.address, box.address + box.bytes]);
  for (const row of run.rows)
    for (const buffer of row.circularBuffers) spans.push([buffer.address, buffer.address + buffer.bytes]);
  spans.sort((a, b) => a[0] - b[0]);
  let reached = base;
  let widest: Cut = { from: base, to: base };
  for (const [from, to] of [...spans, [end, end] as [number, number]]) {
    if (from - reached > widest.to - widest.from) widest = { from: reached, to: from };
    reached = Math.max(reached, to);
  }
  if (widest.to - widest.from < kLeastCut * (end - base)) return null;
  const margin = 0.06 * (end - base - (widest.to - widest.from));
  return { from: widest.from + margin, to: widest.to - margin };
}

// Address to pixels from the left edge of a map of that width.
export function mapX(axis: Axis, address: number, width: number): number {
  const { base, end, cut } = axis;
  if (cut === null) return ((address - base) / (end - base)) * width;
  const scale = (width - kCutWidth) / (cut.from - base + (end - cut.to));
  if (address <= cut.from) return (address - base) * scale;
  if (address >= cut.to) return width - (end - address) * scale;
  return (cut.from - base) * scale + ((address - cut.from) / (cut.to - cut.from)) * kCutWidth;
}

export function addressAt(axis: Axis, x: number, width: number): number {
  const { base, end, cut } = axis;
  if (cut === null) return base + (x / Math.max(1, width)) * (end - base);
  const scale = Math.max(1, width - kCutWidth) / (cut.from - base + (end - cut.to));
  const left = (cut.from - base) * scale;
  if (x <= left) return base + x / scale;
  if (x >= left + kCutWidth) return end - (width - x) / scale;
  return cut.from + ((x - left) / kCutWidth) * (cut.to - cut.from);
}

// The box under a point; of overlapping ones (a clash) the smaller. Thin boxes are given two pixels to each side.
export function boxAt(picture: MapPicture, row: number, x: number, width: number): MapBox | null {
  let best: MapBox | null = null;
  for (const item of picture.index.touching(row, row)) {
    const box = picture.boxes[item]!;
    if (x < mapX(picture, box.address, width) - 2 || x > mapX(picture, box.address + box.bytes, width) + 2) continue;
    if (best === null || box.bytes < best.bytes) best = box;
  }
  return best;
}

// The circular buffer under a point; thin ones are given two pixels to each side.
export function circularAt(run: Run, axis: Axis, row: number, x: number, width: number): CircularBuffer | null {
  let best: CircularBuffer | null = null;
  for (const buffer of run.rows[row]?.circularBuffers ?? []) {
    if (x < mapX(axis, buffer.address, width) - 2 || x > mapX(axis, buffer.address + buffer.bytes, width) + 2) continue;
    if (best === null || buffer.bytes < best.bytes) best = buffer;
  }
  return best;
}

// Free stretches at a step, ascending: what neither a tensor nor a circular buffer of that step takes.
export function holesAt(run: Run, picture: MapPicture, row: number): Cut[] {
  const spans = picture.index
    .touching(row, row)
    .map((item) => [picture.boxes[item]!.address, picture.boxes[item]!.address + picture.boxes[item]!.bytes] as const);
  for (const buffer of run.rows[row]?.circularBuffers ?? [])
    spans.push([buffer.address, buffer.address + buffer.bytes]);
  const holes: Cut[] = [];
  let reached = picture.base;
  for (const [from, to] of [...spans, [picture.end, picture.end] as const].sort((a, b) => a[0] - b[0])) {
    if (from > reached) holes.push({ from: reached, to: from });
    reached = Math.max(reached, to);
  }
  return holes;
}

// The buffers alive at a step, largest first.
export function boxesAtStep(picture: MapPicture, row: number): MapBox[] {
  return picture.index
    .touching(row, row)
    .map((item) => picture.boxes[item]!)
    .sort((a, b) => b.bytes - a.bytes || a.address - b.address);
}

// Addresses of the vertical guide lines: round numbers of KB, at most about eight of them.
export function guideAddresses(axis: Axis): number[] {
  const { base, end, cut } = axis;
  const span = end - base - (cut === null ? 0 : cut.to - cut.from);
  const step =
    [16, 32, 64, 128, 256, 512, 1024, 4096].map((kb) => kb * 1024).find((bytes) => span / bytes <= 8) ?? span;
  const lines: number[] = [];
  for (let at = Math.ceil(base / step) * step; at < end; at += step) {
    if (at > base && (cut === null || at < cut.from || at > cut.to)) lines.push(at);
  }
  return lines;
}
