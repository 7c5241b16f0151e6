// Places in words: what a row of the table, the line under the pictures and the live region say.

import { formatInteger } from '../model/format';
import { kPadding, unravel, type Spot } from './model';
import { type LabDrawn, type LabFields } from '../model/generated/layout';

export function indexText(index: readonly number[]): string {
  return `[${index.join(', ')}]`;
}

// "core x 1, y 0", "DRAM bank 3", "device 1, core x 0, y 2".
export function placeText(position: number, drawn: LabDrawn, fields: LabFields): string {
  const cores = drawn.cores;
  const at = position * 4;
  if (position < 0) return '';
  if (fields.view === 'ttnn' && (fields.buffer === 'dram' || fields.buffer === 'trace')) return `DRAM bank ${position}`;
  if (fields.buffer === 'system' || fields.buffer === 'mmio')
    return fields.view === 'ttnn' ? 'host memory' : `host part ${position}`;
  if (cores === undefined || at + 2 >= cores.length) return `grid position ${formatInteger(position)}`;
  const device = fields.deviceDims > 0 ? `device ${cores[at]}, ` : '';
  return `${device}core (${cores[at + 1]}, ${cores[at + 2]})`;
}

export function offsetText(bits: number): string {
  const bit = bits % 8;
  return `byte ${formatInteger(Math.floor(bits / 8))}${bit === 0 ? '' : `, bit ${bit}`}`;
}

export function describeSpot(spot: Spot, drawn: LabDrawn, fields: LabFields, short = false): string {
  const where = placeText(spot.position, drawn, fields);
  if (spot.element < 0) {
    const padding = kPadding[spot.element];
    return short
      ? `padding: ${padding?.title ?? ''}`
      : `Padding on ${where}: ${padding?.title ?? ''}. ${capital(padding?.why ?? '')}; it is filled with ` +
          `“${fields.oob}”.`;
  }
  const index = indexText(unravel(spot.element, fields.shape));
  const unit = fields.tiled ? `tile ${formatInteger(Math.floor(spot.bits / 8 / drawn.unitBytes))}, ` : '';
  return short
    ? `${index} ${where} ${offsetText(spot.bits)}`
    : `Element ${index} is on ${where}, ${unit}${offsetText(spot.bits)}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
