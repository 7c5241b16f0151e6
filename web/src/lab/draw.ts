// Draws one picture of the lab: cells coloured by core, padding hatched by its reason, shard and tile borders, and
// rings around the cursor and what the pointer is on.

import { colourOf, regions, type Cells, type Frame } from './cells';

export interface LabPalette {
  readonly ink: string;
  readonly dim: string;
  readonly line: string;
  readonly panel: string;
  readonly accent: string;
  readonly fills: readonly string[];
}

export function readLabPalette(element: Element): LabPalette {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim() || '#888';
  return {
    ink: colour('--ink'),
    dim: colour('--dim'),
    line: colour('--line'),
    panel: colour('--panel'),
    accent: colour('--accent'),
    fills: ['--block', '--height', '--interleaved', '--width', '--reshard', '--dram'].map(colour),
  };
}

export interface Painting {
  readonly cells: Cells;
  readonly frame: Frame;
  readonly origin: readonly [number, number];
  readonly gridCols: number;
  readonly tile: readonly [number, number] | null; // lines at whole tiles, counted from the picture's start
  readonly cursor: number; // cell, -1: not in this window
  readonly hover: number;
  readonly label: (position: number) => string;
}

export function paint(context: CanvasRenderingContext2D, palette: LabPalette, painting: Painting): void {
  const { frame } = painting;
  context.clearRect(0, 0, frame.width, frame.height);
  paintCells(context, palette, painting);
  paintLines(context, palette, painting);
  paintLabels(context, palette, painting);
  paintNumbers(context, palette, painting);
  ring(context, painting, painting.hover, palette.ink, 2, palette.panel);
  ring(context, painting, painting.cursor, palette.accent, 3, palette.panel);
}

function paintCells(
  context: CanvasRenderingContext2D,
  palette: LabPalette,
  { cells, frame, gridCols }: Painting,
): void {
  // Neighbouring cells of one kind in a row are one rectangle.
  for (let row = 0; row < cells.rows; row++) {
    for (let col = 0; col < cells.cols;) {
      const at = row * cells.cols + col;
      const position = cells.position[at]!;
      const kind = Math.min(0, cells.element[at]!);
      let end = col + 1;
      while (
        end < cells.cols &&
        cells.position[at + end - col] === position &&
        Math.min(0, cells.element[at + end - col]!) === kind
      )
        end++;
      const x = frame.left + col * frame.cell;
      const y = frame.top + row * frame.cell;
      const width = (end - col) * frame.cell;
      const fill = palette.fills[colourOf(position, gridCols)]!;
      if (kind === 0) {
        context.globalAlpha = 0.38;
        context.fillStyle = fill;
        context.fillRect(x, y, width, frame.cell);
      } else {
        context.globalAlpha = 0.1;
        context.fillStyle = fill;
        context.fillRect(x, y, width, frame.cell);
        hatch(context, palette, kind, x, y, width, frame.cell);
      }
      context.globalAlpha = 1;
      col = end;
    }
  }
}

// Padding: dots for a stride gap, falling lines beyond the tensor, rising lines for tile rounding. The lines of
// neighbours meet.
export function hatch(
  context: CanvasRenderingContext2D,
  palette: Pick<LabPalette, 'dim'>,
  kind: number,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.globalAlpha = 0.7;
  context.strokeStyle = context.fillStyle = palette.dim;
  context.lineWidth = 1;
  const gap = 6;
  if (kind === -1) {
    for (let dotY = Math.ceil(y / gap) * gap; dotY < y + height; dotY += gap) {
      for (let dotX = Math.ceil(x / gap) * gap; dotX < x + width; dotX += gap) context.fillRect(dotX, dotY, 1.5, 1.5);
    }
  } else {
    context.beginPath();
    const rising = kind === -3;
    for (
      let sum = Math.floor((rising ? x + y : x - y - height) / gap) * gap;
      sum <= (rising ? x + width + y + height : x + width - y);
      sum += gap
    ) {
      // x + y == sum, or x - y == sum
      context.moveTo(rising ? sum - y : sum + y, y);
      context.lineTo(rising ? sum - y - height : sum + y + height, y + height);
    }
    context.stroke();
  }
  context.restore();
}

function paintLines(
  context: CanvasRenderingContext2D,
  palette: LabPalette,
  { cells, frame, tile, origin }: Painting,
): void {
  const right = frame.left + cells.cols * frame.cell;
  const bottom = frame.top + cells.rows * frame.cell;
  if (frame.cell >= 7) {
    context.globalAlpha = 0.25;
    context.strokeStyle = palette.dim;
    context.lineWidth = 1;
    context.beginPath();
    for (let col = 1; col < cells.cols; col++)
      line(context, frame.left + col * frame.cell, frame.top, frame.left + col * frame.cell, bottom);
    for (let row = 1; row < cells.rows; row++)
      line(context, frame.left, frame.top + row * frame.cell, right, frame.top + row * frame.cell);
    context.stroke();
  }
  context.globalAlpha = 1;
  if (tile !== null) {
    tileLines(context, palette, 16, 1, [3, 3], tile, { cells, frame, origin }); // faces
    tileLines(context, palette, 0, 1.5, [], tile, { cells, frame, origin });
  }
  // Borders between positions.
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.beginPath();
  for (let row = 0; row < cells.rows; row++) {
    for (let col = 0; col < cells.cols; col++) {
      const at = row * cells.cols + col;
      const x = frame.left + col * frame.cell;
      const y = frame.top + row * frame.cell;
      if (col > 0 && cells.position[at] !== cells.position[at - 1]) line(context, x, y, x, y + frame.cell);
      if (row > 0 && cells.position[at] !== cells.position[at - cells.cols]) line(context, x, y, x + frame.cell, y);
    }
  }
  context.stroke();
  context.lineWidth = 1;
  context.strokeStyle = palette.dim;
  context.strokeRect(frame.left + 0.5, frame.top + 0.5, cells.cols * frame.cell - 1, cells.rows * frame.cell - 1);
}

// Borders of tiles (face 0), or of the 16x16 faces inside them.
function tileLines(
  context: CanvasRenderingContext2D,
  palette: LabPalette,
  face: number,
  width: number,
  dash: number[],
  tile: readonly [number, number],
  { cells, frame, origin }: Pick<Painting, 'cells' | 'frame' | 'origin'>,
): void {
  context.strokeStyle = palette.ink;
  context.lineWidth = width;
  context.globalAlpha = face > 0 ? 0.45 : 0.9;
  context.setLineDash(dash);
  context.beginPath();
  const isBorder = (at: number, side: number): boolean =>
    face > 0 ? side > face && at % side === face : at % side === 0;
  for (let col = 1; col < cells.cols; col++) {
    if (isBorder(origin[1] + col, tile[1]))
      line(
        context,
        frame.left + col * frame.cell,
        frame.top,
        frame.left + col * frame.cell,
        frame.top + cells.rows * frame.cell,
      );
  }
  for (let row = 1; row < cells.rows; row++) {
    if (isBorder(origin[0] + row, tile[0]))
      line(
        context,
        frame.left,
        frame.top + row * frame.cell,
        frame.left + cells.cols * frame.cell,
        frame.top + row * frame.cell,
      );
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
}

function paintLabels(context: CanvasRenderingContext2D, palette: LabPalette, { cells, frame, label }: Painting): void {
  context.font = '600 11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  for (const region of regions(cells)) {
    const text = label(region.position);
    const width = context.measureText(text).width + 8;
    if (text === '' || region.cols * frame.cell < width + 4 || region.rows * frame.cell < 22) continue;
    const x = frame.left + (region.col + region.cols / 2) * frame.cell;
    const y = frame.top + (region.row + region.rows / 2) * frame.cell;
    context.globalAlpha = 0.86;
    context.fillStyle = palette.panel;
    context.beginPath();
    context.roundRect(x - width / 2, y - 8, width, 16, 4);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = palette.ink;
    context.fillText(text, x, y + 0.5);
  }
}

// Row and column numbers, so many that they do not touch.
function paintNumbers(
  context: CanvasRenderingContext2D,
  palette: LabPalette,
  { cells, frame, origin }: Painting,
): void {
  context.font = '10px ui-monospace, Menlo, Consolas, monospace';
  context.fillStyle = palette.dim;
  const last = String(origin[1] + cells.cols - 1);
  const every = (room: number): number => [1, 2, 4, 8, 16, 32, 64].find((step) => step * frame.cell >= room) ?? 64;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  const colStep = every(context.measureText(last).width + 8);
  for (let col = 0; col < cells.cols; col += colStep)
    context.fillText(String(origin[1] + col), frame.left + col * frame.cell + 1, frame.top - 5);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const rowStep = every(13);
  for (let row = 0; row < cells.rows; row += rowStep)
    context.fillText(
      String(origin[0] + row),
      frame.left - 5,
      frame.top + row * frame.cell + Math.max(5, frame.cell / 2),
    );
}

function ring(
  context: CanvasRenderingContext2D,
  { cells, frame }: Painting,
  at: number,
  colour: string,
  width: number,
  halo: string,
): void {
  if (at < 0) return;
  const x = frame.left + (at % cells.cols) * frame.cell;
  const y = frame.top + Math.floor(at / cells.cols) * frame.cell;
  const grow = frame.cell < 9 ? 2 : 0; // a ring inside a small cell would cover it
  for (const [extra, stroke, thickness] of [
    [1.5, halo, width + 2],
    [0.5, colour, width],
  ] as const) {
    context.strokeStyle = stroke;
    context.lineWidth = thickness;
    context.strokeRect(
      x - grow - extra + 0.5,
      y - grow - extra + 0.5,
      frame.cell + 2 * (grow + extra) - 1,
      frame.cell + 2 * (grow + extra) - 1,
    );
  }
}
