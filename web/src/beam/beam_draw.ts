// Draws a window of the beams and of L1 onto canvases.

import type { Palette } from '../view/palette';
import { patternFor } from '../view/patterns';
import type { RowWindow } from '../view/schedule_geometry';
import { kRow, slotSize, slotX } from './beam_geometry';
import type { BeamEdge, BeamPicture } from '../view/beam_picture';

export interface BeamScene {
  readonly picture: BeamPicture;
  readonly rows: RowWindow;
  readonly palette: Palette;
  readonly selected: number; // op
  readonly history: ReadonlySet<string>; // "op:slot": what leads to the selected entry
  readonly dpr: number;
  readonly gap: number; // between two entries
}

export function drawBeams(context: CanvasRenderingContext2D, scene: BeamScene): void {
  const traced = (edge: BeamEdge): boolean =>
    scene.history.has(`${edge.from}:${edge.fromSlot}`) && scene.history.has(`${edge.to}:${edge.toSlot}`);
  // What has one entry only (a cached weight) says nothing to readers far below, and would cross the whole picture.
  const telling = (edge: BeamEdge): boolean =>
    edge.to - edge.from === 1 || (scene.picture.ops[edge.from]?.beam.length ?? 0) > 1 || traced(edge);
  const edges = scene.picture.index
    .touching(scene.rows.first, scene.rows.end - 1)
    .map((edge) => scene.picture.edges[edge]!)
    .filter(telling);
  context.lineWidth = 1;
  context.strokeStyle = scene.palette.dim;
  context.globalAlpha = 0.28;
  for (const edge of edges) if (!edge.chosen && !traced(edge)) stroke(context, scene, edge);
  context.globalAlpha = 1;
  context.lineWidth = 1.75;
  context.strokeStyle = scene.palette.ink;
  for (const edge of edges) if (edge.chosen && !traced(edge)) stroke(context, scene, edge);
  context.strokeStyle = scene.palette.accent;
  context.lineWidth = 2;
  for (const edge of edges) if (traced(edge)) stroke(context, scene, edge);
  context.setLineDash([]);
  for (let at = scene.rows.first; at < scene.rows.end; at++) drawEntries(context, scene, at);
}

const centre = (scene: BeamScene, at: number): number => (at - scene.rows.first) * kRow + kRow / 2;

// From the bottom of the producer's entry to the top of the reader's; an edge that passes ops bows to the right of its
// ends.
function stroke(context: CanvasRenderingContext2D, scene: BeamScene, edge: BeamEdge): void {
  const half = slotSize(scene.gap) / 2;
  const [x1, x2] = [slotX(edge.fromSlot, scene.gap), slotX(edge.toSlot, scene.gap)];
  const [y1, y2] = [centre(scene, edge.from) + half, centre(scene, edge.to) - half];
  context.setLineDash(edge.reshard ? [3, 3] : []);
  context.beginPath();
  context.moveTo(x1, y1);
  const bow = edge.to - edge.from > 1 ? Math.min(10, 3 + (edge.to - edge.from) / 2) : 0;
  const reach = Math.min(kRow, (y2 - y1) / 2);
  context.bezierCurveTo(x1 + bow, y1 + reach, x2 + bow, y2 - reach, x2, y2);
  context.stroke();
}

function drawEntries(context: CanvasRenderingContext2D, scene: BeamScene, at: number): void {
  const { picture, palette } = scene;
  const op = picture.ops[at];
  if (op === undefined) return;
  const size = slotSize(scene.gap);
  const fork = picture.forkAt.get(at);
  const y = centre(scene, at);
  op.beam.forEach((entry, slot) => {
    const x = slotX(slot, scene.gap);
    const { kind } = picture.layout(entry.output);
    const color = palette.kinds[kind];
    const chosen = slot === op.chosen;
    context.beginPath();
    context.roundRect(x - size / 2, y - size / 2, size, size, 2);
    context.fillStyle = palette.panel;
    context.fill();
    context.globalAlpha = chosen ? 0.95 : 0.3;
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = 1;
    const pattern = size > 7 && !chosen ? patternFor(context, kind, color, scene.dpr) : null;
    if (pattern !== null) {
      context.fillStyle = pattern;
      context.fill();
    }
    context.strokeStyle = scene.history.has(`${at}:${slot}`) ? palette.accent : chosen ? palette.ink : color;
    context.lineWidth = chosen || scene.history.has(`${at}:${slot}`) ? 1.75 : 1;
    context.stroke();
    const votes = fork?.votes[slot] ?? 0;
    if (votes > 0 && size >= 9) drawVotes(context, scene, x, y, votes, chosen);
  });
}

// How many readers of a fork would have liked this entry.
function drawVotes(
  context: CanvasRenderingContext2D,
  scene: BeamScene,
  x: number,
  y: number,
  votes: number,
  chosen: boolean,
): void {
  context.font = '600 9px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = chosen ? scene.palette.panel : scene.palette.ink;
  context.fillText(votes > 9 ? '+' : String(votes), x, y + 0.5);
  context.textAlign = 'start';
}

// Bytes per core of tensors and circular buffers against the budget; a mark where something had to leave.
export function drawL1(context: CanvasRenderingContext2D, scene: BeamScene, width: number): void {
  const { picture, palette, rows } = scene;
  const left = 14; // of the bars; marks stand before them
  const room = width - left - 6;
  const most = picture.live.reduce((top, { tensors, circular }) => Math.max(top, tensors + circular), picture.budget);
  const at = (bytes: number): number => left + (bytes / most) * room;
  for (let op = rows.first; op < rows.end; op++) {
    const live = picture.live[op];
    if (live === undefined) continue;
    const y = (op - rows.first) * kRow + 6;
    context.fillStyle = palette.line;
    context.globalAlpha = 0.45;
    context.fillRect(left, y, room, kRow - 12);
    context.globalAlpha = 1;
    context.fillStyle = palette.kinds.height;
    context.fillRect(left, y, Math.max(live.tensors > 0 ? 1 : 0, at(live.tensors) - left), kRow - 12);
    const hatch = patternFor(context, 'circular', palette.circular, scene.dpr);
    if (live.circular > 0 && hatch !== null) {
      context.fillStyle = hatch;
      context.fillRect(
        at(live.tensors),
        y,
        Math.max(1, at(live.tensors + live.circular) - at(live.tensors)),
        kRow - 12,
      );
    }
    drawMarks(context, scene, op, y + (kRow - 12) / 2);
  }
  context.strokeStyle = palette.bad;
  context.setLineDash([4, 3]);
  context.lineWidth = 1.25;
  context.beginPath();
  context.moveTo(at(picture.budget), 0);
  context.lineTo(at(picture.budget), (rows.end - rows.first) * kRow);
  context.stroke();
  context.setLineDash([]);
}

// A triangle for what was evicted, a diamond for a result that went elsewhere, a cross for what does not fit.
function drawMarks(context: CanvasRenderingContext2D, scene: BeamScene, at: number, y: number): void {
  const events = scene.picture.eventsAt.get(at);
  if (events === undefined) return;
  const kinds = new Set(events.map(({ kind }) => kind));
  context.fillStyle = context.strokeStyle =
    kinds.has('evict') || kinds.has('fail') ? scene.palette.bad : scene.palette.reshard;
  context.lineWidth = 2;
  context.beginPath();
  if (kinds.has('fail')) {
    polyline(context, [3, y - 4], [11, y + 4]);
    polyline(context, [11, y - 4], [3, y + 4]);
    return context.stroke();
  }
  if (kinds.has('evict')) polyline(context, [2, y - 4], [12, y - 4], [7, y + 5]);
  else polyline(context, [7, y - 5], [12, y], [7, y + 5], [2, y]);
  context.closePath();
  context.fill();
}

function polyline(context: CanvasRenderingContext2D, ...points: readonly (readonly [number, number])[]): void {
  points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
}
