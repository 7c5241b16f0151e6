// The L1 maps of two runs over each other, in one scale: an op that is selected in one is selected in the other, and
// both scroll to the same ops.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatBytes } from '../model/format';
import type { Options } from '../model/option_values';
import type { Report, Run } from '../model/report';
import { badge, badgeStyles } from '../view/badge';
import { pixelRatio, readyCanvas } from '../view/canvas';
import { cssProps, sharedStyles } from '../view/element';
import { drawMap } from '../view/map_draw';
import { boxAt, type MapPicture } from '../view/map_geometry';
import { bufferTip, stepTip } from '../view/map_tip';
import { kindWord, rowTitle } from '../view/names';
import { readPalette, type Palette } from '../view/palette';
import { rowsFrom } from '../view/row_order';
import { kRowHeight, openingRow, scrollToShow, windowFor, type RowWindow } from '../view/schedule_geometry';
import { runTitle } from './compare_model';
import { letter } from './letters';
import { inOneScale, livesElsewhere, mapOf, rowNamed, sameRow } from './maps_model';
import { SizedElement } from '../view/sized_element';

const kNames = 250; // CSS pixels of the names beside a map, less where it is narrow

interface Panel {
  readonly at: number; // run
  readonly run: Run;
  readonly other: Run;
  readonly picture: MapPicture;
}

export class TesseraCompareMaps extends SizedElement {
  static override properties = {
    reports: { attribute: false },
    order: { attribute: false },
    runs: { attribute: false },
    selected: { attribute: false },
    themeKey: { type: String },
    pair_: { state: true },
    tops_: { state: true },
    width_: { state: true },
    tip_: { state: true },
  };
  declare reports: readonly Report[];
  declare order: readonly number[]; // runs that have a result, the fastest first
  declare runs: readonly Options[];
  declare selected: string; // name of an op's result
  declare themeKey: string;
  declare pair_: readonly [number, number]; // runs that were chosen; -1: the first of the order
  declare tops_: readonly [number, number];
  declare width_: number;
  declare tip_: string;

  private panels_: readonly Panel[] = [];
  private palette_: Palette | null = null;
  private led_ = -1; // panel that was scrolled along: its own scroll event moves nothing

  constructor() {
    super();
    this.reports = [];
    this.order = [];
    this.runs = [];
    this.selected = '';
    this.themeKey = '';
    this.pair_ = [-1, -1];
    this.tops_ = [0, 0];
    this.width_ = 0;
    this.tip_ = '';
  }

  protected override resized(): void {
    this.width_ = this.clientWidth;
  }

  // The two runs of the maps: those chosen, else the fastest and the next whose plan is another.
  private get shown(): readonly number[] {
    const [first, second] = this.pair_;
    const a = this.order.includes(first) ? first : this.order[0];
    const plan = this.reports[a ?? -1]?.run?.plan;
    const others = this.order.filter((at) => at !== a);
    const other = others.find((at) => this.reports[at]?.run?.plan !== plan) ?? others[0];
    const b = this.order.includes(second) ? second : other;
    return a === undefined || b === undefined ? [] : [a, b];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('themeKey')) this.palette_ = null;
    const found = this.shown.flatMap((at) => {
      const { run = null, device = null } = this.reports[at] ?? {};
      return run === null || device === null ? [] : [{ at, run, picture: mapOf(run, device) }];
    });
    const pictures = inOneScale(found.map(({ picture }) => picture));
    this.panels_ =
      found.length < 2
        ? []
        : found.map(({ at, run }, place) => ({
            ...{ at, run, other: found[1 - place]!.run, picture: pictures[place]! },
          }));
  }

  private scroller(place: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-panel="${place}"]`);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('selected') || changed.has('reports') || changed.has('pair_')) this.reveal();
    this.panels_.forEach((panel, place) => this.draw(panel, place));
  }

  // The selected op; without one, where the runs begin to compute.
  private reveal(): void {
    this.panels_.forEach(({ run }, place) => {
      const row = this.selected === '' ? -1 : rowNamed(run, this.selected);
      const box = this.scroller(place);
      if (box === null || (row < 0 && box.scrollTop > 0)) return;
      const next = row < 0 ? openingRow(run.rows) * kRowHeight : scrollToShow(row, box.scrollTop, box.clientHeight);
      if (next !== box.scrollTop) box.scrollTop = next;
    });
  }

  private rowsOf(place: number): RowWindow {
    const panel = this.panels_[place]!;
    return windowFor(this.tops_[place]!, this.scroller(place)?.clientHeight ?? 300, panel.run.rows.length);
  }

  private get mapWidth(): number {
    const width = Math.max(0, this.width_ - 18); // a scroll bar
    return Math.max(80, width - this.namesWidth);
  }
  private get namesWidth(): number {
    return this.width_ < 620 ? 130 : kNames;
  }

  private draw({ run, picture }: Panel, place: number): void {
    const rows = this.rowsOf(place);
    const selected = this.selected === '' ? -1 : rowNamed(run, this.selected);
    const height = (rows.end - rows.first) * kRowHeight;
    const context = readyCanvas(this.renderRoot, `[data-panel="${place}"] canvas`, this.mapWidth, height);
    if (context === null) return;
    const row = run.rows[selected];
    drawMap(context, {
      ...{ run, picture, rows, selected },
      order: rowsFrom(0, run.rows.length),
      width: this.mapWidth,
      dpr: pixelRatio(),
      hovered: null,
      palette: (this.palette_ ??= readPalette(this)),
      results: new Set(row?.results),
      operands: new Set(row?.operands),
      font: '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    });
  }

  private onScroll(place: number): void {
    const box = this.scroller(place);
    const panel = this.panels_[place];
    if (box === null || panel === undefined) return;
    const tops: [number, number] = [...this.tops_];
    tops[place] = box.scrollTop;
    const along = this.scroller(1 - place);
    if (this.led_ === place) this.led_ = -1;
    else if (along !== null) {
      const row = Math.floor(box.scrollTop / kRowHeight);
      const before = along.scrollTop;
      along.scrollTop = sameRow(panel.run, panel.other, row) * kRowHeight + (box.scrollTop - row * kRowHeight);
      if (along.scrollTop !== before) this.led_ = 1 - place;
      tops[1 - place] = along.scrollTop;
    }
    this.tops_ = tops;
  }

  private choose(run: Run, row: number): void {
    const found = run.rows[row];
    if (found === undefined || found.kind !== 'op' || found.name === '') return;
    this.send({ type: 'find', key: { name: found.name, label: found.label, row }, stay: true });
  }

  private under(event: MouseEvent, place: number): { row: number; x: number } {
    const body = this.renderRoot.querySelector(`[data-panel="${place}"] .body`)!.getBoundingClientRect();
    return {
      row: Math.floor((event.clientY - body.top) / kRowHeight),
      x: event.clientX - body.left - this.namesWidth,
    };
  }

  private onClick(event: MouseEvent, place: number): void {
    const { run, picture } = this.panels_[place]!;
    const { row, x } = this.under(event, place);
    const box = x < 0 ? null : boxAt(picture, row, x, this.mapWidth);
    this.choose(run, run.values[box?.value ?? -1]?.producer ?? row);
  }

  private onMove(event: PointerEvent, place: number): void {
    const { run, picture } = this.panels_[place]!;
    const { row, x } = this.under(event, place);
    const step = run.rows[row];
    const box = x < 0 ? null : boxAt(picture, row, x, this.mapWidth);
    this.tip_ = box !== null ? bufferTip(run, box) : x < 0 || step === undefined ? '' : stepTip(run, picture, row);
  }

  private onKey(event: KeyboardEvent, place: number): void {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { run } = this.panels_[place]!;
    const step = Math.sign(by);
    let at = this.selected === '' ? -1 : rowNamed(run, this.selected);
    for (let left = Math.abs(by), next = at + step; left > 0 && next >= 0 && next < run.rows.length; next += step)
      if (run.rows[next]!.kind === 'op' && run.rows[next]!.name !== '') [at, left] = [next, left - 1];
    this.choose(run, at);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.panels_.length < 2) return nothing;
    return html`<section aria-label="L1 maps of two runs">
      <h2>L1 of two runs, in one scale</h2>
      ${this.panels_.map((panel, place) => this.renderPanel(panel, place))}
    </section>`;
  }

  private renderPanel(panel: Panel, place: number): TemplateResult {
    const { at, run } = panel;
    const title = (of: number): string =>
      `${letter(of)} ${runTitle(this.reports[of] ?? null, this.runs[of] ?? {}, this.runs)}`;
    return html`<div class="head">
        <select
          aria-label=${place === 0 ? 'Run of the upper map' : 'Run of the lower map'}
          @change=${(event: Event) => this.choosePair(place, Number((event.target as HTMLSelectElement).value))}
        >
          ${this.order.map((of) => html`<option value=${of} .selected=${of === at}>${title(of)}</option>`)}
        </select>
        <span class="dim"
          >peak ${formatBytes(run.totals.peakL1)} of ${formatBytes(run.l1Budget)} per core, step
          ${run.totals.peakStep}</span
        >
      </div>
      <div
        class="scroller"
        data-panel=${place}
        tabindex="0"
        role="group"
        aria-label="L1 map of run ${letter(at)}"
        @scroll=${() => this.onScroll(place)}
        @keydown=${(event: KeyboardEvent) => this.onKey(event, place)}
      >
        <div
          class="body"
          data-tip=${this.tip_ === '' ? nothing : this.tip_}
          ${cssProps({ height: `${run.rows.length * kRowHeight}px`, '--names': `${this.namesWidth}px` })}
          @click=${(event: MouseEvent) => this.onClick(event, place)}
          @pointermove=${(event: PointerEvent) => this.onMove(event, place)}
          @pointerleave=${() => (this.tip_ = '')}
        >
          ${this.renderRows(panel, place)}
        </div>
      </div>`;
  }

  private choosePair(place: number, run: number): void {
    const [a, b] = this.shown as [number, number];
    const other = place === 0 ? b : a;
    // The run of the other map changes places with this one's.
    const swapped = run === other ? (place === 0 ? a : b) : other;
    this.pair_ = place === 0 ? [run, swapped] : [swapped, run];
  }

  private renderRows(panel: Panel, place: number): TemplateResult {
    const { run, other } = panel;
    const { first, end } = this.rowsOf(place);
    const height = (end - first) * kRowHeight;
    const placed = { transform: `translateY(${first * kRowHeight}px)`, height: `${height}px` };
    return html`<div class="names" ${cssProps(placed)}>
        ${run.rows.slice(first, end).map((row, index) => {
          const at = first + index;
          const elsewhere = livesElsewhere(run, other, at);
          const layout = run.values[row.results[0] ?? -1]?.layout ?? null;
          return html`<div
            class="row ${row.kind === 'op' && row.name === this.selected ? 'selected' : ''} ${elsewhere ? 'other' : ''}"
          >
            <span class="mark" data-tip=${elsewhere ? 'Lives elsewhere in the other run' : nothing}
              >${elsewhere ? '≠' : ''}</span
            ><span class="name mono" data-clip>${rowTitle(run, row)} <i>${kindWord(row)}</i></span
            >${row.results.length > 0 ? badge(layout) : nothing}
          </div>`;
        })}
      </div>
      <canvas
        aria-hidden="true"
        ${cssProps({ ...placed, width: `${this.mapWidth}px`, left: `${this.namesWidth}px` })}
      ></canvas>`;
  }

  static override styles = [
    sharedStyles,
    badgeStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      h2 {
        font-size: 14px;
        margin: 10px 0 2px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 12px;
        align-items: center;
        padding: 4px 0;
      }
      select {
        max-width: 320px;
      }
      .scroller {
        height: clamp(150px, 26vh, 300px);
        overflow: auto;
        overflow-x: hidden;
        border: 1px solid var(--line);
      }
      .body {
        position: relative;
        contain: layout paint;
      }
      .names,
      canvas {
        position: absolute;
        top: 0;
        left: 0;
      }
      .names {
        width: 100%;
      }
      canvas {
        pointer-events: none; /* what it shows is told by the rows' own handlers */
      }
      .row {
        height: var(--row);
        display: grid;
        grid-template-columns: 16px minmax(0, 1fr) auto;
        gap: 4px;
        align-items: center;
        padding-right: calc(100% - var(--names) + 6px);
        border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
      }
      .row.selected {
        background: var(--select);
        box-shadow: inset 3px 0 var(--accent);
      }
      .mark {
        text-align: center;
        color: var(--reshard);
        font-weight: 700;
      }
      .name {
        font-size: 12px;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .name i {
        font-style: normal;
        color: var(--dim);
      }
      @media (max-width: 820px) {
        .row .badge {
          display: none;
        }
      }
    `,
  ];
}

customElements.define('tessera-compare-maps', TesseraCompareMaps);
