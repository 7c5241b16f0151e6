// One fill pattern per layout kind, the same on the map, in badges and in the legend: bands of rows are horizontal
// lines, bands of columns vertical ones, blocks a grid, interleaved pages dots, circular buffers diagonal hatching.

import type { LayoutKind } from '../model/layout_kind';

export type PatternName = LayoutKind | 'circular';

export const kTile = 8; // CSS pixels

// A context that keeps tiles of its own, in place of bitmaps.
interface TileKeeper {
  readonly tilePattern: (
    key: string,
    size: number,
    draw: (context: CanvasRenderingContext2D) => void,
  ) => CanvasPattern | null;
}

const cache = new Map<string, CanvasPattern | null>();

export function patternFor(
  context: CanvasRenderingContext2D,
  name: PatternName,
  color: string,
  dpr: number,
): CanvasPattern | null {
  const keeper = context as Partial<TileKeeper>;
  if (keeper.tilePattern !== undefined)
    return keeper.tilePattern(`${name} ${color}`, kTile, (tile) => drawTile(tile, name, color));
  const key = `${name} ${color} ${dpr}`;
  let pattern = cache.get(key);
  if (pattern === undefined) {
    if (cache.size > 64) cache.clear();
    pattern = context.createPattern(tileBitmap(name, color, dpr), 'repeat');
    pattern?.setTransform(new DOMMatrix([1 / dpr, 0, 0, 1 / dpr, 0, 0]));
    cache.set(key, pattern);
  }
  return pattern;
}

function tileBitmap(name: PatternName, color: string, dpr: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const size = Math.max(4, Math.round(kTile * dpr));
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d')!;
  context.scale(size / kTile, size / kTile);
  drawTile(context, name, color);
  return canvas;
}

function drawTile(context: CanvasRenderingContext2D, name: PatternName, color: string): void {
  context.fillStyle = context.strokeStyle = color;
  context.lineWidth = 1;
  const half = kTile / 2;
  if (name === 'height' || name === 'block') context.fillRect(0, half, kTile, 1);
  if (name === 'width' || name === 'block') context.fillRect(half, 0, 1, kTile);
  if (name === 'interleaved' || name === 'single') {
    for (const [x, y] of [
      [2, 2],
      [6, 6],
    ] as const) {
      context.beginPath();
      context.arc(x, y, 1, 0, 2 * Math.PI);
      context.fill();
    }
  }
  if (name === 'circular') {
    context.lineWidth = 2;
    context.beginPath();
    for (const shift of [-kTile, 0, kTile]) {
      context.moveTo(shift - 1, kTile + 1);
      context.lineTo(shift + kTile + 1, -1);
    }
    context.stroke();
  }
}
