// Canvases that are drawn in CSS pixels on screens of any density.

import { kTile } from './patterns';

export function pixelRatio(): number {
  return Math.max(1, window.devicePixelRatio || 1);
}

// The context of that canvas, as large as asked and empty; null when there is nothing to draw on.
export function readyCanvas(
  root: ParentNode,
  selector: string,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const canvas = root.querySelector<HTMLCanvasElement>(selector);
  if (canvas === null || width <= 0 || height <= 0) return null;
  resize(canvas, width, height);
  return cleared(canvas, width, height);
}

// True when the canvas had another size: it is empty then.
function resize(canvas: HTMLCanvasElement, width: number, height: number): boolean {
  const dpr = pixelRatio();
  const [pixelWidth, pixelHeight] = [Math.round(width * dpr), Math.round(height * dpr)];
  if (canvas.width === pixelWidth && canvas.height === pixelHeight) return false;
  canvas.width = pixelWidth;
  canvas.height = pixelHeight;
  return true;
}

function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const dpr = pixelRatio();
  const context = canvas.getContext('2d');
  context?.setTransform(dpr, 0, 0, dpr, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

// A part of a picture that is higher than its canvas, in CSS pixels.
interface Part {
  readonly width: number;
  readonly height: number;
  readonly top: number; // of the picture, where the canvas begins
  readonly scene: readonly unknown[]; // what the picture is made of: the same parts look the same
}

const shown = new WeakMap<HTMLCanvasElement, Part>();

// What the canvas shows already is moved, and the rest drawn: `draw` gets a band of the canvas, the origin at its top.
export function drawPart(
  root: ParentNode,
  selector: string,
  part: Part,
  draw: (context: CanvasRenderingContext2D, from: number, to: number) => void,
): void {
  const { width, height, top, scene } = part;
  const canvas = root.querySelector<HTMLCanvasElement>(selector);
  if (canvas === null || width <= 0 || height <= 0) return;
  const before = resize(canvas, width, height) ? undefined : shown.get(canvas);
  const same = before?.scene.length === scene.length && scene.every((one, at) => one === before.scene[at]);
  const by = same ? top - before!.top : height;
  if (by === 0) return;
  shown.set(canvas, part);
  const dpr = pixelRatio();
  const context = canvas.getContext('2d');
  if (context === null) return;
  const fits = Number.isInteger(by * dpr) && by % kTile === 0; // patterns go on where the parts meet
  if (Math.abs(by) >= height || !fits) {
    cleared(canvas, width, height);
    return draw(context, 0, height);
  }
  const [from, to] = by > 0 ? [height - by, height] : [0, -by];
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalCompositeOperation = 'copy'; // what comes into view is empty
  context.drawImage(canvas, 0, -by * dpr);
  context.globalCompositeOperation = 'source-over';
  context.setTransform(dpr, 0, 0, dpr, 0, from * dpr);
  context.save();
  context.beginPath();
  context.rect(0, 0, width, to - from);
  context.clip();
  draw(context, from, to);
  context.restore();
}
