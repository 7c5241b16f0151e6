// Where the beam's picture puts things, in CSS pixels. Pure.

import type { BeamPicture } from '../view/beam_picture';

export const kRow = 26;
const kPad = 11;
const kWidest = 26; // between two entries
const kNarrowest = 1;

export function slotX(slot: number, gap: number): number {
  return kPad + slot * gap;
}
export function slotSize(gap: number): number {
  return Math.max(1.5, Math.min(12, gap - 2));
}
// The entry under a point of the beam's column; -1 for none.
export function slotAt(picture: BeamPicture, at: number, x: number, gap: number): number {
  const slot = Math.round((x - kPad) / gap);
  const near = Math.abs(x - slotX(slot, gap)) <= gap / 2;
  return near && picture.ops[at]?.beam[slot] !== undefined ? slot : -1;
}

export interface Columns {
  readonly template: string;
  readonly beamLeft: number;
  readonly beamWidth: number;
  readonly gap: number; // between two entries
  readonly l1Left: number;
  readonly l1Width: number;
}

// Step, op, beam, final layout, L1.
export function planBeamColumns(width: number, slots: number): Columns {
  const narrow = width < 560;
  const step = narrow ? 30 : 40;
  const place = narrow ? 0 : 92;
  const l1Width = narrow ? 76 : Math.round(Math.min(220, Math.max(110, width * 0.2)));
  const most = (width - step - place - l1Width) * (narrow ? 0.5 : 0.6);
  const gap = Math.max(kNarrowest, Math.min(kWidest, (most - 2 * kPad) / Math.max(1, slots - 1)));
  const beamWidth = Math.ceil(2 * kPad + (Math.max(3, slots) - 1) * gap);
  const op = Math.max(60, width - step - beamWidth - place - l1Width);
  return {
    template: `${step}px ${op}px ${beamWidth}px ${place}px ${l1Width}px`,
    beamLeft: step + op,
    beamWidth,
    gap,
    l1Left: step + op + beamWidth + place,
    l1Width,
  };
}
