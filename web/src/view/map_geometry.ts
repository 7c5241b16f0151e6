// The L1 map as numbers: addresses across, rows down. Pure; drawing is in map_draw.ts.

import { kindOf, type LayoutKind } from '../model/layout_kind';
import type { DeviceInfo, Run } from '../model/report';
import { SpanIndex } from './span_index';

export interface MapBox {
  readonly value: number;
  readonly kind: LayoutKind;
  readonly from: number; // row
  readonly to: number; // row, included
  readonly address: number;
  readonly bytes: number;
}

export interface MapPicture {
  readonly base: number; // address at the left edge
  readonly end: number; // address at the right edge
  readonly budgetAt: number; // tensors grow down from the end; beyond this address they are over budget
  readonly boxes: readonly MapBox[];
  readonly index: SpanIndex;
}

export function buildMap(run: Run, device: DeviceInfo): MapPicture {
  const boxes: MapBox[] = [];
  const lastRow = Math.max(0, run.rows.length - 1);
  for (const buffer of run.buffers) {
    if (buffer.space !== 'l1' || buffer.bytes <= 0) continue;
    const kind = kindOf(run.values[buffer.value]?.layout);
    boxes.push({
      value: buffer.value,
      kind: kind === 'dram' || kind === 'none' || kind === 'system' ? 'interleaved' : kind,
      from: Math.max(0, buffer.from),
      to: Math.min(lastRow, buffer.to),
      address: buffer.address,
      bytes: buffer.bytes,
    });
  }
  const index = new SpanIndex(run.rows.length, boxes.length, (box) => [boxes[box]!.from, boxes[box]!.to]);
  const end = Math.max(device.l1Size, device.l1Base + 1);
  return { base: device.l1Base, end, budgetAt: Math.max(device.l1Base, end - run.l1Budget), boxes, index };
}

// Address to pixels from the left edge of a map of that width.
export function mapX(picture: Pick<MapPicture, 'base' | 'end'>, address: number, width: number): number {
  return ((address - picture.base) / (picture.end - picture.base)) * width;
}

export function addressAt(picture: Pick<MapPicture, 'base' | 'end'>, x: number, width: number): number {
  return picture.base + (x / Math.max(1, width)) * (picture.end - picture.base);
}

// The box under a point; of overlapping ones (a clash) the smaller. Thin boxes are given two pixels to each side.
export function boxAt(picture: MapPicture, row: number, x: number, width: number): MapBox | null {
  const slack = (2 / Math.max(1, width)) * (picture.end - picture.base);
  const address = addressAt(picture, x, width);
  let best: MapBox | null = null;
  for (const item of picture.index.touching(row, row)) {
    const box = picture.boxes[item]!;
    if (address < box.address - slack || address > box.address + box.bytes + slack) continue;
    if (best === null || box.bytes < best.bytes) best = box;
  }
  return best;
}

// The buffers alive at a step, largest first.
export function boxesAtStep(picture: MapPicture, row: number): MapBox[] {
  return picture.index
    .touching(row, row)
    .map((item) => picture.boxes[item]!)
    .sort((a, b) => b.bytes - a.bytes || a.address - b.address);
}

// Addresses of the vertical guide lines: round numbers of KB, at most about eight of them.
export function guideAddresses(picture: Pick<MapPicture, 'base' | 'end'>): number[] {
  const span = picture.end - picture.base;
  const step = [64, 128, 256, 512, 1024, 4096].map((kb) => kb * 1024).find((bytes) => span / bytes <= 8) ?? span;
  const lines: number[] = [];
  for (let at = Math.ceil(picture.base / step) * step; at < picture.end; at += step) if (at > picture.base) lines.push(at);
  return lines;
}
