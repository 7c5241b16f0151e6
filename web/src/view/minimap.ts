// The whole run over the schedule: where its time goes, how full L1 is and where tensors leave it. The frame is what
// the schedule shows; it is moved by a click, by dragging or with keys, and a long run can be looked at in part.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { Run } from '../model/report';
import { readyCanvas } from './canvas';
import { cssProps, sharedStyles } from './element';
import { drawMinimap, kMinimapHeight } from './minimap_draw';
import { buildColumns, following, stepsText, within, zoomed, type MinimapColumn, type Steps } from './minimap_geometry';
import { readPalette, type Palette } from './palette';
import { rowsFrom, type RowOrder } from './row_order';
import { timeScale } from './time_geometry';
import { SizedElement } from './sized_element';

const kZoomable = 80; // steps from which there is something to enlarge
const kHelp =
  'The whole run, its steps from left to right. Upper bars: time of a step; lower bars: L1 per core, tensors and ' +
  'circular buffers, against the budget (dashed). Triangles: tensors that leave L1. Click or drag to go there';

export class TesseraMinimap extends SizedElement {
  static override properties = {
    run: { attribute: false },
    from: { type: Number },
    order: { attribute: false },
    marked: { attribute: false },
    selected: { type: Number },
    themeKey: { type: String },
    range_: { state: true },
    width_: { state: true },
    tip_: { state: true },
  };

  declare run: Run | null;
  declare from: number; // the first step that is drawn: those before cost nothing and are folded
  declare order: RowOrder; // of the schedule
  declare marked: readonly number[] | null; // rows that are found or pass a filter
  declare selected: number;
  declare themeKey: string;
  declare range_: Steps | null; // that are drawn; null: all
  declare width_: number;
  declare tip_: string;

  private seen_: Steps = { from: 0, end: 0 }; // in the schedule
  private columns_: readonly MinimapColumn[] = [];
  private palette_: Palette | null = null;
  private timeScale_ = 0;
  private grip_: number | null = null; // while it is dragged: steps from the frame's middle to the pointer
  private frame_ = 0;
  private framed_ = 0; // steps that the frame is wide

  constructor() {
    super();
    this.run = null;
    this.from = 0;
    this.order = rowsFrom(0, 0);
    this.marked = null;
    this.selected = -1;
    this.themeKey = '';
    this.range_ = null;
    this.width_ = 0;
    this.tip_ = '';
  }

  // What the schedule shows, in its lines.
  show(top: number, lines: number): void {
    const { order } = this;
    const last = Math.min(order.lines - 1, Math.ceil(top + lines) - 1);
    this.seen_ =
      order.lines === 0 ? { from: 0, end: 0 } : { from: order.rowAt(Math.floor(top)), end: order.rowAt(last) + 1 };
    if (this.range_ !== null) this.range_ = following(this.range_, this.whole, this.seen_);
    if (this.frame_ === 0) this.frame_ = requestAnimationFrame(() => this.place());
  }

  private get whole(): Steps {
    const rows = this.run?.rows.length ?? 0;
    return { from: Math.min(this.from, rows), end: rows };
  }
  private get range(): Steps {
    return this.range_ ?? this.whole;
  }

  protected override resized(): void {
    this.width_ = this.renderRoot.querySelector<HTMLElement>('.strip')?.clientWidth ?? 0;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('themeKey')) this.palette_ = null;
    if (changed.has('run')) this.timeScale_ = this.run === null ? 0 : timeScale(this.run.rows);
    if (changed.has('run') || changed.has('from')) this.keepRange(changed.get('run') ?? null);
    if (['run', 'from', 'range_', 'width_'].some((name) => changed.has(name as keyof TesseraMinimap)))
      this.columns_ = this.run === null ? [] : buildColumns(this.run, this.range, this.width_);
  }

  // Another run of the same length is looked at in the same part.
  private keepRange(before: Run | null): void {
    const { run } = this;
    if (this.range_ === null || run === null) return;
    this.range_ = before === null || before.function !== run.function ? null : within(this.range_, this.whole);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const drawn = ['run', 'from', 'range_', 'width_', 'marked', 'themeKey'];
    if (drawn.some((name) => changed.has(name as keyof TesseraMinimap))) this.draw();
    this.place();
  }

  private draw(): void {
    const context = readyCanvas(this.renderRoot, 'canvas', this.width_, kMinimapHeight);
    if (context === null || this.run === null) return;
    drawMinimap(context, {
      columns: this.columns_,
      range: this.range,
      marked: this.marked,
      timeScale: this.timeScale_,
      budget: this.run.l1Budget,
      width: this.width_,
      palette: (this.palette_ ??= readPalette(this)),
    });
  }

  // The frame and what it says; nothing is rendered for it.
  private place(): void {
    cancelAnimationFrame(this.frame_);
    this.frame_ = 0;
    const strip = this.renderRoot.querySelector<HTMLElement>('.strip');
    const frame = this.renderRoot.querySelector<HTMLElement>('.frame');
    if (strip === null || frame === null || this.run === null) return;
    const { from, end } = this.seen_;
    // A line more or less while it scrolls is not worth a layout.
    if (Math.abs(this.framed_ - (end - from)) > 1 || this.width_ === 0) this.framed_ = end - from;
    const left = Math.max(0, this.xOf(from));
    const width = Math.round(Math.max(6, Math.min(this.width_ - left, this.xOf(from + this.framed_) - this.xOf(from))));
    frame.style.setProperty('transform', `translateX(${Math.min(left, this.width_ - width)}px)`);
    if (frame.style.width !== `${width}px`) frame.style.setProperty('width', `${width}px`);
    strip.setAttribute('aria-valuenow', String(from));
    strip.setAttribute('aria-valuetext', stepsText(this.run, this.seen_));
  }

  private xOf(step: number): number {
    const { from, end } = this.range;
    return ((step - from) / Math.max(1, end - from)) * this.width_;
  }

  private stepAt(event: PointerEvent | WheelEvent): number {
    const { left } = this.renderRoot.querySelector('.strip')!.getBoundingClientRect();
    const { from, end } = this.range;
    return from + ((event.clientX - left) / Math.max(1, this.width_)) * (end - from);
  }

  private go(step: number): void {
    const { from, end } = this.whole;
    const row = Math.min(end - 1, Math.max(from, Math.floor(step)));
    this.dispatchEvent(new CustomEvent('minimap-go', { detail: row }));
  }

  private zoom(factor: number, around = (this.seen_.from + this.seen_.end) / 2): void {
    const { whole } = this;
    const next = zoomed(this.range, whole, around, factor);
    this.range_ = next.end - next.from >= whole.end - whole.from ? null : next;
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const step = this.stepAt(event);
    const { from, end } = this.seen_;
    this.grip_ = step >= from && step <= end ? step - (from + end) / 2 : 0;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.go(step - this.grip_);
  };
  private readonly onMove = (event: PointerEvent): void => {
    const step = this.stepAt(event);
    if (this.grip_ !== null) return this.go(step - this.grip_);
    const column = this.columns_.find(({ from, end }) => step >= from && step < end);
    this.tip_ = column === undefined || this.run === null ? '' : stepsText(this.run, column);
  };
  private readonly onUp = (): void => {
    this.grip_ = null;
  };
  private readonly onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.stepAt(event));
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { from, end } = this.seen_;
    const [page, middle] = [Math.max(1, end - from), (from + end) / 2];
    const moves: Record<string, () => void> = {
      ArrowRight: () => this.go(middle + Math.max(1, page / 4)),
      ArrowLeft: () => this.go(middle - Math.max(1, page / 4)),
      ArrowUp: () => this.go(middle - Math.max(1, page / 4)),
      ArrowDown: () => this.go(middle + Math.max(1, page / 4)),
      PageDown: () => this.go(middle + page),
      PageUp: () => this.go(middle - page),
      Home: () => this.go(this.whole.from),
      End: () => this.go(this.whole.end - 1),
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      '0': () => (this.range_ = null),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  protected override render(): TemplateResult | typeof nothing {
    const { run } = this;
    if (run === null) return nothing;
    const { from, end } = this.whole;
    const chosen = this.selected >= this.range.from && this.selected < this.range.end;
    return html`<div
        class="strip"
        role="slider"
        tabindex="0"
        aria-label="Whole run"
        aria-orientation="horizontal"
        aria-valuemin=${from}
        aria-valuemax=${Math.max(from, end - 1)}
        aria-valuenow=${this.seen_.from}
        data-tip=${this.tip_ === '' ? kHelp : this.tip_}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointercancel=${this.onUp}
        @pointerleave=${() => (this.tip_ = '')}
        @wheel=${this.onWheel}
        @keydown=${this.onKey}
      >
        <canvas aria-hidden="true" ${cssProps({ width: `${this.width_}px`, height: `${kMinimapHeight}px` })}></canvas>
        <i class="chosen" ?hidden=${!chosen} ${cssProps({ transform: `translateX(${this.xOf(this.selected)}px)` })}></i>
        <i class="frame"></i>
      </div>
      ${end - from < kZoomable ? nothing : this.renderZoom()}`;
  }

  private renderZoom(): TemplateResult {
    return html`<span class="zoom" role="group" aria-label="Zoom of the whole run">
      <button
        class="btn quiet"
        aria-label="Fewer steps, larger"
        data-tip="Fewer steps, larger (+, or Ctrl and the wheel)"
        @click=${() => this.zoom(0.5)}
      >
        +
      </button>
      <button
        class="btn quiet"
        aria-label="More steps, smaller"
        data-tip="More steps, smaller (−)"
        ?disabled=${this.range_ === null}
        @click=${() => this.zoom(2)}
      >
        −
      </button>
    </span>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex !important;
        background: var(--panel);
        overflow: hidden;
      }
      .strip {
        flex: 1;
        min-width: 0;
        position: relative;
        cursor: pointer;
        touch-action: none;
        contain: strict; /* its frame moves while the schedule scrolls */
      }
      .strip:focus-visible {
        outline-offset: -2px;
      }
      canvas {
        display: block;
      }
      .frame {
        position: absolute;
        inset: 0 auto 0 0;
        width: 6px;
        border: 2px solid var(--ink);
        border-radius: 4px;
        background: color-mix(in srgb, var(--ink) 7%, transparent);
        pointer-events: none;
      }
      .chosen {
        position: absolute;
        inset: 0 auto 0 0;
        width: 2px;
        background: var(--accent);
        pointer-events: none;
      }
      .zoom {
        display: grid;
        flex: none;
        border-left: 1px solid var(--line);
      }
      .zoom .btn {
        min-height: 25px;
        padding: 0 8px;
        border-radius: 0;
      }
      @media (max-width: 820px) and (pointer: coarse) {
        .zoom {
          grid-auto-flow: column;
        }
        .zoom .btn {
          justify-content: center;
        }
      }
    `,
  ];
}

customElements.define('tessera-minimap', TesseraMinimap);
