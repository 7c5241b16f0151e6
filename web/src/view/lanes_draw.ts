// Draws a window of the lane graphic onto a canvas.

import { kindOf, type LayoutKind } from '../model/layout_kind';
import type { Run } from '../model/report';
import type { ChainLane } from './chain_marks';
import { forkReach, laneX, type LaneEdge, type LanePicture } from './lanes_geometry';
import type { Palette } from './palette';
import { kRowHeight, type RowWindow } from './schedule_geometry';

export interface LanesScene {
  readonly run: Run;
  readonly picture: LanePicture;
  readonly rows: RowWindow;
  readonly width: number;
  readonly selected: number;
  readonly palette: Palette;
}

export function drawLanes(context: CanvasRenderingContext2D, scene: LanesScene): void {
  const { picture, rows, selected } = scene;
  const edges = picture.index.touching(rows.first, rows.end - 1).map((edge) => picture.edges[edge]!);
  const touchesSelected = (edge: LaneEdge): boolean => edge.from === selected || edge.to === selected;
  for (const chain of picture.marks?.chains ?? []) drawChain(context, scene, chain);
  for (const edge of edges) if (!touchesSelected(edge)) drawEdge(context, scene, edge, false);
  for (const edge of edges) if (touchesSelected(edge)) drawEdge(context, scene, edge, true);
  for (let row = rows.first; row < rows.end; row++) drawNode(context, scene, row);
}

function centerY(scene: LanesScene, row: number): number {
  return (row - scene.rows.first) * kRowHeight + kRowHeight / 2;
}

function xOf(scene: LanesScene, lane: number): number {
  return laneX(lane, scene.picture.lanes, scene.width);
}

// A band behind the ops of a chain: filled when it is completed, dashed when it failed; its letter beside the first op.
function drawChain(context: CanvasRenderingContext2D, scene: LanesScene, chain: ChainLane): void {
  const [first, last] = [chain.rows[0] ?? -1, chain.rows.at(-1) ?? -1];
  if (first < 0 || last < scene.rows.first || first >= scene.rows.end) return;
  const x = xOf(scene, chain.lane + 1);
  const [top, bottom] = [centerY(scene, first) - 10, centerY(scene, last) + 10];
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

function drawNode(context: CanvasRenderingContext2D, scene: LanesScene, index: number): void {
  const { palette, picture } = scene;
  const row = scene.run.rows[index]!;
  const x = xOf(scene, picture.laneOf[index]!);
  const y = centerY(scene, index);
  const color = row.verdict !== null ? palette.bad : palette.kinds[placeOfRow(scene.run, index)];
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  switch (row.kind) {
    case 'reshard':
      polygon(context, [
        [x, y - 6],
        [x + 6, y],
        [x, y + 6],
        [x - 6, y],
      ]);
      context.fillStyle = palette.reshard;
      break;
    case 'spill':
      polygon(context, [
        [x - 6, y - 4.5],
        [x + 6, y - 4.5],
        [x, y + 6],
      ]);
      context.fillStyle = palette.bad;
      break;
    case 'reload':
      polygon(context, [
        [x - 6, y + 4.5],
        [x + 6, y + 4.5],
        [x, y - 6],
      ]);
      context.fillStyle = palette.reshard;
      break;
    case 'return':
      polygon(context, [
        [x - 6, y - 4.5],
        [x + 6, y - 4.5],
        [x, y + 6],
      ]);
      break;
    case 'terminator':
      context.rect(x - 4, y - 4, 8, 8);
      context.fillStyle = palette.panel;
      break;
    default:
      context.arc(x, y, picture.chainStart[index] === 1 ? 5 : 4, 0, 2 * Math.PI);
      if (row.verdict !== null || picture.chainStart[index] === 1) context.fillStyle = palette.panel;
  }
  context.fill();
  if (row.kind === 'terminator' || (row.kind === 'op' && context.fillStyle !== color)) context.stroke();
  if (index === scene.selected) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.stroke();
  }
}

function polygon(context: CanvasRenderingContext2D, points: readonly (readonly [number, number])[]): void {
  points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
}
