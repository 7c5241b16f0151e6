// The schedule: one row per op with lanes, badge and time bar, and the L1 map beside it on the same rows. Only the rows
// around the visible part are in the DOM. The canvases cover exactly these rows and scroll with them, so nothing
// drifts.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import type { RegretResult } from '../model/exact';
import type { DeviceInfo, Run } from '../model/report';
import type { ViewSettings } from '../model/state';
import { heatCells, type HeatCell } from '../model/regret_heat';
import { cssProps, sharedStyles, TesseraElement } from './element';
import { badgeStyles } from './badge';
import { pixelRatio, readyCanvas } from './canvas';
import { drawLanes } from './lanes_draw';
import { buildLanes, lanesWidth, type LanePicture } from './lanes_geometry';
import { drawMap } from './map_draw';
import { buildMap, type MapBox, type MapPicture } from './map_geometry';
import { mapTitle } from './map_title';
import { readPalette, type Palette } from './palette';
import { rowId, rowStyles, rowView, type RowContext } from './row_view';
import { anchoredTop, anchorOf, type Anchor } from './schedule_anchor';
import {
  clampSplit,
  defaultSplit,
  foldOf,
  hiddenRows,
  kRowHeight,
  openingRow,
  planColumns,
  scrollToShow,
  windowFor,
  type ColumnPlan,
  type Fold,
  type RowWindow,
} from './schedule_geometry';
import { findMatches, isNotable, searchTexts, stepThrough } from './schedule_search';
import { underPointer, type UnderPointer } from './schedule_pointer';
import { scheduleStyles } from './schedule_styles';
import { kColumnHelp, kColumnTitles, scheduleTools } from './schedule_tools';
import { splitter } from './splitter';
import { timeScale } from './time_geometry';
import { timePatterns, timeStyles } from './time_patterns';

export class TesseraSchedule extends TesseraElement {
  static override properties = {
    run: { attribute: false },
    device: { attribute: false },
    selected: { type: Number },
    query: { type: String },
    split: { attribute: false },
    show: { type: String },
    compact: { type: Boolean, reflect: true },
    whole: { type: Boolean },
    planned: { type: Boolean },
    heat: { type: Boolean },
    proving: { type: Boolean },
    regret: { attribute: false },
    loads: { type: Number },
    themeKey: { type: String },
    width_: { state: true },
    window_: { state: true },
    hovered_: { state: true },
    tip_: { state: true },
    unfolded_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, timeStyles, rowStyles, scheduleStyles];

  declare run: Run | null;
  declare device: DeviceInfo | null;
  declare selected: number;
  declare query: string;
  declare split: number | null;
  declare show: 'both' | 'table' | 'map';
  declare compact: boolean; // a narrow screen
  declare whole: boolean; // the map shows all of L1, not only what is used
  declare planned: boolean; // the map shows addresses planned ahead, not the runtime's
  declare heat: boolean; // a column for the regret of every op
  declare proving: boolean;
  declare regret: RegretResult | null; // of this run; null: not known yet
  declare loads: number; // counts the texts that were loaded: a new one is shown from its start
  declare themeKey: string; // changes when the colours do
  declare width_: number;
  declare window_: RowWindow;
  declare hovered_: MapBox | null;
  declare tip_: string; // of what is under the pointer on the map
  declare unfolded_: boolean; // the loads that a plan begins with are rows of their own

  private lanes_: LanePicture | null = null;
  private map_: MapPicture | null = null;
  private texts_: string[] | null = null; // made when somebody searches
  private matches_: number[] = [];
  private cells_: ReadonlyMap<number, HeatCell> = new Map();
  private timeScale_ = 0;
  private plan_: ColumnPlan | null = null;
  private palette_: Palette | null = null;
  private operandRows_: ReadonlySet<number> = new Set();
  private consumerRows_: ReadonlySet<number> = new Set();
  private shownLoads_ = -1;
  private viewHeight_ = 600;
  private fold_: Fold = { rows: 0, values: 0 };
  private anchor_: Anchor | null = null; // what is to stay where it is when another run is shown
  private readonly resize_ = new ResizeObserver(() => this.measure());

  constructor() {
    super();
    this.run = null;
    this.device = null;
    this.selected = -1;
    this.query = '';
    this.split = null;
    this.show = 'both';
    this.compact = false;
    this.whole = false;
    this.planned = false;
    this.heat = false;
    this.proving = false;
    this.regret = null;
    this.loads = 0;
    this.themeKey = '';
    this.width_ = 0;
    this.window_ = { first: 0, end: 0 };
    this.hovered_ = null;
    this.tip_ = '';
    this.unfolded_ = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resize_.disconnect();
  }
  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.resize_.observe(this);
  }
  protected override firstUpdated(): void {
    this.resize_.observe(this);
    this.measure();
  }

  focusSearch(): void {
    const search = this.renderRoot.querySelector<HTMLInputElement>('input[type=search]');
    search?.focus();
    search?.select();
  }
  focusGrid(): void {
    this.scroller?.focus({ preventScroll: true });
  }

  private get scroller(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.scroller');
  }

  private measure(): void {
    const scroller = this.scroller;
    if (scroller === null) return;
    this.viewHeight_ = scroller.clientHeight;
    this.width_ = scroller.clientWidth;
    this.moveWindow();
  }

  private moveWindow(): void {
    const next = this.windowNow();
    if (next.first !== this.window_.first || next.end !== this.window_.end) this.window_ = next;
  }

  private windowNow(): RowWindow {
    const top = this.scroller?.scrollTop ?? 0;
    return windowFor(top, this.viewHeight_, this.run?.rows.length ?? 0, this.folded);
  }

  private get folded(): number {
    return hiddenRows(this.fold_, this.unfolded_);
  }

  // Where a graph is shown first.
  scrollToOpening(): void {
    this.scroller?.scrollTo({ top: openingRow(this.run?.rows ?? [], this.folded) * kRowHeight });
    this.moveWindow();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const run = this.run;
    if (changed.has('run')) this.keepInView(changed.get('run') ?? null, changed.get('selected') ?? this.selected);
    if (this.folded > 0 && this.selected >= 0 && this.selected <= this.folded) this.unfolded_ = true;
    if (changed.has('run') || changed.has('device')) {
      this.lanes_ = run === null ? null : buildLanes(run);
      this.map_ = run === null || this.device === null ? null : buildMap(run, this.device, this.whole, this.planned);
      this.texts_ = null;
      this.timeScale_ = run === null ? 0 : timeScale(run.rows);
      this.hovered_ = null;
      this.tip_ = '';
    }
    if (changed.has('run') || changed.has('unfolded_') || changed.has('selected')) this.window_ = this.windowNow();
    if (changed.has('run') || changed.has('regret') || changed.has('heat'))
      this.cells_ = this.heat && run !== null && this.regret !== null ? heatCells(run, this.regret) : new Map();
    if ((changed.has('whole') || changed.has('planned')) && run !== null && this.device !== null)
      this.map_ = buildMap(run, this.device, this.whole, this.planned);
    if (changed.has('run') || changed.has('query')) this.matches_ = this.findMatches();
    if (changed.has('run') || changed.has('selected')) this.relateRows();
    if (changed.has('themeKey')) this.palette_ = null;
    const split = clampSplit(this.split ?? defaultSplit(this.width_), this.width_);
    this.plan_ = planColumns(this.width_, split, lanesWidth(this.lanes_?.lanes ?? 1), this.show, this.heat);
  }

  // Another run of the same graph keeps the selected op where it is, or the topmost one when none is in view.
  private keepInView(before: Run | null, selected: number): void {
    const top = this.scroller?.scrollTop ?? 0;
    this.anchor_ =
      before === null || this.run === null || this.shownLoads_ !== this.loads
        ? null
        : anchorOf(before.rows, { selected, top, height: this.viewHeight_ - this.headerHeight(), hidden: this.folded });
    this.fold_ = foldOf(this.run?.rows ?? []);
    if (this.shownLoads_ !== this.loads) this.unfolded_ = false;
  }

  private findMatches(): number[] {
    if (this.run === null || this.query.trim() === '') return [];
    this.texts_ ??= searchTexts(this.run);
    return findMatches(this.texts_, this.query);
  }

  private relateRows(): void {
    const run = this.run;
    const row = run?.rows[this.selected];
    this.operandRows_ = new Set(
      (row?.operands ?? []).map((value) => run!.values[value]?.producer ?? -1).filter((at) => at >= 0),
    );
    this.consumerRows_ = new Set((row?.results ?? []).flatMap((value) => run!.values[value]?.uses ?? []));
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('run') && this.run !== null && this.shownLoads_ !== this.loads) {
      this.shownLoads_ = this.loads;
      this.scrollToOpening();
    } else if (changed.has('run') && this.run !== null && this.anchor_ !== null) {
      const top = anchoredTop(this.anchor_, this.run.rows, this.folded);
      if (top !== null) this.scroller?.scrollTo({ top });
      this.moveWindow();
    }
    if ((changed.has('selected') || changed.has('run') || changed.has('show')) && this.selected >= 0)
      this.reveal(this.selected);
    this.draw();
  }

  private reveal(row: number): void {
    const scroller = this.scroller;
    if (scroller === null) return;
    const body = this.viewHeight_ - this.headerHeight();
    const next = scrollToShow(row - this.folded, scroller.scrollTop, body);
    if (next !== scroller.scrollTop) {
      scroller.scrollTop = next;
      this.moveWindow();
    }
  }

  private headerHeight(): number {
    return this.renderRoot.querySelector<HTMLElement>('.header')?.offsetHeight ?? 30;
  }

  private draw(): void {
    const { run, lanes_: lanes, map_: map, plan_: plan } = this;
    if (run === null || lanes === null || plan === null || run.rows.length === 0) return;
    const palette = (this.palette_ ??= readPalette(this));
    const rows = this.window_;
    const height = (rows.end - rows.first) * kRowHeight;
    const lanesContext = readyCanvas(this.renderRoot, '.lanes', plan.lanesWidth, height);
    if (lanesContext !== null) {
      drawLanes(lanesContext, { run, picture: lanes, rows, width: plan.lanesWidth, selected: this.selected, palette });
    }
    const mapContext = readyCanvas(this.renderRoot, '.map', plan.mapWidth, height);
    if (mapContext === null || map === null) return;
    const row = run.rows[this.selected];
    drawMap(mapContext, {
      run,
      picture: map,
      rows,
      width: plan.mapWidth,
      dpr: pixelRatio(),
      selected: this.selected,
      hovered: this.hovered_,
      palette,
      results: new Set(row?.results),
      operands: new Set(row?.operands),
      font: '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    });
  }

  protected override render(): TemplateResult {
    const run = this.run;
    const plan = this.plan_;
    const rows = run?.rows.length ?? 0;
    return html` ${this.renderTools()}
      <div
        class="scroller"
        role="grid"
        tabindex="0"
        aria-label="Schedule: one row per op"
        aria-rowcount=${rows + 1}
        aria-colcount=${plan?.columns.length ?? 0}
        aria-activedescendant=${this.selected >= 0 ? rowId(this.selected) : nothing}
        @scroll=${() => this.moveWindow()}
        @keydown=${this.onKey}
        ${cssProps({ '--columns': plan?.template ?? 'none', '--table': `${plan?.mapLeft ?? 0}px` })}
      >
        <div class="header" role="row" aria-rowindex="1">
          ${plan?.columns.map(
            (column) =>
              html`<span role="columnheader" class="h-${column}" data-tip=${kColumnHelp[column] || nothing}
                >${column === 'map' ? this.mapTitle(plan.mapWidth) : kColumnTitles[column]}</span
              >`,
          )}
        </div>
        <div
          class="body"
          role="rowgroup"
          data-tip=${this.tip_ === '' ? nothing : this.tip_}
          ${cssProps({ height: `${(rows - this.folded) * kRowHeight}px` })}
          @click=${this.onClick}
          @dblclick=${() => this.compact && this.send({ type: 'view', view: { tab: 'why' } })}
          @pointermove=${this.onMove}
          @pointerleave=${this.onLeave}
        >
          ${run === null || plan === null ? nothing : this.renderRows(run, plan)}
        </div>
      </div>
      ${
        plan === null || this.show !== 'both' || run === null
          ? nothing
          : splitter({
              left: plan.mapLeft,
              width: this.width_,
              share: this.split ?? defaultSplit(this.width_),
              set: (split) => this.send({ type: 'view', view: { split } }),
            })
      }
      ${timePatterns()}
      <p class="vh" role="status" aria-live="polite">${this.announcement()}</p>`;
  }

  private renderRows(run: Run, plan: ColumnPlan): TemplateResult {
    const context: RowContext = {
      run,
      columns: plan.columns,
      selected: this.selected,
      operandRows: this.operandRows_,
      consumerRows: this.consumerRows_,
      matches: this.query.trim() === '' ? null : new Set(this.matches_),
      timeScale: this.timeScale_,
      bars: plan.bars,
      heat: this.cells_,
      fold: this.fold_,
      hidden: this.folded,
      setFold: (open) => this.setFold(open),
    };
    const { first, end } = this.window_;
    const shown = Array.from({ length: Math.max(0, Math.min(end, run.rows.length) - first) }, (_, at) => first + at);
    // The active row stays in the DOM when it is scrolled away: screen readers follow aria-activedescendant to it.
    if (this.selected >= 0 && this.selected < run.rows.length && (this.selected < first || this.selected >= end))
      shown.push(this.selected);
    const top = `translateY(${(first - this.folded) * kRowHeight}px)`;
    const height = `${(end - first) * kRowHeight}px`;
    const canvas = (name: string, left: number, width: number): TemplateResult | typeof nothing => {
      const place = cssProps({ transform: top, height, width: `${width}px`, left: `${left}px` });
      return width > 0 ? html`<canvas class=${name} aria-hidden="true" ${place}></canvas>` : nothing;
    };
    return html`${repeat(
      shown,
      (row) => row,
      (row) => rowView(context, row),
    )}
    ${canvas('lanes', plan.lanesLeft, plan.lanesWidth)} ${canvas('map', plan.mapLeft, plan.mapWidth)}`;
  }

  private mapTitle(width: number): TemplateResult {
    const { run, map_: map, planned } = this;
    if (map === null || run === null || this.device === null) return html`L1 per core`;
    const set = (view: Partial<ViewSettings>): void => this.send({ type: 'view', view });
    return mapTitle({ run, map, planned, width, first: this.compact ? null : this.show === 'map', set });
  }

  private renderTools(): TemplateResult {
    return scheduleTools({
      query: this.query,
      matches: this.matches_,
      notable: this.notableRows(),
      selected: this.selected,
      width: this.width_,
      heat: this.heat,
      heatState: this.regret !== null ? 'known' : this.proving ? 'looking' : 'unknown',
      mapOnly: this.show === 'map',
      search: (query) => this.send({ type: 'query', query }),
      searchKey: this.onSearchKey,
      jump: (rows, direction) => this.jump(rows, direction),
      showHeat: (regret) => this.send({ type: 'view', view: { regret } }),
    });
  }

  private announcement(): string {
    if (this.query.trim() === '') return '';
    return this.matches_.length === 0 ? 'No op matches' : `${this.matches_.length} ops match`;
  }

  private notableRows(): number[] {
    const rows: number[] = [];
    this.run?.rows.forEach((row, at) => isNotable(row) && rows.push(at));
    return rows;
  }

  private jump(rows: readonly number[], direction: 1 | -1): void {
    const next = stepThrough(rows, this.selected, direction);
    if (next >= 0) this.send({ type: 'select', row: next });
  }

  private select(row: number): void {
    const count = this.run?.rows.length ?? 0;
    if (count > 0) this.send({ type: 'select', row: Math.min(count - 1, Math.max(0, row)) });
  }

  private setFold(open: boolean): void {
    if (!open && this.selected < this.fold_.rows) this.send({ type: 'select', row: -1 });
    this.unfolded_ = open;
  }

  // The first row that is a row of its own.
  private get firstOwn(): number {
    return this.folded > 0 ? this.folded + 1 : 0;
  }

  // Upwards it goes into a closed fold, and so opens it.
  private moveBy(rows: number): void {
    const { selected, firstOwn: top } = this;
    const next = selected < 0 ? top + Math.max(0, rows) - (rows > 0 ? 1 : 0) : selected + rows;
    this.select(rows < -1 ? Math.max(top, next) : next);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((this.viewHeight_ - this.headerHeight()) / kRowHeight) - 1);
    const last = (this.run?.rows.length ?? 0) - 1;
    const moves: Record<string, () => void> = {
      ArrowDown: () => this.moveBy(1),
      ArrowUp: () => this.moveBy(-1),
      PageDown: () => this.moveBy(page),
      PageUp: () => this.moveBy(-page),
      Home: () => this.select(this.firstOwn),
      End: () => this.select(last),
      n: () => this.jump(this.notableRows(), 1),
      p: () => this.jump(this.notableRows(), -1),
      Enter: () => this.dispatchEvent(new CustomEvent('open-why', { bubbles: true, composed: true })),
      Escape: () => this.send(this.query === '' ? { type: 'select', row: -1 } : { type: 'query', query: '' }),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  private readonly onSearchKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.jump(this.matches_, event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      this.send({ type: 'query', query: '' });
      this.focusGrid();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.focusGrid();
    }
  };

  private at(event: MouseEvent): UnderPointer {
    const body = this.renderRoot.querySelector<HTMLElement>('.body')!.getBoundingClientRect();
    const [x, y] = [event.clientX - body.left, event.clientY - body.top];
    return underPointer({ run: this.run, map: this.map_, plan: this.plan_, folded: this.folded }, x, y);
  }

  private readonly onClick = (event: MouseEvent): void => {
    const { row, box } = this.at(event);
    if (this.folded > 0 && row <= this.folded) return void (this.unfolded_ = true);
    const value = box === null ? undefined : this.run?.values[box.value];
    const producer = value?.producer ?? -1;
    this.select(producer >= 0 ? producer : (value?.uses[0] ?? row));
  };

  private readonly onMove = (event: PointerEvent): void => {
    const { box, tip } = this.at(event);
    this.hovered_ = box; // setters: nothing is drawn again when it is the same
    this.tip_ = tip;
  };

  private readonly onLeave = (): void => {
    this.hovered_ = null;
    this.tip_ = '';
  };
}

customElements.define('tessera-schedule', TesseraSchedule);
