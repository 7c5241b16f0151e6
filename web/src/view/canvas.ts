// Canvases that are drawn in CSS pixels on screens of any density.

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
  const dpr = pixelRatio();
  const [pixelWidth, pixelHeight] = [Math.round(width * dpr), Math.round(height * dpr)];
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
  }
  const context = canvas.getContext('2d');
  context?.setTransform(dpr, 0, 0, dpr, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
