// One picture of the lab: a window of elements on a canvas, with pointer, arrow keys, and a table for those who do not
// see it.

import { css, html, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';

import { cellAt, frameOf, nextElement, overviewOf, spotAt, unpack, type Cells, type Frame } from './cells';
import { paint, readLabPalette } from './draw';
import { describeSpot } from './describe';
import type { PictureKind, Spot } from './model';
import type { LabDrawn, LabFields, LabWindow } from '../model/generated/layout';
import { sharedStyles, TesseraElement } from '../view/element';
import { panelStyles } from './panel_styles';

export type LabMove =
  | { readonly kind: 'element'; readonly element: number }
  | { readonly kind: 'step'; readonly axis: 'row' | 'col' | 'outer'; readonly by: number };

const kSteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const kTallest = 420; // CSS pixels of a picture

export class LabPicture extends TesseraElement {
  static override properties = {
    kind: {},
    heading: {},
    note: {},
    drawn: { attribute: false },
    fields: { attribute: false },
    hover: { attribute: false },
    theme: {},
    width_: { state: true },
    tableOpen_: { state: true },
  };
  declare kind: PictureKind;
  declare heading: string;
  declare note: string;
  declare drawn: LabDrawn;
  declare fields: LabFields;
  declare hover: Spot | null;
  declare theme: string;
  declare width_: number;
  declare tableOpen_: boolean;

  private cells_: Cells | null = null;
  private cellsOf_: LabWindow | null = null;
  private readonly observer_ = new ResizeObserver(() => (this.width_ = this.clientWidth));

  constructor() {
    super();
    this.hover = null;
    this.theme = '';
    this.width_ = 400;
    this.tableOpen_ = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer_.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer_.disconnect();
  }

  private get window(): LabWindow {
    return this.drawn.windows[this.kind];
  }
  private get cells(): Cells {
    if (this.cells_ === null || this.cellsOf_ !== this.window) {
      this.cellsOf_ = this.window;
      this.cells_ = unpack(this.window, this.drawn.valueBits);
    }
    return this.cells_;
  }
  private get frame(): Frame {
    return frameOf(this.cells, this.width_ - 22, kTallest);
  }
  // The cell of the cursor, in the stored picture only when it shows the cursor's core.
  private get cursorCell(): number {
    return this.cells.where.get(this.drawn.cursor.element) ?? -1;
  }
  private get hoverCell(): number {
    if (this.hover === null) return -1;
    if (this.hover.picture === this.kind)
      return this.hover.row < this.cells.rows && this.hover.col < this.cells.cols
        ? this.hover.row * this.cells.cols + this.hover.col
        : -1;
    return this.hover.element >= 0 ? (this.cells.where.get(this.hover.element) ?? -1) : -1;
  }

  protected override updated(_changed: PropertyValues): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const { frame } = this;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(frame.width * scale), Math.round(frame.height * scale)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.setProperty('width', `${frame.width}px`);
      canvas.style.setProperty('height', `${frame.height}px`);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const cores = this.drawn.cores;
    paint(context, readLabPalette(this), {
      cells: this.cells,
      frame,
      origin: this.window.origin,
      gridCols: this.drawn.grid.at(-1) ?? 1,
      tile: this.kind === 'stored' && this.fields.tiled ? this.fields.tile : null,
      cursor: this.cursorCell,
      hover: this.hoverCell,
      label: (position) =>
        this.kind === 'stored' || cores === undefined || position * 4 + 2 >= cores.length
          ? ''
          : `${cores[position * 4 + 1]},${cores[position * 4 + 2]}`,
    });
  }

  private emitHover(spot: Spot | null): void {
    this.dispatchEvent(new CustomEvent<Spot | null>('lab-hover', { detail: spot, bubbles: true, composed: true }));
  }
  private emitMove(move: LabMove): void {
    this.dispatchEvent(new CustomEvent<LabMove>('lab-move', { detail: move, bubbles: true, composed: true }));
  }

  private at(event: PointerEvent | MouseEvent): number {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return cellAt(this.cells, this.frame, event.clientX - box.left, event.clientY - box.top);
  }
  private onPointer(event: PointerEvent): void {
    const at = this.at(event);
    this.emitHover(at < 0 ? null : spotAt(this.kind, this.cells, at));
  }
  private onClick(event: MouseEvent): void {
    const at = this.at(event);
    const element = at < 0 ? -1 : this.cells.element[at]!;
    if (element >= 0) this.emitMove({ kind: 'element', element });
  }

  // The arrow keys move over elements; padding is passed over, and beyond the window the logical index goes on.
  private onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = kSteps[event.key];
    const from = this.cursorCell;
    const { cols } = this.cells;
    if (step !== undefined) {
      const next = from < 0 ? -1 : nextElement(this.cells, from, step[0], step[1]);
      if (this.kind !== 'logical' && next >= 0) this.emitMove({ kind: 'element', element: this.cells.element[next]! });
      else this.emitMove({ kind: 'step', axis: step[0] === 0 ? 'col' : 'row', by: step[0] + step[1] });
    } else if (event.key === 'PageUp' || event.key === 'PageDown') {
      this.emitMove({ kind: 'step', axis: 'outer', by: event.key === 'PageUp' ? -1 : 1 });
    } else if ((event.key === 'Home' || event.key === 'End') && from >= 0) {
      const begin = Math.floor(from / cols) * cols;
      const row = [...this.cells.element.slice(begin, begin + cols)].filter((element) => element >= 0);
      const element = event.key === 'Home' ? row[0] : row.at(-1);
      if (element !== undefined) this.emitMove({ kind: 'element', element });
    } else return;
    event.preventDefault();
  }

  private range(): string {
    const { extent, origin, size } = this.window;
    const all = size[0] === extent[0] && size[1] === extent[1];
    if (all) return `all ${extent[0]} rows × ${extent[1]} columns`;
    return (
      `rows ${origin[0]}–${origin[0] + size[0] - 1} of ${extent[0]}, columns ` +
      `${origin[1]}–${origin[1] + size[1] - 1} of ${extent[1]}`
    );
  }

  protected override render(): TemplateResult {
    const outer = this.window.outer;
    return html`${this.overview()}
      <h2>${this.heading}</h2>
      <p class="dim note">${this.note}</p>
      <p class="dim range">
        ${outer.length > 0 ? html`at <b class="mono">[${outer.join(', ')}, …]</b>, ` : nothing}${this.range()}
      </p>
      <canvas
        tabindex="0"
        role="application"
        aria-label="${this.heading}, ${this.range()}. The arrow keys move over elements."
        @pointermove=${this.onPointer}
        @pointerleave=${() => this.emitHover(null)}
        @click=${this.onClick}
        @keydown=${this.onKey}
      ></canvas>
      <details @toggle=${(event: Event) => (this.tableOpen_ = (event.target as HTMLDetailsElement).open)}>
        <summary>As a table</summary>
        ${this.tableOpen_ ? this.table() : nothing}
      </details>`;
  }

  // The whole picture in small, when only a part of it is drawn: the grid's cuts, and the part.
  private overview(): TemplateResult | typeof nothing {
    const { extent, size } = this.window;
    if (size[0] === extent[0] && size[1] === extent[1]) return nothing;
    const shard =
      this.kind === 'physical'
        ? (this.drawn.scalarShard ?? (this.fields.memory.endsWith('sharded') ? this.drawn.stored : null))
        : null;
    const overview = overviewOf(
      this.window,
      shard === null || shard.length < 2 ? null : [shard.at(-2)!, shard.at(-1)!],
    );
    const { window: part } = overview;
    return html`<svg
      class="overview"
      width=${overview.width + 2}
      height=${overview.height + 2}
      viewBox="-1 -1 ${overview.width + 2} ${overview.height + 2}"
      aria-hidden="true"
      data-tip="The whole of ${extent[0]}×${extent[1]}; the filled part is drawn below"
    >
      <rect class="whole" width=${overview.width} height=${overview.height} />
      ${overview.cutsX.map(
        (x) => svg`<path class="cut" d="M${x} 0V${overview.height}"/>`,
      )}${overview.cutsY.map((y) => svg`<path class="cut" d="M0 ${y}H${overview.width}"/>`)}
      ${svg`<rect class="part" x=${part.x} y=${part.y} width=${part.width} height=${part.height}/>`}
    </svg>`;
  }

  private table(): TemplateResult {
    const { cells } = this;
    const rows = [...Array(cells.rows).keys()];
    const cols = [...Array(cells.cols).keys()];
    const [row0, col0] = this.window.origin;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${this.heading} as a table">
      <table>
        <thead>
          <tr>
            <td></td>
            ${cols.map((col) => html`<th scope="col">${col0 + col}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${row0 + row}</th>
                ${cols.map(
                  (col) =>
                    html`<td>
                      ${describeSpot(spotAt(this.kind, cells, row * cells.cols + col), this.drawn, this.fields, true)}
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      :host {
        min-width: 0;
        overflow: hidden;
      }
      .overview {
        float: right;
        margin: 2px 0 6px 10px;
      }
      .whole {
        fill: var(--soft);
        stroke: var(--dim);
      }
      .cut {
        stroke: var(--dim);
        opacity: 0.6;
      }
      .part {
        fill: var(--accent);
        opacity: 0.75;
      }
      canvas,
      details {
        clear: both;
      }
      .note {
        line-height: 1.4;
      }
      .range {
        margin: 2px 0 6px;
        font-size: 12px;
      }
      .range b {
        font-weight: 600;
        color: var(--ink);
      }
      canvas {
        display: block;
        cursor: crosshair;
        touch-action: pan-y;
        border-radius: 4px;
      }
      details {
        margin-top: 6px;
      }
      summary {
        cursor: pointer;
        color: var(--dim);
        font-size: 12px;
      }
      .scroll {
        max-height: 260px;
        overflow: auto;
        border: 1px solid var(--line);
        margin-top: 4px;
      }
      table {
        border-collapse: collapse;
        font: 11px var(--mono);
      }
      td,
      th {
        border: 1px solid var(--line);
        padding: 2px 6px;
        white-space: nowrap;
        text-align: left;
        font-weight: 400;
      }
      th {
        color: var(--dim);
      }
    `,
  ];
}

customElements.define('lab-picture', LabPicture);
