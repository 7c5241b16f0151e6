// What the lab asks the engine and what it gets: docs/layout-lab.md. Layout arithmetic is the engine's; here are only
// the fields, their texts, and numbers of elements.

import type { LabFields } from '../model/generated/layout';

export type PictureKind = 'logical' | 'physical' | 'stored';

// What is under the pointer: a place of one picture.
export interface Spot {
  readonly picture: PictureKind;
  readonly row: number; // in the window
  readonly col: number;
  readonly element: number; // negative: padding
  readonly position: number;
  readonly bits: number;
}

export const kPadding: Readonly<Record<number, { readonly title: string; readonly why: string }>> = {
  [-1]: { title: 'stride gap', why: 'the map’s strides skip this place' },
  [-2]: { title: 'beyond the tensor', why: 'the grid does not divide the tensor evenly; the last shards are short' },
  [-3]: { title: 'tile rounding', why: 'sizes are rounded up to whole tiles' },
};

export const kDTypes = ['f32', 'bf16', 'bfp_bf8', 'bfp_bf4', 'bfp_bf2', 'si32', 'ui32', 'ui16', 'ui8'] as const;

export const kDefaultFields: LabFields = {
  view: 'metal',
  device: 'n150',
  shape: [2, 3, 64, 128],
  dtype: 'f32',
  grid: [2, 4],
  collapse: [[0, -1]],
  strides: [],
  map: '',
  tiled: false,
  tile: [32, 32],
  oob: 'undef',
  buffer: 'l1',
  memory: 'block_sharded',
  deviceDims: 0,
};

// The logical index of an element's row-major number.
export function unravel(element: number, shape: readonly number[]): number[] {
  const index = new Array<number>(shape.length).fill(0);
  let rest = element;
  for (let at = shape.length - 1; at >= 0; at--) {
    const dim = shape[at]!;
    index[at] = rest % dim;
    rest = Math.floor(rest / dim);
  }
  return index;
}

export function ravel(index: readonly number[], shape: readonly number[]): number {
  return index.reduce((number, value, at) => number * shape[at]! + value, 0);
}

// One step along dim `axis`, carrying into the dims before it; stays at the ends of the tensor.
export function step(index: readonly number[], shape: readonly number[], axis: number, by: number): number[] {
  const next = [...index];
  let carry = by;
  for (let at = axis; at >= 0 && carry !== 0; at--) {
    const value = next[at]! + carry;
    const dim = shape[at]!;
    carry = Math.floor(value / dim);
    next[at] = value - carry * dim;
  }
  return carry === 0 ? next : [...index];
}

// "2x3x64x128", "2,3,64" or "2 × 3": numbers; null when it is something else.
export function parseNumbers(text: string): number[] | null {
  const trimmed = text.trim().replace(/^[[(<]\s*|\s*[\])>]$/g, '');
  if (trimmed === '') return [];
  const numbers = trimmed.split(/\s*[x×,\s]\s*/).map((part) => (/^-?\d{1,15}$/.test(part) ? Number(part) : NaN));
  return numbers.some(Number.isNaN) ? null : numbers;
}

// "(0,-1)", "(0,3), (-3,-1)", "" (nothing is collapsed).
export function parseIntervals(text: string): [number, number][] | null {
  const rest = text.replace(/[[(]\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*[\])]/g, '').replace(/[\s,[\]]/g, '');
  if (rest !== '') return null;
  return [...text.matchAll(/[[(]\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*[\])]/g)].map(([, begin, end]) => [
    Number(begin),
    Number(end),
  ]);
}

export function intervalsText(intervals: readonly (readonly [number, number])[]): string {
  return intervals.map(([begin, end]) => `(${begin}, ${end})`).join(', ');
}

export function timesText(numbers: readonly number[]): string {
  return numbers.length === 0 ? 'scalar' : numbers.join('×');
}
