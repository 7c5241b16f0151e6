// Geometry of one picture: cells of a window, where they are drawn, which of them belong together. Pure.

import type { Spot, PictureKind } from './model';
import type { LabWindow } from '../model/generated/layout';

export interface Cells {
  readonly rows: number;
  readonly cols: number;
  readonly element: Float64Array; // negative: padding
  readonly position: Float64Array;
  readonly bits: Float64Array; // -1 for padding
  readonly where: ReadonlyMap<number, number>; // element -> cell
}

// Unpacks the runs. Whatever the runs say, exactly rows x cols cells come out.
export function unpack(window: LabWindow, step: number): Cells {
  const [rows, cols] = window.size;
  const count = rows * cols;
  const element = new Float64Array(count).fill(-2);
  const position = new Float64Array(count).fill(-1);
  const bits = new Float64Array(count).fill(-1);
  const where = new Map<number, number>();
  let at = 0;
  for (let run = 0; run + 3 < window.cells.length; run += 4) {
    const [length, first, owner, begin] = [
      window.cells[run]!,
      window.cells[run + 1]!,
      window.cells[run + 2]!,
      window.cells[run + 3]!,
    ];
    for (let i = 0; i < length && at < count; i++, at++) {
      element[at] = first < 0 ? first : first + i;
      position[at] = owner;
      bits[at] = first < 0 ? -1 : begin + i * step;
      if (first >= 0) where.set(first + i, at);
    }
  }
  return { rows, cols, element, position, bits, where };
}

export function spotAt(picture: PictureKind, cells: Cells, at: number): Spot {
  return {
    picture,
    row: Math.floor(at / cells.cols),
    col: at % cells.cols,
    element: cells.element[at]!,
    position: cells.position[at]!,
    bits: cells.bits[at]!,
  };
}

export interface Frame {
  readonly cell: number; // CSS pixels of a cell's side
  readonly left: number; // of the first cell: room for row numbers
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export const kGutterLeft = 46;
export const kGutterTop = 18;
const kLargestCell = 24;
const kSmallestCell = 4;

export function frameOf(cells: { readonly rows: number; readonly cols: number }, width: number, height: number): Frame {
  const across = (width - kGutterLeft - 4) / Math.max(1, cells.cols);
  const down = (height - kGutterTop - 4) / Math.max(1, cells.rows);
  const cell = Math.max(kSmallestCell, Math.min(kLargestCell, Math.floor(Math.min(across, down))));
  return {
    cell,
    left: kGutterLeft,
    top: kGutterTop,
    width: kGutterLeft + cell * cells.cols + 4,
    height: kGutterTop + cell * cells.rows + 4,
  };
}

// The cell under a point; -1 outside.
export function cellAt(cells: Cells, frame: Frame, x: number, y: number): number {
  const col = Math.floor((x - frame.left) / frame.cell);
  const row = Math.floor((y - frame.top) / frame.cell);
  return col < 0 || row < 0 || col >= cells.cols || row >= cells.rows ? -1 : row * cells.cols + col;
}

// The next element from cell `from` in a direction, over padding; -1 when the window has none.
export function nextElement(cells: Cells, from: number, down: number, right: number): number {
  let row = Math.floor(from / cells.cols) + down;
  let col = (from % cells.cols) + right;
  while (row >= 0 && col >= 0 && row < cells.rows && col < cells.cols) {
    const at = row * cells.cols + col;
    if (cells.element[at]! >= 0) return at;
    row += down;
    col += right;
  }
  return -1;
}

// Where the window lies in the whole picture, and every how many rows and columns the grid cuts it, for a small
// overview.
export interface Overview {
  readonly width: number;
  readonly height: number;
  readonly window: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly cutsX: readonly number[];
  readonly cutsY: readonly number[];
}

const kOverview = 56; // longer side, CSS pixels
const kThinnest = 8;
const kMostCuts = 24; // more lines than this would be a grey box

export function overviewOf(window: LabWindow, shard: readonly [number, number] | null): Overview {
  const [rows, cols] = window.extent;
  const scale = kOverview / Math.max(rows, cols, 1);
  const width = Math.max(kThinnest, cols * scale);
  const height = Math.max(kThinnest, rows * scale);
  const [perCol, perRow] = [width / Math.max(1, cols), height / Math.max(1, rows)];
  const cuts = (extent: number, every: number, per: number): number[] => {
    const count = every > 0 ? Math.ceil(extent / every) - 1 : 0;
    return count > kMostCuts ? [] : Array.from({ length: Math.max(0, count) }, (_, at) => (at + 1) * every * per);
  };
  return {
    width,
    height,
    cutsX: shard === null ? [] : cuts(cols, shard[1], perCol),
    cutsY: shard === null ? [] : cuts(rows, shard[0], perRow),
    window: {
      x: window.origin[1] * perCol,
      y: window.origin[0] * perRow,
      width: Math.max(2, window.size[1] * perCol),
      height: Math.max(2, window.size[0] * perRow),
    },
  };
}

export interface Region {
  readonly position: number;
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

// The rectangle of each position in the window, for its label. Positions that are scattered (interleaved pages) have
// none.
export function regions(cells: Cells): Region[] {
  const boxes = new Map<number, { top: number; left: number; bottom: number; right: number; count: number }>();
  for (let at = 0; at < cells.position.length; at++) {
    const position = cells.position[at]!;
    if (position < 0) continue;
    const row = Math.floor(at / cells.cols);
    const col = at % cells.cols;
    const box = boxes.get(position);
    if (box === undefined) boxes.set(position, { top: row, left: col, bottom: row + 1, right: col + 1, count: 1 });
    else {
      box.left = Math.min(box.left, col);
      box.right = Math.max(box.right, col + 1);
      box.bottom = row + 1;
      box.count++;
    }
  }
  return [...boxes]
    .filter(([, box]) => box.count === (box.bottom - box.top) * (box.right - box.left))
    .map(([position, box]) => ({
      position,
      row: box.top,
      col: box.left,
      rows: box.bottom - box.top,
      cols: box.right - box.left,
    }));
}

// Which of the picture's colours a position has: neighbours in the grid differ.
export const kColours = 6;
export function colourOf(position: number, gridCols: number): number {
  if (position < 0) return 0;
  const cols = Math.max(1, gridCols);
  return (Math.floor(position / cols) * 2 + (position % cols)) % kColours;
}
