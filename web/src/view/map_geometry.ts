// The map of a core's L1, or of a DRAM bank, as numbers: addresses across, rows down. Pure; drawing is in map_draw.ts.

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

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

// Addresses that no step uses, or hardly one, are drawn narrow, so that the rest is larger.
export interface Cut extends Stretch {
  readonly steps: number; // that use some of it
  readonly width: number; // CSS pixels that it takes
}

export interface Axis {
  readonly base: number; // address at the left edge
  readonly end: number; // address at the right edge
  readonly cut: Cut | null;
}

export type MapMemory = 'l1' | 'dram';

export interface MapPicture extends Axis {
  readonly memory: MapMemory;
  readonly unused: Cut | null; // what could be cut
  // in L1 tensors grow down from the end (or from L1_SMALL); beyond this address they are over budget
  readonly budgetAt: number;
  readonly boxes: readonly MapBox[];
  readonly index: SpanIndex;
}

const kUnusedWidth = 16; // CSS pixels of a cut that no step uses
const kRareWidth = 44; // and of one that a few use: what they have there can still be seen
const kLeastCut = 0.2; // share of L1 that must be free for a cut
const kRareSteps = [0, 0.02, 0.05, 0.1]; // shares of the steps that may use an address of it
const kWorthIt = 0.75; // of the room that is left
const kRareInAll = 0.16; // and all of it together

const pictures = new WeakMap<Run, Map<string, MapPicture>>();

export function buildMap(
  run: Run,
  device: DeviceInfo,
  whole = true,
  planned = false,
  memory: MapMemory = 'l1',
): MapPicture {
  const known = pictures.get(run) ?? new Map<string, MapPicture>();
  pictures.set(run, known);
  const key = `${device.id} ${memory} ${planned && memory === 'l1'}`;
  let picture = known.get(key);
  if (picture === undefined)
    known.set(key, (picture = memory === 'l1' ? makeMap(run, device, planned) : makeDramMap(run)));
  return { ...picture, cut: whole ? null : picture.unused };
}

function makeMap(run: Run, device: DeviceInfo, planned: boolean): MapPicture {
  const boxes = boxesIn(run, 'l1', planned);
  const end = Math.max(device.l1Size, device.l1Base + 1);
  return {
    memory: 'l1',
    base: device.l1Base,
    end,
    cut: null,
    unused: unusedGap(run, boxes, device.l1Base, end),
    budgetAt: Math.max(device.l1Base, Math.min(end, device.l1Base + device.usableL1) - run.l1Budget),
    boxes,
    index: indexOf(run, boxes),
  };
}

// Of the addresses that the run uses: a bank is a thousand times as large.
function makeDramMap(run: Run): MapPicture {
  const boxes = boxesIn(run, 'dram', false);
  const base = boxes.reduce((least, { address }) => Math.min(least, address), Infinity);
  const end = boxes.reduce((most, { address, bytes }) => Math.max(most, address + bytes), 0);
  const from = Number.isFinite(base) ? base : 0;
  return {
    memory: 'dram',
    base: from,
    end: Math.max(from + 1, end),
    cut: null,
    unused: null,
    budgetAt: from,
    boxes,
    index: indexOf(run, boxes),
  };
}

function indexOf(run: Run, boxes: readonly MapBox[]): SpanIndex {
  return new SpanIndex(run.rows.length, boxes.length, (box) => [boxes[box]!.from, boxes[box]!.to]);
}

function boxesIn(run: Run, memory: MapMemory, planned: boolean): MapBox[] {
  const boxes: MapBox[] = [];
  const lastRow = Math.max(0, run.rows.length - 1);
  const sharedBy = sharers(run);
  for (const [at, buffer] of run.buffers.entries()) {
    if ((buffer.space === 'dram') !== (memory === 'dram') || buffer.bytes <= 0 || buffer.aliasOf >= 0) continue;
    const ahead = planned ? (run.placement?.addresses[at] ?? -1) : -1;
    const kind = kindOf(run.values[buffer.value]?.layout);
    boxes.push({
      value: buffer.value,
      name: buffer.name,
      sharedBy: sharedBy.get(at) ?? [],
      kind: memory === 'dram' ? 'dram' : isInL1(kind) ? kind : 'interleaved',
      from: Math.max(0, buffer.from),
      to: Math.min(lastRow, buffer.to),
      address: ahead >= 0 ? ahead : buffer.address,
      bytes: buffer.bytes,
      runtimeAddress: ahead >= 0 && ahead !== buffer.address ? buffer.address : null,
    });
  }
  return boxes;
}

const isInL1 = (kind: LayoutKind): boolean => kind !== 'dram' && kind !== 'none' && kind !== 'system';

// Values that have no buffer of their own, by the buffer they share.
function sharers(run: Run): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const buffer of run.buffers) {
    if (buffer.aliasOf >= 0) found.set(buffer.aliasOf, [...(found.get(buffer.aliasOf) ?? []), buffer.value]);
  }
  return found;
}

interface Use extends Stretch {
  readonly first: number; // step
  readonly last: number;
}

// The widest stretch between circular buffers and tensors that no step uses, or one that only a few use, with a
// margin; null when it is small.
function unusedGap(run: Run, boxes: readonly MapBox[], base: number, end: number): Cut | null {
  const uses: Use[] = boxes.map((box) => ({
    from: box.address,
    to: box.address + box.bytes,
    first: box.from,
    last: box.to,
  }));
  for (const [at, row] of run.rows.entries())
    for (const { address, bytes } of row.circularBuffers)
      uses.push({ from: address, to: address + bytes, first: at, last: at });
  const edges = edgesOf(uses, base, end);
  let best: Cut | null = null;
  for (const part of kRareSteps) {
    const found = widestBelow(edges, base, end, Math.floor(part * run.rows.length));
    if (found.to - found.from < kLeastCut * (end - base)) continue;
    const steps = stepsWithin(uses, found);
    if (steps > kRareInAll * run.rows.length) continue;
    const margin = 0.06 * (end - base - (found.to - found.from));
    const cut = {
      from: found.from + margin,
      to: found.to - margin,
      steps,
      width: steps === 0 ? kUnusedWidth : kRareWidth,
    };
    // What is used is drawn narrow only where that gives the rest much more room.
    if (best === null || left(cut, base, end) < kWorthIt * left(best, base, end)) best = cut;
  }
  return best;
}

function left({ from, to }: Stretch, base: number, end: number): number {
  return end - base - (to - from);
}

// How many more steps use the addresses from an edge on than those before it; ascending.
function edgesOf(uses: readonly Use[], base: number, end: number): (readonly [address: number, change: number])[] {
  const change = new Map<number, number>([
    [base, 0],
    [end, 0],
  ]);
  for (const { from, to, first, last } of uses) {
    change.set(from, (change.get(from) ?? 0) + last - first + 1);
    change.set(to, (change.get(to) ?? 0) - (last - first + 1));
  }
  return [...change].sort((a, b) => a[0] - b[0]);
}

// The widest stretch whose addresses are used in `most` steps each, at most.
function widestBelow(edges: ReturnType<typeof edgesOf>, base: number, end: number, most: number): Stretch {
  let widest: Stretch = { from: base, to: base };
  let begun = base;
  let steps = 0;
  for (const [at, [, change]] of edges.entries()) {
    steps += change;
    const next = Math.min(end, edges[at + 1]?.[0] ?? end);
    if (steps > most) begun = next;
    else if (next - begun > widest.to - widest.from) widest = { from: begun, to: next };
  }
  return widest;
}

function stepsWithin(uses: readonly Use[], { from, to }: Stretch): number {
  const steps = new Set<number>();
  for (const use of uses)
    if (use.from < to && use.to > from) for (let at = use.first; at <= use.last; at++) steps.add(at);
  return steps.size;
}

// Address to pixels from the left edge of a map of that width.
export function mapX(axis: Axis, address: number, width: number): number {
  const { base, end, cut } = axis;
  if (cut === null) return ((address - base) / (end - base)) * width;
  const scale = (width - cut.width) / (cut.from - base + (end - cut.to));
  if (address <= cut.from) return (address - base) * scale;
  if (address >= cut.to) return width - (end - address) * scale;
  return (cut.from - base) * scale + ((address - cut.from) / (cut.to - cut.from)) * cut.width;
}

export function addressAt(axis: Axis, x: number, width: number): number {
  const { base, end, cut } = axis;
  if (cut === null) return base + (x / Math.max(1, width)) * (end - base);
  const scale = Math.max(1, width - cut.width) / (cut.from - base + (end - cut.to));
  const cutAt = (cut.from - base) * scale;
  if (x <= cutAt) return base + x / scale;
  if (x >= cutAt + cut.width) return end - (width - x) / scale;
  return cut.from + ((x - cutAt) / cut.width) * (cut.to - cut.from);
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

// Circular buffers lie in L1 alone.
export function circularBuffers(run: Run, memory: MapMemory, row: number): readonly CircularBuffer[] {
  return memory === 'l1' ? (run.rows[row]?.circularBuffers ?? []) : [];
}

// The circular buffer under a point; thin ones are given two pixels to each side.
export function circularAt(run: Run, axis: MapPicture, row: number, x: number, width: number): CircularBuffer | null {
  let best: CircularBuffer | null = null;
  for (const buffer of circularBuffers(run, axis.memory, row)) {
    if (x < mapX(axis, buffer.address, width) - 2 || x > mapX(axis, buffer.address + buffer.bytes, width) + 2) continue;
    if (best === null || buffer.bytes < best.bytes) best = buffer;
  }
  return best;
}

// Free stretches at a step, ascending: what neither a tensor nor a circular buffer of that step takes.
export function holesAt(run: Run, picture: MapPicture, row: number): Stretch[] {
  const spans = picture.index
    .touching(row, row)
    .map((item) => [picture.boxes[item]!.address, picture.boxes[item]!.address + picture.boxes[item]!.bytes] as const);
  for (const { address, bytes } of circularBuffers(run, picture.memory, row)) spans.push([address, address + bytes]);
  const holes: Stretch[] = [];
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

const kGuideSteps = [16, 32, 64, 128, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];

// Addresses of the vertical guide lines: round numbers of KB, or of more, at most about eight of them.
export function guideAddresses(axis: Axis): number[] {
  const { base, end, cut } = axis;
  const span = end - base - (cut === null ? 0 : cut.to - cut.from);
  const step = kGuideSteps.map((kb) => kb * 1024).find((bytes) => span / bytes <= 8) ?? span;
  const lines: number[] = [];
  for (let at = Math.ceil(base / step) * step; at < end; at += step) {
    if (at > base && (cut === null || at < cut.from || at > cut.to)) lines.push(at);
  }
  return lines;
}
