// Draws the strip of the whole run: moves on top, then the time of the steps, then L1 against its budget.

import type { MinimapColumn, MinimapMark, Steps } from './minimap_geometry';
import type { Palette } from './palette';

export interface MinimapScene {
  readonly columns: readonly MinimapColumn[];
  readonly range: Steps;
  readonly marked: readonly number[] | null; // rows
  readonly timeScale: number; // ns that are as high as can be
  readonly budget: number; // bytes per core
  readonly width: number;
  readonly palette: Palette;
}

export const kMinimapHeight = 51;
const kMarks = 8; // height of the moves
const kTimeBase = 28;
const kL1Base = 50;
const kL1High = 19; // the budget is as high
const kLeastApart = 5; // two marks

export function drawMinimap(context: CanvasRenderingContext2D, scene: MinimapScene): void {
  const { columns, width, palette } = scene;
  if (columns.length === 0) return;
  const each = width / columns.length;
  const wide = each > 3 ? each - 1 : each;
  drawMarked(context, scene);
  columns.forEach(({ time, tensors, circular }, at) => {
    const x = at * each;
    context.fillStyle = palette.dim;
    const long = Math.min(1, time / Math.max(1, scene.timeScale)) * (kTimeBase - kMarks - 2);
    if (long > 0) context.fillRect(x, kTimeBase - Math.max(0.5, long), wide, Math.max(0.5, long));
    const high = (bytes: number): number => (bytes / Math.max(1, scene.budget)) * kL1High;
    context.fillStyle = palette.accent;
    context.fillRect(x, kL1Base - Math.min(kL1High + 2, high(tensors)), wide, Math.min(kL1High + 2, high(tensors)));
    if (circular <= 0) return;
    const top = Math.max(kTimeBase + 1, kL1Base - high(tensors + circular));
    context.fillStyle = palette.circular;
    context.fillRect(x, top, wide, Math.max(0, kL1Base - high(tensors) - top));
  });
  drawLines(context, scene);
  drawMarks(context, scene, each);
}

// Behind everything, so that it can be told from moves.
function drawMarked(context: CanvasRenderingContext2D, { marked, range, width, palette }: MinimapScene): void {
  if (marked === null) return;
  const scale = width / Math.max(1, range.end - range.from);
  context.fillStyle = palette.reshard;
  context.globalAlpha = 0.3;
  for (const row of marked)
    if (row >= range.from && row < range.end)
      context.fillRect((row - range.from) * scale, kMarks, Math.max(1, scale), kMinimapHeight - kMarks);
  context.globalAlpha = 1;
}

function drawLines(context: CanvasRenderingContext2D, { width, palette }: MinimapScene): void {
  context.strokeStyle = palette.bad;
  context.lineWidth = 1;
  context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(0, kL1Base - kL1High - 0.5);
  context.lineTo(width, kL1Base - kL1High - 0.5);
  context.stroke();
  context.setLineDash([]);
}

// The graver move stands where two are too close for both; lines so far apart leave time and L1 to be seen.
function drawMarks(context: CanvasRenderingContext2D, { columns, palette }: MinimapScene, each: number): void {
  const colors: Readonly<Record<MinimapMark, string>> = {
    failure: palette.bad,
    spill: palette.bad,
    reload: palette.reshard,
    reshard: palette.reshard,
    demotion: palette.dim,
    return: palette.dim,
  };
  const taken: number[] = [];
  for (const grave of [
    ['failure', 'spill'],
    ['reload', 'reshard'],
    ['demotion', 'return'],
  ] as const)
    columns.forEach(({ mark }, at) => {
      if (mark === null || !(grave as readonly string[]).includes(mark)) return;
      const x = (at + 0.5) * each;
      if (taken.some((other) => Math.abs(other - x) < kLeastApart)) return;
      taken.push(x);
      if (mark === 'spill' || mark === 'failure') {
        context.fillStyle = palette.bad;
        context.fillRect(x - 0.5, kMarks - 1, 1, kMinimapHeight - kMarks);
      }
      context.fillStyle = context.strokeStyle = colors[mark];
      drawMark(context, mark, x);
    });
}

// As in the lanes: down leaves L1, up comes back, a diamond is another layout; a cross does not fit.
function drawMark(context: CanvasRenderingContext2D, mark: MinimapMark, x: number): void {
  context.beginPath();
  if (mark === 'failure') {
    context.lineWidth = 1.75;
    line(context, [x - 3, 1], [x + 3, 7]);
    line(context, [x + 3, 1], [x - 3, 7]);
    return context.stroke();
  }
  if (mark === 'reload') line(context, [x - 3.5, 7], [x + 3.5, 7], [x, 1]);
  else if (mark === 'reshard') line(context, [x, 0.5], [x + 3.5, 4], [x, 7.5], [x - 3.5, 4]);
  else line(context, [x - 3.5, 1], [x + 3.5, 1], [x, 7]);
  context.closePath();
  context.fill();
}

function line(context: CanvasRenderingContext2D, ...points: readonly (readonly [number, number])[]): void {
  points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
}
