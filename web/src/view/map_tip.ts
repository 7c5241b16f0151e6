// What the page says about what is under the pointer on the L1 map.

import { formatAddress, formatBytes, formatPercent, formatShape } from '../model/format';
import { moveInfoOf } from '../model/moves';
import type { CircularBuffer, MemoryHoles, Run } from '../model/report';
import { keptMark } from './chain_marks';
import { holesAt, type MapBox, type MapPicture } from './map_geometry';
import { spillMark } from './spill_marks';
import { rowTitle, shownName, valueTitle } from './names';

export function boxTitle(run: Run, box: MapBox): string {
  return box.value >= 0 ? valueTitle(run, box.value) : shownName(box.name);
}

export function bufferTip(run: Run, box: MapBox): string {
  const value = run.values[box.value];
  const steps = box.from === box.to ? `step ${box.from}` : `steps ${box.from} to ${box.to}`;
  const place = `${formatAddress(box.address)} to ${formatAddress(box.address + box.bytes)}, alive ${steps}`;
  if (value === undefined) {
    const row = run.rows[box.from];
    return [
      `${box.name} of ${row === undefined ? 'an op' : rowTitle(run, row)}`,
      `made and freed by the op, ${formatBytes(box.bytes)} per core`,
      place,
    ].join('\n');
  }
  const freedBy = run.rows[box.to];
  const freed = freedBy !== undefined && freedBy.freedOperand === box.value;
  const shared = box.sharedBy.map((other) => valueTitle(run, other));
  const mark = keptMark(run, box);
  return [
    `${valueTitle(run, box.value)}  ${formatShape(value.shape)} ${value.dtype}`,
    `${value.layout?.text ?? ''}, ${formatBytes(box.bytes)} per ${box.kind === 'dram' ? 'DRAM bank' : 'core'}`,
    place,
    ...(box.runtimeAddress === null
      ? []
      : [`planned ahead; the runtime's first fit puts it at ${formatAddress(box.runtimeAddress)}`]),
    ...spillLine(run, box),
    ...(mark === null
      ? []
      : [
          mark.kind === 'merged'
            ? `kept in L1 for its reader: chains ${mark.text}`
            : `reserved in L1 up to its last reader, steps ${mark.from} to ${mark.to}`,
        ]),
    ...(freed ? [`freed by ${rowTitle(run, freedBy)} before its result is allocated`] : []),
    ...(shared.length > 0
      ? [`shared by ${shared.slice(0, 4).join(', ')}${shared.length > 4 ? ` and ${shared.length - 4} more` : ''}`]
      : []),
  ].join('\n');
}

function spillLine(run: Run, box: MapBox): string[] {
  const spill = spillMark(run, box);
  if (spill === null) return [];
  if (spill.kind === 'return') return [`moved to DRAM at step ${spill.row}: the function returns it`];
  const next = run.rows[spill.next];
  const before = next === undefined ? '' : `, right before ${rowTitle(run, next)}`;
  return [`${moveInfoOf(spill.kind).word} at step ${spill.row}${before}`];
}

export function circularTip(run: Run, row: number, buffer: CircularBuffer): string {
  const op = run.rows[row];
  return [
    `${buffer.name}${op === undefined ? '' : ` of ${rowTitle(run, op)}`}`,
    `circular buffer, ${formatBytes(buffer.bytes)} per core`,
    `${formatAddress(buffer.address)} to ${formatAddress(buffer.address + buffer.bytes)}, step ${row}`,
  ].join('\n');
}

// What neither a tensor nor a circular buffer takes at a step: the free stretches that the L1 map shows.
export function freeL1(run: Run, picture: MapPicture, row: number): MemoryHoles {
  const sizes = holesAt(run, picture, row).map(({ from, to }) => to - from);
  return { free: sizes.reduce((sum, size) => sum + size, 0), largestHole: Math.max(0, ...sizes) };
}

// "free 1,200 KB in holes up to 800 KB: 33 % fragmented"
export function holesText(holes: MemoryHoles): string {
  if (holes.free <= 0) return 'nothing free';
  if (holes.largestHole >= holes.free) return `free ${formatBytes(holes.free)} in one piece`;
  return (
    `free ${formatBytes(holes.free)} in holes up to ${formatBytes(holes.largestHole)}: ` +
    `${formatPercent(holes.free - holes.largestHole, holes.free)} fragmented`
  );
}

export function stepTip(run: Run, picture: MapPicture, step: number): string {
  const row = run.rows[step]!;
  const circular = row.l1.circularBuffers > 0 ? `, circular buffers ${formatBytes(row.l1.circularBuffers)}` : '';
  return [
    `step ${step}: tensors ${formatBytes(row.l1.tensors)}${circular}`,
    `L1 ${holesText(freeL1(run, picture, step))}`,
    `DRAM per bank ${holesText(row.dram)}`,
  ].join('\n');
}
