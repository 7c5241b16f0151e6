// Draws a window of the L1 map onto a canvas.

import { formatBytes } from '../model/format';
import type { Run } from '../model/report';
import { keptMark } from './chain_marks';
import { circularBuffers, guideAddresses, holesAt, mapX, type MapBox, type MapPicture } from './map_geometry';
import { boxTitle } from './map_tip';
import type { Palette } from './palette';
import { patternFor } from './patterns';
import type { RowOrder } from './row_order';
import { kRowHeight, type RowWindow } from './schedule_geometry';
import { spillMark } from './spill_marks';

export interface MapScene {
  readonly run: Run;
  readonly picture: MapPicture;
  readonly rows: RowWindow;
  readonly order: RowOrder;
  readonly width: number;
  readonly dpr: number;
  readonly selected: number;
  readonly hovered: MapBox | null;
  readonly results: ReadonlySet<number>; // values of the selected row
  readonly operands: ReadonlySet<number>;
  readonly palette: Palette;
  readonly font: string;
}

const kMonoPixels = 6.7; // width of a character of the 11 px label font; labels are cut by it without measuring
const kLabelEvery = 24; // rows; a long lifetime repeats its label

export function drawMap(context: CanvasRenderingContext2D, scene: MapScene): void {
  const { order, picture, rows } = scene;
  drawGuides(context, scene);
  for (let line = rows.first; line < rows.end; line++) drawCircularBuffers(context, scene, order.rowAt(line));
  const boxes = picture.index
    .touching(order.rowAt(rows.first), order.rowAt(rows.end - 1))
    .map((box) => picture.boxes[box]!);
  for (const box of boxes) if (linesOf(scene, box) > 0) drawBox(context, scene, box);
  if (picture.memory === 'dram') return;
  drawHoles(context, scene);
  drawBudget(context, scene);
  drawPeak(context, scene);
}

// At the selected step what is free, piece by piece, with its size where there is room.
function drawHoles(context: CanvasRenderingContext2D, scene: MapScene): void {
  const { selected, palette, width } = scene;
  if (!inWindow(scene, selected)) return;
  const y = topOf(scene, selected) + kRowHeight / 2;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1;
  context.font = scene.font;
  context.textBaseline = 'middle';
  for (const hole of holesAt(scene.run, scene.picture, selected)) {
    const [from, to] = [mapX(scene.picture, hole.from, width) + 1, mapX(scene.picture, hole.to, width) - 1];
    if (to - from < 3) continue;
    context.beginPath();
    context.moveTo(from, y - 4);
    context.lineTo(from, y + 4);
    context.moveTo(from, y);
    context.lineTo(to, y);
    context.moveTo(to, y - 4);
    context.lineTo(to, y + 4);
    context.stroke();
    const text = `free ${formatBytes(hole.to - hole.from)}`;
    const size = text.length * kMonoPixels + 8;
    if (to - from < size + 8) continue;
    const x = to - size - 4; // the peak's word stands at the left end
    context.fillStyle = palette.panel;
    context.fillRect(x, y - 7, size, 14);
    context.fillStyle = palette.accent;
    context.fillText(text, x + 4, y + 0.5);
  }
}

function topOf(scene: MapScene, row: number): number {
  return (scene.order.lineOf(row) - scene.rows.first) * kRowHeight;
}

function inWindow({ order, rows }: MapScene, row: number): boolean {
  const line = order.lineOf(row);
  return order.shows(row) && line >= rows.first && line < rows.end;
}

// How many lines it is alive in.
function linesOf({ order }: MapScene, box: MapBox): number {
  return order.lineOf(box.to + 1) - order.lineOf(box.from);
}

function drawGuides(context: CanvasRenderingContext2D, scene: MapScene): void {
  context.fillStyle = scene.palette.line;
  const height = (scene.rows.end - scene.rows.first) * kRowHeight;
  context.globalAlpha = 0.7;
  for (const address of guideAddresses(scene.picture)) {
    context.fillRect(Math.round(mapX(scene.picture, address, scene.width)), 0, 1, height);
  }
  context.globalAlpha = 1;
  drawCut(context, scene, height);
}

// A band with a zigzag edge on each side: addresses are missing here.
function drawCut(context: CanvasRenderingContext2D, scene: MapScene, height: number): void {
  const { cut } = scene.picture;
  if (cut === null) return;
  const left = mapX(scene.picture, cut.from, scene.width);
  context.fillStyle = scene.palette.line;
  context.globalAlpha = 0.35;
  context.fillRect(left, 0, cut.width, height);
  context.globalAlpha = 1;
  context.strokeStyle = scene.palette.dim;
  context.lineWidth = 1;
  const tooth = kRowHeight / 4; // divides a row, so that windows join without a step
  context.globalAlpha = 0.55;
  for (const x of [left + 1, left + cut.width - 3]) {
    context.beginPath();
    for (let y = 0, out = 0; y <= height; y += tooth, out = 1 - out) context.lineTo(x + out * 2, y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawCircularBuffers(context: CanvasRenderingContext2D, scene: MapScene, index: number): void {
  const buffers = circularBuffers(scene.run, scene.picture.memory, index);
  if (buffers.length === 0) return;
  const y = topOf(scene, index) + 4;
  const height = kRowHeight - 8;
  const hatch = patternFor(context, 'circular', scene.palette.circular, scene.dpr);
  // Neighbouring buffers are drawn as one block with hairlines, so that dozens of small ones stay readable.
  for (const buffer of buffers) {
    const x = mapX(scene.picture, buffer.address, scene.width);
    const width = Math.max(1, mapX(scene.picture, buffer.address + buffer.bytes, scene.width) - x);
    if (hatch !== null) context.fillStyle = hatch;
    context.fillRect(x, y, width, height);
    context.fillStyle = scene.palette.circular;
    context.fillRect(x + width - 1, y, 1, height);
  }
}

function drawBox(context: CanvasRenderingContext2D, scene: MapScene, box: MapBox): void {
  const { palette, picture } = scene;
  const x = mapX(picture, box.address, scene.width) + 0.5;
  const width = Math.max(2, mapX(picture, box.address + box.bytes, scene.width) - x - 0.5);
  const y = topOf(scene, box.from) + 2;
  const height = linesOf(scene, box) * kRowHeight - 4;
  const color = palette.kinds[box.kind];
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(3, width / 2));
  context.globalAlpha = 0.2;
  context.fillStyle = color;
  context.fill();
  context.globalAlpha = 0.34;
  const pattern = patternFor(context, box.kind, color, scene.dpr);
  if (pattern !== null && width > 5) {
    context.fillStyle = pattern;
    context.fill();
  }
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  drawKept(context, scene, box, x, y, width, height);
  const mark = spillMark(scene.run, box);
  if (mark !== null)
    drawLeaving(
      context,
      mark.kind === 'spill' ? scene.palette.bad : scene.palette.kinds.dram,
      x + width / 2,
      y + height,
    );
  outline(context, scene, box, x, y, width, height);
  drawLabels(context, scene, box, x, width);
}

// A value that a merge or a reservation of the chains keeps in L1: a bar at its left edge and, where there is room, a
// word.
function drawKept(
  context: CanvasRenderingContext2D,
  scene: MapScene,
  box: MapBox,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const mark = keptMark(scene.run, box);
  if (mark === null) return;
  context.fillStyle = mark.kind === 'merged' ? scene.palette.accent : scene.palette.reshard;
  context.fillRect(x - 2, y, 4, height);
  const last = box.to;
  if (last === box.from || !inWindow(scene, last) || width < mark.text.length * kMonoPixels + 12) return;
  const middle = topOf(scene, last) + kRowHeight / 2;
  context.font = scene.font;
  context.textBaseline = 'middle';
  context.globalAlpha = 0.85;
  context.fillStyle = scene.palette.panel;
  context.fillRect(x + 4, middle - 7, mark.text.length * kMonoPixels + 4, 14);
  context.globalAlpha = 1;
  context.fillStyle = mark.kind === 'merged' ? scene.palette.accent : scene.palette.reshard;
  context.fillText(mark.text, x + 6, middle + 0.5);
}

// Where a tensor leaves L1: a triangle at its lower end, as in the lanes.
function drawLeaving(context: CanvasRenderingContext2D, color: string, x: number, bottom: number): void {
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(x - 6, bottom - 8);
  context.lineTo(x + 6, bottom - 8);
  context.lineTo(x, bottom + 1);
  context.closePath();
  context.fill();
}

function outline(
  context: CanvasRenderingContext2D,
  scene: MapScene,
  box: MapBox,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const within = (values: ReadonlySet<number>): boolean =>
    values.has(box.value) || box.sharedBy.some((value) => values.has(value));
  const isResult = within(scene.results);
  const isOperand = within(scene.operands);
  const isHovered = scene.hovered === box;
  if (!isResult && !isOperand && !isHovered) return;
  context.strokeStyle = isHovered && !isResult ? scene.palette.ink : scene.palette.accent;
  context.lineWidth = 2;
  context.setLineDash(isOperand && !isResult && !isHovered ? [4, 3] : []);
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(3, width / 2));
  context.stroke();
  context.setLineDash([]);
}

function drawLabels(context: CanvasRenderingContext2D, scene: MapScene, box: MapBox, x: number, width: number): void {
  const room = Math.floor((width - 10) / kMonoPixels);
  const title = boxTitle(scene.run, box);
  if (room < 6 && title.length > room) {
    drawUprightLabel(context, scene, box, title, x, width);
    return;
  }
  const text = title.length <= room ? title : `${title.slice(0, room - 1)}…`;
  const textWidth = text.length * kMonoPixels;
  context.font = scene.font;
  context.textBaseline = 'middle';
  const first = scene.order.lineOf(box.from);
  for (let line = first; line < first + linesOf(scene, box); line += kLabelEvery) {
    if (line < scene.rows.first || line >= scene.rows.end) continue;
    const y = (line - scene.rows.first) * kRowHeight + kRowHeight / 2;
    context.globalAlpha = 0.82; // keeps the pattern from crossing the letters
    context.fillStyle = scene.palette.panel;
    context.fillRect(x + 3, y - 7, Math.min(textWidth + 4, width - 6), 14);
    context.globalAlpha = 1;
    context.fillStyle = scene.palette.ink;
    context.fillText(text, x + 5, y + 0.5);
  }
}

// A narrow box that lives long enough has its name from bottom to top.
function drawUprightLabel(
  context: CanvasRenderingContext2D,
  scene: MapScene,
  box: MapBox,
  title: string,
  x: number,
  width: number,
): void {
  const height = linesOf(scene, box) * kRowHeight - 12;
  const room = Math.floor(height / kMonoPixels);
  if (width < 14 || room < Math.min(8, title.length)) return;
  const text = title.length <= room ? title : `${title.slice(0, room - 1)}…`;
  const textWidth = text.length * kMonoPixels;
  context.save();
  context.translate(x + width / 2, topOf(scene, box.from) + 6 + textWidth);
  context.rotate(-Math.PI / 2);
  context.font = scene.font;
  context.textBaseline = 'middle';
  context.globalAlpha = 0.82;
  context.fillStyle = scene.palette.panel;
  context.fillRect(-2, -6, textWidth + 2, 12);
  context.globalAlpha = 1;
  context.fillStyle = scene.palette.ink;
  context.fillText(text, 0, 0.5);
  context.restore();
}

function drawBudget(context: CanvasRenderingContext2D, scene: MapScene): void {
  const x = Math.max(0.75, mapX(scene.picture, scene.picture.budgetAt, scene.width));
  context.strokeStyle = scene.palette.bad;
  context.lineWidth = 1.5;
  context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, (scene.rows.end - scene.rows.first) * kRowHeight);
  context.stroke();
  context.setLineDash([]);
}

function drawPeak(context: CanvasRenderingContext2D, scene: MapScene): void {
  const { peakStep, peakL1 } = scene.run.totals;
  if (peakL1 <= 0 || !inWindow(scene, peakStep)) return;
  const y = topOf(scene, peakStep);
  context.strokeStyle = scene.palette.reshard;
  context.lineWidth = 1.5;
  context.strokeRect(0.75, y + 0.75, scene.width - 1.5, kRowHeight - 1.5);
  context.font = scene.font;
  context.textBaseline = 'middle';
  const text = 'peak';
  const width = text.length * kMonoPixels + 8;
  const x = Math.min(scene.width - width - 2, Math.max(2, freeSpotForPeak(scene, width)));
  context.fillStyle = scene.palette.panel;
  context.fillRect(x, y + 5, width, kRowHeight - 10);
  context.fillStyle = scene.palette.ink;
  context.fillText(text, x + 4, y + kRowHeight / 2 + 0.5);
}

// Right of the circular buffers, where L1 is free most often.
function freeSpotForPeak(scene: MapScene, width: number): number {
  const row = scene.run.rows[scene.run.totals.peakStep];
  const end = (row?.circularBuffers ?? []).reduce((most, buffer) => Math.max(most, buffer.address + buffer.bytes), 0);
  return Math.min(scene.width - width, mapX(scene.picture, Math.max(end, scene.picture.base), scene.width) + 4);
}
