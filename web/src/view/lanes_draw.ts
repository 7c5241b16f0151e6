// Draws a window of the lane graphic onto a canvas.

import { kindOf, type LayoutKind } from '../model/layout_kind';
import { moveKind } from '../model/moves';
import type { Run } from '../model/report';
import type { ChainLane } from './chain_marks';
import { forkReach, laneX, type LaneEdge, type LanePicture } from './lanes_geometry';
import type { Palette } from './palette';
import type { RowOrder } from './row_order';
import { kRowHeight, type RowWindow } from './schedule_geometry';

export interface LanesScene {
  readonly run: Run;
  readonly picture: LanePicture;
  readonly rows: RowWindow;
  readonly order: RowOrder;
  readonly width: number;
  readonly selected: number;
  readonly palette: Palette;
}

export function drawLanes(context: CanvasRenderingContext2D, scene: LanesScene): void {
  const { order, picture, rows, selected } = scene;
  const edges = picture.index
    .touching(order.rowAt(rows.first), order.rowAt(rows.end - 1))
    .map((edge) => picture.edges[edge]!)
    .filter(({ from, to }) => order.shows(from) && order.shows(to));
  const touchesSelected = (edge: LaneEdge): boolean => edge.from === selected || edge.to === selected;
  for (const chain of picture.marks?.chains ?? []) drawChain(context, scene, chain);
  for (const edge of edges) if (!touchesSelected(edge)) drawEdge(context, scene, edge, false);
  for (const edge of edges) if (touchesSelected(edge)) drawEdge(context, scene, edge, true);
  for (let line = rows.first; line < rows.end; line++) drawNode(context, scene, order.rowAt(line));
}

function centerY(scene: LanesScene, row: number): number {
  return (scene.order.lineOf(row) - scene.rows.first) * kRowHeight + kRowHeight / 2;
}

function xOf(scene: LanesScene, lane: number): number {
  return laneX(lane, scene.picture.lanes, scene.width);
}

// A band behind the ops of a chain: filled when it is completed, dashed when it failed; its letter beside the first op.
function drawChain(context: CanvasRenderingContext2D, scene: LanesScene, chain: ChainLane): void {
  const [first, last] = [chain.rows[0] ?? -1, chain.rows.at(-1) ?? -1];
  const { order, rows } = scene;
  const [begin, end] = [order.lineOf(first), order.lineOf(last + 1)]; // lines
  if (first < 0 || begin === end || end <= rows.first || begin >= rows.end) return;
  const x = xOf(scene, chain.lane + 1);
  const top = centerY(scene, first) - 10;
  const bottom = top + (end - begin - 1) * kRowHeight + 20;
  const failed = chain.state === 'Failed';
  context.beginPath();
  context.roundRect(x - 7, top, 14, bottom - top, 7);
  context.globalAlpha = failed ? 0 : 0.16;
  context.fillStyle = scene.palette.accent;
  context.fill();
  context.globalAlpha = 0.8;
  context.strokeStyle = failed ? scene.palette.bad : scene.palette.accent;
  context.lineWidth = 1;
  context.setLineDash(failed ? [3, 3] : chain.state === 'Completed' ? [] : [6, 2]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.font = '600 9px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
  context.textBaseline = 'middle';
  context.fillStyle = failed ? scene.palette.bad : scene.palette.ink;
  context.fillText(chain.letter, x + 9, centerY(scene, first) - 5);
}

export function placeOfRow(run: Run, row: number): LayoutKind {
  return kindOf(run.values[run.rows[row]?.results[0] ?? -1]?.layout);
}

function drawEdge(context: CanvasRenderingContext2D, scene: LanesScene, edge: LaneEdge, strong: boolean): void {
  const { palette } = scene;
  const x0 = xOf(scene, edge.fromLane);
  const x1 = xOf(scene, edge.toLane);
  const y0 = centerY(scene, edge.from);
  const y1 = centerY(scene, edge.to);
  const place = palette.kinds[placeOfRow(scene.run, edge.from)];
  context.strokeStyle = strong
    ? palette.accent
    : edge.kind === 'chain'
      ? place
      : edge.kind === 'flow'
        ? palette.kinds.dram
        : place;
  context.globalAlpha = strong || edge.kind === 'chain' ? 1 : 0.75;
  context.lineWidth = edge.kind === 'chain' ? 2.5 : strong ? 2 : 1.25;
  context.setLineDash(edge.kind === 'fork' ? [3, 3] : []);
  context.beginPath();
  context.moveTo(x0, y0);
  if (edge.kind === 'fork') {
    const reach = Math.max(x0, x1) + forkReach(edge.to - edge.from);
    const bend = Math.min((y1 - y0) / 2, 1.5 * kRowHeight);
    context.bezierCurveTo(reach, y0 + bend * 0.3, reach, y0 + bend * 0.6, reach, y0 + bend);
    context.lineTo(reach, y1 - bend);
    context.bezierCurveTo(reach, y1 - bend * 0.6, reach, y1 - bend * 0.3, x1, y1);
  } else if (x0 === x1) {
    context.lineTo(x1, y1);
  } else {
    const turn = y1 - Math.min(kRowHeight, y1 - y0);
    context.lineTo(x0, turn);
    context.bezierCurveTo(x0, turn + kRowHeight * 0.6, x1, y1 - kRowHeight * 0.6, x1, y1);
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

// What a move looks like: corners around its middle, in CSS pixels.
const kDown: Corners = [
  [-6, -4.5],
  [6, -4.5],
  [0, 6],
];
const kUp: Corners = [
  [-6, 4.5],
  [6, 4.5],
  [0, -6],
];
const kDiamond: Corners = [
  [0, -6],
  [6, 0],
  [0, 6],
  [-6, 0],
];
const kMoveShapes: { readonly [kind: string]: Corners } = {
  reshard: kDiamond,
  spill: kDown,
  demotion: kDown,
  reload: kUp,
  return: kDown,
};

function drawNode(context: CanvasRenderingContext2D, scene: LanesScene, index: number): void {
  const { palette, picture } = scene;
  const row = scene.run.rows[index]!;
  const x = xOf(scene, picture.laneOf[index]!);
  const y = centerY(scene, index);
  const color = row.verdict !== null ? palette.bad : palette.kinds[placeOfRow(scene.run, index)];
  const kind = moveKind(row) ?? row.kind;
  const moveColors: { readonly [kind: string]: string } = {
    reshard: palette.reshard,
    spill: palette.bad,
    reload: palette.reshard,
    return: color,
  };
  const starts = picture.chainStart[index] === 1;
  const shape = kMoveShapes[kind];
  const hollow = row.kind === 'terminator' || (shape === undefined && (row.verdict !== null || starts));
  context.fillStyle = hollow ? palette.panel : (moveColors[kind] ?? color);
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  if (shape !== undefined) polygon(context, x, y, shape);
  else if (row.kind === 'terminator') context.rect(x - 4, y - 4, 8, 8);
  else placeShape(context, placeOfRow(scene.run, index), x, y, starts ? 1 : 0);
  context.fill();
  if (hollow) context.stroke();
  if (index === scene.selected) ring(context, x, y, palette.accent);
}

// The place by its shape: bands of rows lie, bands of columns stand, blocks are square, the rest is round.
function placeShape(context: CanvasRenderingContext2D, place: LayoutKind, x: number, y: number, more: number): void {
  const [wide, high] = kNodeSizes[place] ?? [0, 0];
  if (wide > 0) context.rect(x - wide - more, y - high - more, 2 * (wide + more), 2 * (high + more));
  else context.arc(x, y, (place === 'interleaved' || place === 'single' ? 4.5 : 3) + more, 0, 2 * Math.PI);
}

// Half widths and heights in CSS pixels.
const kNodeSizes: { readonly [K in LayoutKind]?: readonly [number, number] } = {
  block: [4, 4],
  height: [5.5, 3],
  width: [3, 5.5],
};

function ring(context: CanvasRenderingContext2D, x: number, y: number, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, 8, 0, 2 * Math.PI);
  context.stroke();
}

type Corners = readonly (readonly [number, number])[];

function polygon(context: CanvasRenderingContext2D, x: number, y: number, corners: Corners): void {
  corners.forEach(([dx, dy], at) => (at === 0 ? context.moveTo(x + dx, y + dy) : context.lineTo(x + dx, y + dy)));
  context.closePath();
}
