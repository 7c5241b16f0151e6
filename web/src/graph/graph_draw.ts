// Draws the part of the graph that is in view onto a canvas: with names where there is room for them, else as boxes.

import { formatPercent } from '../model/format';
import { kindText } from '../model/layout_kind';
import type { MoveKind } from '../model/moves';
import type { Palette } from '../view/palette';
import { patternFor } from '../view/patterns';
import type { ChainGraph, GraphEdge, GraphNode } from './graph_model';
import type { LayoutOutput } from './layers';

export interface Camera {
  readonly x: number; // of the graph, in its own pixels, at the left edge
  readonly y: number;
  readonly scale: number;
}

export interface GraphScene {
  readonly graph: ChainGraph;
  readonly laid: LayoutOutput;
  readonly byLayer: readonly (readonly number[])[]; // nodes
  readonly edgesByLayer: readonly (readonly number[])[]; // those that touch it
  readonly camera: Camera;
  readonly width: number;
  readonly height: number;
  readonly focused: number; // node, -1: none
  readonly chosen: number;
  readonly totalTime: number;
  readonly palette: Palette;
  readonly dpr: number;
}

// Pixels of the graph.
export const kColumn = 216;
export const kLayer = 74;
export const kNodeWide = 196;
export const kNodeHigh = 44;
const kNamesFrom = 0.5; // scale
const kBoxesFrom = 0.12;
const kFont = '12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const kSmall = '11px system-ui, sans-serif';
const kCharacter = 7.3; // width of one of kFont

export const nodeX = (laid: LayoutOutput, node: number): number => laid.x[node]! * kColumn;
export const nodeY = (laid: LayoutOutput, node: number): number => (laid.layer[node]! + 0.5) * kLayer;

export function drawGraph(context: CanvasRenderingContext2D, scene: GraphScene): void {
  const { camera, byLayer, edgesByLayer, height } = scene;
  context.save();
  context.scale(camera.scale, camera.scale);
  context.translate(-camera.x, -camera.y);
  const first = Math.max(0, Math.floor(camera.y / kLayer) - 1);
  const last = Math.min(byLayer.length - 1, Math.ceil((camera.y + height / camera.scale) / kLayer));
  const edges = new Set<number>();
  for (let layer = first; layer <= last; layer++) for (const edge of edgesByLayer[layer]!) edges.add(edge);
  const touches = ({ from, to }: GraphEdge): boolean => [from, to].some((end) => end === scene.focused);
  for (const strong of [false, true])
    for (const edge of edges) if (touches(scene.graph.edges[edge]!) === strong) drawEdge(context, scene, edge, strong);
  for (let layer = first; layer <= last; layer++) for (const node of byLayer[layer]!) drawNode(context, scene, node);
  context.restore();
}

function drawEdge(context: CanvasRenderingContext2D, scene: GraphScene, index: number, strong: boolean): void {
  const { graph, laid, palette, camera } = scene;
  const edge = graph.edges[index]!;
  const [upper, lower] = edge.from < edge.to ? [edge.from, edge.to] : [edge.to, edge.from];
  const left = edge.moves.some((kind) => kind === 'spill');
  const inL1 = edge.place !== 'dram' && edge.place !== 'system' && edge.moves.length === 0;
  context.strokeStyle = strong ? palette.accent : left ? palette.bad : inL1 ? palette.kinds[edge.place] : palette.dim;
  context.lineWidth = Math.max(1, (strong ? 2.5 : inL1 ? 2 : 1.25) * Math.min(1, camera.scale * 1.6)) / camera.scale;
  context.setLineDash(inL1 ? [] : [5, 4]);
  context.beginPath();
  const [begin, end] = [laid.starts[index]!, laid.starts[index + 1]!];
  const bottom = nodeY(laid, lower) - kNodeHigh / 2;
  let [x, y] = [nodeX(laid, upper), nodeY(laid, upper) + kNodeHigh / 2];
  context.moveTo(x, y);
  for (let point = begin + 1; point < end; point++) {
    const lastPoint = point === end - 1;
    const nextX = laid.points[point]! * kColumn;
    const nextY = lastPoint ? bottom : (laid.layer[upper]! + (point - begin) + 0.5) * kLayer;
    const bend = (nextY - y) / 2;
    context.bezierCurveTo(x, y + bend, nextX, nextY - bend, nextX, nextY);
    [x, y] = [nextX, nextY];
  }
  context.stroke();
  context.setLineDash([]);
  if (camera.scale >= kBoxesFrom && edge.moves.length > 0) drawMoves(context, scene, edge.moves, x, bottom - 11);
}

// As in the lanes of the schedule, above what reads the moved tensor.
function drawMoves(
  context: CanvasRenderingContext2D,
  { palette }: GraphScene,
  moves: readonly MoveKind[],
  x: number,
  y: number,
): void {
  moves.forEach((kind, at) => {
    const left = x + (at - (moves.length - 1) / 2) * 15;
    context.fillStyle =
      kind === 'spill' ? palette.bad : kind === 'reload' || kind === 'reshard' ? palette.reshard : palette.dim;
    context.strokeStyle = palette.panel;
    context.lineWidth = 1.5;
    const corners = kShapes[kind === 'reload' || kind === 'reshard' ? kind : 'leaves'];
    context.beginPath();
    corners.forEach(([dx, dy], corner) =>
      corner === 0 ? context.moveTo(left + dx, y + dy) : context.lineTo(left + dx, y + dy),
    );
    context.closePath();
    context.fill();
    context.stroke();
  });
}

type Corners = readonly (readonly [number, number])[];
const kShapes: Readonly<Record<'reload' | 'reshard' | 'leaves', Corners>> = {
  reload: [
    [-6.5, 5],
    [6.5, 5],
    [0, -6],
  ],
  reshard: [
    [0, -6.5],
    [6.5, 0],
    [0, 6.5],
    [-6.5, 0],
  ],
  leaves: [
    [-6.5, -5],
    [6.5, -5],
    [0, 6],
  ],
};

function drawNode(context: CanvasRenderingContext2D, scene: GraphScene, at: number): void {
  const { graph, laid, palette, camera } = scene;
  const node = graph.nodes[at]!;
  const [left, top] = [nodeX(laid, at) - kNodeWide / 2, nodeY(laid, at) - kNodeHigh / 2];
  if (left > camera.x + scene.width / camera.scale || left + kNodeWide < camera.x) return;
  const color = palette.kinds[node.place];
  if (camera.scale < kBoxesFrom) {
    context.fillStyle = at === scene.chosen ? palette.accent : color;
    context.fillRect(left, top, kNodeWide, kNodeHigh);
    return;
  }
  context.beginPath();
  context.roundRect(left, top, kNodeWide, kNodeHigh, node.kind === 'input' || node.kind === 'return' ? 20 : 6);
  context.fillStyle = palette.panel;
  context.fill();
  context.globalAlpha = 0.14;
  context.fillStyle = color;
  context.fill();
  context.globalAlpha = 1;
  drawShare(context, scene, node, left, top, color);
  const ring = at === scene.focused || at === scene.chosen;
  context.strokeStyle = ring ? palette.accent : color;
  context.lineWidth = ring ? 3 : node.kind === 'chain' ? 2 : 1;
  context.beginPath();
  context.roundRect(left, top, kNodeWide, kNodeHigh, node.kind === 'input' || node.kind === 'return' ? 20 : 6);
  context.stroke();
  if (camera.scale >= kNamesFrom) drawNames(context, scene, node, left, top);
  if ((node.spills ?? 0) > 0) drawMoves(context, scene, ['spill'], left + kNodeWide - 2, top + 4);
}

// Along the lower edge: its part of the time of the run.
function drawShare(
  context: CanvasRenderingContext2D,
  { totalTime, dpr }: GraphScene,
  node: GraphNode,
  left: number,
  top: number,
  color: string,
): void {
  if (node.time <= 0) return;
  const share = Math.min(1, node.time / Math.max(1, totalTime));
  context.fillStyle = patternFor(context, node.place === 'none' ? 'dram' : node.place, color, dpr) ?? color;
  context.fillRect(left + 2, top + kNodeHigh - 7, Math.max(1, Math.sqrt(share) * (kNodeWide - 4)), 6);
  context.fillStyle = color;
  context.fillRect(left + 2, top + kNodeHigh - 8, Math.max(1, Math.sqrt(share) * (kNodeWide - 4)), 1);
}

function drawNames(
  context: CanvasRenderingContext2D,
  { palette, totalTime }: GraphScene,
  node: GraphNode,
  left: number,
  top: number,
): void {
  context.textBaseline = 'middle';
  context.fillStyle = palette.ink;
  context.font = kFont;
  const room = Math.floor((kNodeWide - 16) / kCharacter);
  context.fillText(node.title.length <= room ? node.title : `${node.title.slice(0, room - 1)}…`, left + 8, top + 13);
  context.fillStyle = palette.dim;
  context.font = kSmall;
  const share = node.time > 0 ? ` · ${formatPercent(node.time, totalTime)}` : '';
  context.fillText(
    `${node.mixed ? 'mostly ' : ''}${kindText(node.place)} · ${node.detail}${share}`,
    left + 8,
    top + 28,
    kNodeWide - 16,
  );
}
