// The part of a canvas that lanes and map draw with, writing SVG.

const kStyle = ['fillStyle', 'strokeStyle'] as const;

interface Tile {
  readonly id: string;
}

interface Saved {
  readonly transform: string;
}

export class SvgCanvas {
  fillStyle: string | CanvasPattern | CanvasGradient = '#000';
  strokeStyle: string | CanvasPattern | CanvasGradient = '#000';
  globalAlpha = 1;
  lineWidth = 1;
  font = '';
  textBaseline = 'alphabetic';
  private readonly parts_: string[] = [];
  private path_ = '';
  private dash_ = '';
  private transform_ = '';
  private readonly saved_: Saved[] = [];
  private readonly tiles_ = new Map<string, Tile>();

  toString(): string {
    return this.parts_.join('\n');
  }

  // A tile that fills a plane: patterns.ts.
  tilePattern(key: string, size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasPattern {
    let tile = this.tiles_.get(key);
    if (tile === undefined) {
      tile = { id: `tile-${this.tiles_.size}` };
      this.tiles_.set(key, tile);
      const canvas = new SvgCanvas();
      draw(canvas as unknown as CanvasRenderingContext2D);
      const open = `<pattern id="${tile.id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">`;
      this.parts_.push(`${open}${canvas.toString()}</pattern>`);
    }
    return tile as unknown as CanvasPattern;
  }
  setLineDash(dash: readonly number[]): void {
    this.dash_ = dash.join(' ');
  }
  save(): void {
    this.saved_.push({ transform: this.transform_ });
  }
  restore(): void {
    this.transform_ = this.saved_.pop()?.transform ?? '';
  }
  translate(x: number, y: number): void {
    this.transform_ += `translate(${round(x)} ${round(y)})`;
  }
  rotate(angle: number): void {
    this.transform_ += `rotate(${round((angle * 180) / Math.PI)})`;
  }
  beginPath(): void {
    this.path_ = '';
  }
  moveTo(x: number, y: number): void {
    this.path_ += `M${round(x)} ${round(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.path_ += `${this.path_ === '' ? 'M' : 'L'}${round(x)} ${round(y)}`;
  }
  bezierCurveTo(a: number, b: number, c: number, d: number, x: number, y: number): void {
    this.path_ += `C${[a, b, c, d, x, y].map(round).join(' ')}`;
  }
  closePath(): void {
    this.path_ += 'Z';
  }
  arc(x: number, y: number, radius: number): void {
    const r = round(radius);
    this.path_ += `M${round(x - radius)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.path_ += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`;
  }
  roundRect(x: number, y: number, width: number, height: number): void {
    this.rect(x, y, width, height);
  }
  fill(): void {
    this.add(`<path d="${this.path_}" ${this.paint(0)}`);
  }
  stroke(): void {
    this.add(`<path d="${this.path_}" ${this.paint(1)}`);
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.add(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${this.paint(0)}`,
    );
  }
  strokeRect(x: number, y: number, width: number, height: number): void {
    this.add(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${this.paint(1)}`,
    );
  }
  fillText(text: string, x: number, y: number): void {
    const size = /(\d+)px/.exec(this.font)?.[1] ?? '11';
    const middle = this.textBaseline === 'middle' ? ' dominant-baseline="central"' : '';
    this.parts_.push(
      `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${middle}${this.where()} ${this.paint(0)}>` +
        `${escapeXml(text)}</text>`,
    );
  }

  private add(open: string): void {
    this.parts_.push(`${open}${this.where()}/>`);
  }
  private where(): string {
    return this.transform_ === '' ? '' : ` transform="${this.transform_}"`;
  }
  private paint(which: 0 | 1): string {
    const style = this[kStyle[which]];
    const color = typeof style === 'string' ? escapeXml(style) : `url(#${(style as unknown as Tile).id})`;
    const alpha = this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : '';
    if (which === 0) return `fill="${color}"${alpha}`;
    const dash = this.dash_ === '' ? '' : ` stroke-dasharray="${this.dash_}"`;
    return `fill="none" stroke="${color}" stroke-width="${this.lineWidth}"${dash}${alpha}`;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '·')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
