// The cores of the device and what each stores: filled as far as its places hold elements. A click shows a core's
// storage.

import { css, html, nothing, svg, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, plural } from '../model/format';
import type { DeviceInfo } from '../model/report';
import { sharedStyles, TesseraElement } from '../view/element';
import { colourOf } from './cells';
import type { Spot } from './model';
import type { LabDrawn, LabFields } from '../model/generated/layout';
import { panelStyles } from './panel_styles';

export interface CoreCell {
  readonly position: number; // -1: nothing is stored here
  readonly x: number;
  readonly y: number;
  readonly fill: number; // 0..1 of its places hold elements; -1: not counted
  readonly elements: number;
}

// Every core of one device (or every bank, in one row), row by row.
export function coreCells(
  cores: readonly number[],
  places: number,
  device: number,
  rows: number,
  cols: number,
): CoreCell[] {
  const cells: CoreCell[] = [];
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < cols; x++) cells.push({ position: -1, x, y, fill: 0, elements: 0 });
  for (let at = 0; at + 3 < cores.length; at += 4) {
    const [on, x, y, elements] = [cores[at]!, cores[at + 1]!, cores[at + 2]!, cores[at + 3]!];
    if (on !== device || x >= cols || y >= rows) continue;
    cells[y * cols + x] = {
      position: at / 4,
      x,
      y,
      elements,
      fill: elements < 0 ? -1 : elements / Math.max(1, places),
    };
  }
  return cells;
}

const kSide = 40;
const kGap = 4;

export class LabCores extends TesseraElement {
  static override properties = {
    drawn: { attribute: false },
    fields: { attribute: false },
    deviceInfo: { attribute: false },
    hover: { attribute: false },
  };
  declare drawn: LabDrawn;
  declare fields: LabFields;
  declare deviceInfo: DeviceInfo | null;
  declare hover: Spot | null;

  constructor() {
    super();
    this.hover = null;
    this.deviceInfo = null;
  }

  private show(position: number): void {
    this.dispatchEvent(new CustomEvent<number>('lab-look', { detail: position, bubbles: true, composed: true }));
  }

  // The first core of another device.
  private showDevice(device: number): void {
    const cores = this.drawn.cores ?? [];
    for (let at = 0; at < cores.length; at += 4) if (cores[at] === device) return this.show(at / 4);
  }

  protected override render(): TemplateResult {
    const { drawn, fields } = this;
    const cores = drawn.cores ?? [];
    const banks = fields.view === 'ttnn' && (fields.buffer === 'dram' || fields.buffer === 'trace');
    const host = fields.buffer === 'system' || fields.buffer === 'mmio';
    const what = banks ? 'DRAM bank' : host ? 'part in host memory' : 'core';
    const title = banks ? 'DRAM banks' : host ? 'Host memory' : 'Cores';
    if (cores.length === 0)
      return html`<h2>${title}</h2>
        <p class="dim">${formatInteger(drawn.positions)} positions: too many to draw one by one.</p>`;
    const shown = drawn.windows.position;
    const device = cores[shown * 4] ?? 0;
    const devices = Math.max(...cores.filter((_, at) => at % 4 === 0)) + 1;
    const [rows, cols] =
      banks || host ? [1, Math.max(...cores.filter((_, at) => at % 4 === 1)) + 1] : (this.deviceInfo?.grid ?? [8, 8]);
    const places = drawn.stored.reduce((product, dim) => product * dim, 1);
    const cells = coreCells(cores, places, device, rows, cols);
    const used = cells.filter((cell) => cell.position >= 0).length;
    const pitch = kSide + kGap;
    const gridCols = drawn.grid.at(-1) ?? 1;
    return html`<h2>${title}</h2>
      <p class="dim note">
        ${plural(used, what)} ${banks || host ? '' : `of ${rows * cols} (${rows}×${cols}) `}hold${used === 1 ? 's' : ''}
        ${formatBytes(drawn.bytes.perCore)} each. The filled part holds elements, the rest is padding. Click one to see
        what it stores.
      </p>
      ${
        devices > 1
          ? html`<label class="device"
              >Device
              <select @change=${(event: Event) => this.showDevice(Number((event.target as HTMLSelectElement).value))}>
                ${[...Array(Math.min(devices, 256)).keys()].map(
                  (number) => html`<option value=${number} .selected=${number === device}>${number}</option>`,
                )}
              </select></label
            >`
          : nothing
      }
      <svg
        viewBox="-12 -12 ${cols * pitch + 10} ${rows * pitch + 10}"
        role="group"
        aria-label="${title}: ${plural(used, what)} in use"
        class=${rows === 1 ? 'row' : ''}
      >
        ${[...Array(cols).keys()].map(
          (x) => svg`<text class="axis" x=${x * pitch + kSide / 2} y="-3" text-anchor="middle">${x}</text>`,
        )}
        ${
          rows > 1
            ? [...Array(rows).keys()].map(
                (y) => svg`<text class="axis" x="-4" y=${y * pitch + kSide / 2 + 3} text-anchor="end">${y}</text>`,
              )
            : nothing
        }
        ${cells.map((cell) => this.cell(cell, gridCols, shown, pitch))}
      </svg>`;
  }

  private cell(cell: CoreCell, gridCols: number, shown: number, pitch: number): TemplateResult {
    const [x, y] = [cell.x * pitch, cell.y * pitch];
    if (cell.position < 0) return svg`<rect class="idle" x=${x} y=${y} width=${kSide} height=${kSide} rx="5"/>`;
    const height = Math.round(kSide * (cell.fill < 0 ? 1 : cell.fill) * 10) / 10;
    const state = `${cell.position === shown ? ' shown' : ''}${this.hover?.position === cell.position ? ' hover' : ''}${
      this.drawn.cursor.position === cell.position ? ' cursor' : ''
    }`;
    const percent =
      cell.fill < 0
        ? ''
        : cell.fill > 0 && cell.fill < 0.01
          ? '<1%'
          : `${cell.fill === 1 ? 100 : Math.min(99, Math.round(cell.fill * 100))}%`;
    const label = `core x ${cell.x}, y ${cell.y}${
      cell.fill < 0 ? '' : `: ${formatInteger(cell.elements)} elements, ${percent} of its places`
    }`;
    return svg`<g class="core f${colourOf(cell.position, gridCols)}${state}" role="button"
        tabindex=${cell.position === shown ? 0 : -1} aria-label=${label} aria-pressed=${cell.position === shown}
        @click=${() => this.show(cell.position)} @keydown=${(event: KeyboardEvent) => this.onKey(event, cell)}>
      <rect class="base" x=${x} y=${y} width=${kSide} height=${kSide} rx="5"/>
        <rect class="fill" x=${x} y=${y + kSide - height} width=${kSide} height=${height} rx="5"/>
      <rect class="edge" x=${x + 0.5} y=${y + 0.5} width=${kSide - 1} height=${kSide - 1} rx="5"/>
        <text x=${x + kSide / 2} y=${y + kSide / 2 + 4} text-anchor="middle">${percent}</text></g>`;
  }

  private onKey(event: KeyboardEvent, cell: CoreCell): void {
    if (event.key === 'Enter' || event.key === ' ') this.show(cell.position);
    else {
      const by: Record<string, readonly [number, number]> = {
        ArrowLeft: [-1, 0],
        ArrowRight: [1, 0],
        ArrowUp: [0, -1],
        ArrowDown: [0, 1],
      };
      const step = by[event.key];
      if (step === undefined) return;
      const cores = this.drawn.cores ?? [];
      for (let at = 0; at + 3 < cores.length; at += 4) {
        if (
          cores[at] === cores[cell.position * 4] &&
          cores[at + 1] === cell.x + step[0] &&
          cores[at + 2] === cell.y + step[1]
        ) {
          this.show(at / 4);
          void this.focusShown(at / 4);
        }
      }
    }
    event.preventDefault();
  }

  // The focus follows when the answer shows the new core.
  private async focusShown(position: number): Promise<void> {
    for (let wait = 0; wait < 40 && this.drawn.windows.position !== position; wait++)
      await new Promise((done) => setTimeout(done, 25));
    await this.updateComplete;
    this.renderRoot.querySelector<SVGElement>('g.shown')?.focus();
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      :host {
        min-width: 0;
      }
      .note {
        line-height: 1.4;
        margin-bottom: 6px;
      }
      svg {
        display: block;
        width: 100%;
        max-width: 400px;
        max-height: 400px;
      }
      svg.row {
        max-width: 600px;
      }
      .device {
        display: block;
        margin-bottom: 6px;
      }
      .axis {
        font: 9px var(--mono);
        fill: var(--dim);
      }
      .idle {
        fill: none;
        stroke: var(--line);
        stroke-dasharray: 3 3;
      }
      .core {
        cursor: pointer;
        outline: none;
      }
      .core text {
        font: 600 10px var(--sans);
        fill: var(--ink);
        pointer-events: none;
      }
      .base {
        fill: var(--soft);
      }
      .fill {
        opacity: 0.4;
      }
      .edge {
        fill: none;
        stroke: var(--line);
      }
      .f0 .fill {
        fill: var(--block);
      }
      .f1 .fill {
        fill: var(--height);
      }
      .f2 .fill {
        fill: var(--interleaved);
      }
      .f3 .fill {
        fill: var(--width);
      }
      .f4 .fill {
        fill: var(--reshard);
      }
      .f5 .fill {
        fill: var(--dram);
      }
      .hover .edge {
        stroke: var(--ink);
        stroke-width: 2.5;
      }
      .shown .edge {
        stroke: var(--accent);
        stroke-width: 3;
      }
      .core:focus-visible .edge {
        stroke: var(--accent);
        stroke-width: 5;
      }
    `,
  ];
}

customElements.define('lab-cores', LabCores);
