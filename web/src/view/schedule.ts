// The schedule: one row per op with lanes, badge and time bar, and the L1 map beside it on the same rows. Only the rows
// around the visible part are in the DOM. The canvases cover exactly these rows and scroll with them, so nothing
// drifts.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { RegretResult } from '../model/exact';
import type { DeviceInfo, Run } from '../model/report';
import type { ViewSettings } from '../model/state';
import { heatCells, type HeatCell } from '../model/regret_heat';
import { cssProps, sharedStyles } from './element';
import { badgeStyles } from './badge';
import { whenIdle } from './idle';
import type { TesseraMinimap as Minimap } from './minimap';
import { buildLanes, lanesWidth, type LanePicture } from './lanes_geometry';
import { buildMap, type MapBox, type MapMemory, type MapPicture } from './map_geometry';
import { mapTitle } from './map_title';
import { readPalette, type Palette } from './palette';
import { relatedRows, type RelatedRows } from './related_rows';
import { rowId, rowStyles, type RowContext } from './row_view';
import { anchoredTop, anchorOf, type Anchor } from './schedule_anchor';
import {
  clampSplit,
  defaultSplit,
  foldOf,
  kNoFold,
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
import { drawSchedule } from './schedule_draw';
import { RowFinder } from './row_finder';
import type { RowOrder } from './row_order';
import { pressed, pressedInSearch } from './schedule_keys';
import { stepThrough } from './schedule_search';
import { underPointer, type UnderPointer } from './schedule_pointer';
import { placeCanvas, RowPool, rowsAndCanvases } from './schedule_rows';
import { scheduleStyles } from './schedule_styles';
import { columnTitle, kColumnHelp, scheduleTools } from './schedule_tools';
import { filterMenu, noneShown } from './filtered_rows';
import { splitter } from './splitter';
import { timeScale } from './time_geometry';
import { timePatterns, timeStyles } from './time_patterns';
import { SizedElement } from './sized_element';

// Changes while the pointer moves: no row looks different for it.
const kOfTheMoment: ReadonlySet<PropertyKey> = new Set(['hovered_', 'tip_']);

export class TesseraSchedule extends SizedElement {
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
    memory: { type: String },
    dram: { type: Boolean },
    filters: { attribute: false },
    heat: { type: Boolean },
    proving: { type: Boolean },
    alone: { type: Boolean },
    regret: { attribute: false },
    loads: { type: Number },
    themeKey: { type: String },
    width_: { state: true },
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
  declare memory: MapMemory; // that the map shows
  declare dram: boolean; // a column for traffic with DRAM
  declare filters: readonly string[]; // ids: row_filter.ts
  declare heat: boolean; // a column for the regret of every op
  declare proving: boolean;
  declare alone: boolean; // no engine stands by: what needs one is not offered
  declare regret: RegretResult | null; // of this run; null: not known yet
  declare loads: number; // counts the texts that were loaded: a new one is shown from its start
  declare themeKey: string; // changes when the colours do
  declare width_: number;
  declare hovered_: MapBox | null;
  declare tip_: string; // of what is under the pointer on the map
  declare unfolded_: boolean; // the loads that a plan begins with are rows of their own

  private lanes_: LanePicture | null = null;
  private map_: MapPicture | null = null;
  private readonly rows_ = new RowFinder();
  private readonly pool_ = new RowPool();
  private window_: RowWindow = { first: 0, end: 0 }; // that is in the DOM; nothing is rendered when it moves
  private cells_: ReadonlyMap<number, HeatCell> = new Map();
  private timeScale_ = 0;
  private plan_: ColumnPlan | null = null;
  private context_: RowContext | null = null;
  private palette_: Palette | null = null;
  private related_: RelatedRows = relatedRows(null, -1);
  private shownLoads_ = -1;
  private top_ = 0; // of what is in view, in pixels: the scroller itself would lay out anew to tell
  private viewHeight_ = 600;
  private headHeight_ = 30;
  private fold_: Fold = { rows: 0, values: 0 };
  private anchor_: Anchor | null = null; // what is to stay where it is when another run is shown

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
    this.memory = 'l1';
    this.dram = false;
    this.filters = [];
    this.heat = false;
    this.proving = false;
    this.alone = false;
    this.regret = null;
    this.loads = 0;
    this.themeKey = '';
    this.width_ = 0;
    this.hovered_ = null;
    this.tip_ = '';
    this.unfolded_ = false;
  }

  protected override firstUpdated(): void {
    this.resized();
    whenIdle(() => Promise.all([import('./minimap'), import('./filter_menu')])); // a task for each
  }

  focusSearch(): void {
    const search = this.renderRoot.querySelector<HTMLInputElement>('input[type=search]');
    search?.focus();
    search?.select();
  }
  protected override heir(): HTMLElement | null {
    return this.scroller;
  }
  focusGrid(): void {
    this.scroller?.focus({ preventScroll: true });
  }

  private get scroller(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.scroller');
  }

  protected override resized(): void {
    const scroller = this.scroller;
    if (scroller === null) return;
    this.viewHeight_ = scroller.clientHeight;
    this.width_ = scroller.clientWidth;
    this.headHeight_ = this.renderRoot.querySelector<HTMLElement>('.header')?.offsetHeight ?? 30;
    this.moveWindow();
  }

  // Reads before it writes: the browser lays out once.
  private scrolled(): void {
    this.top_ = this.scroller?.scrollTop ?? 0;
    this.tellMinimap();
    this.moveWindow();
  }

  // What is in view, for the minimap; it draws no more than a frame when the schedule scrolls.
  private tellMinimap(): void {
    const top = this.top_ / kRowHeight;
    const lines = (this.viewHeight_ - this.headHeight_) / kRowHeight;
    this.renderRoot.querySelector<Minimap>('tessera-minimap')?.show?.(top, Math.min(lines, this.order.lines));
  }

  // Shows that row in the middle; one that a filter hides: the next one.
  private goTo(row: number): void {
    this.moveTo((this.order.lineOf(row) + 0.5) * kRowHeight - (this.viewHeight_ - this.headHeight_) / 2);
  }

  private moveTo(top: number): void {
    this.top_ = Math.min(Math.max(0, top), this.lowest);
    this.scroller?.scrollTo({ top: this.top_ });
  }

  private get lowest(): number {
    return Math.max(0, this.order.lines * kRowHeight + this.headHeight_ - this.viewHeight_);
  }

  private moveWindow(): void {
    const next = this.windowNow();
    if (next.first === this.window_.first && next.end === this.window_.end) return;
    this.window_ = next;
    this.showRows();
  }

  // The lines of the window and what is drawn beside them.
  private showRows(): void {
    const { context_: context, plan_: plan, window_: rows, renderRoot: root } = this;
    const parent = root.querySelector<HTMLElement>('.rows');
    if (parent === null || context === null || plan === null || this.width_ === 0) return;
    this.pool_.show(parent, context, rows);
    placeCanvas(root, '.lanes', plan.lanesLeft, plan.lanesWidth, rows);
    placeCanvas(root, '.map', plan.mapLeft, plan.mapWidth, rows);
    this.draw();
  }

  private windowNow(): RowWindow {
    return windowFor(Math.min(this.top_, this.lowest), this.viewHeight_, this.order.lines);
  }

  // Rows that the closed fold hides.
  private get folded(): number {
    return this.filtered ? 0 : hiddenRows(this.fold_, this.unfolded_);
  }

  private get order(): RowOrder {
    return this.rows_.order;
  }

  // Some filter hides rows.
  private get filtered(): boolean {
    return this.rows_.shown !== null;
  }

  // Where a graph is shown first.
  scrollToOpening(): void {
    const line = this.filtered ? 0 : openingRow(this.run?.rows ?? [], this.folded);
    if (line > 0 || this.top_ > 0) this.moveTo(line * kRowHeight);
    this.moveWindow();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const run = this.run;
    const has = (...names: (keyof TesseraSchedule)[]): boolean => names.some((name) => changed.has(name));
    if (has('run')) this.keepInView(changed.get('run') ?? null, changed.get('selected') ?? this.selected);
    if (this.folded > 0 && this.selected >= 0 && this.selected <= this.folded) this.unfolded_ = true;
    if (has('run')) {
      this.lanes_ = run === null ? null : buildLanes(run);
      this.timeScale_ = run === null ? 0 : timeScale(run.rows);
      this.hovered_ = null;
      this.tip_ = '';
    }
    if (has('run', 'device', 'whole', 'planned', 'memory'))
      this.map_ =
        run === null || this.device === null ? null : buildMap(run, this.device, this.whole, this.planned, this.memory);
    if (has('run', 'query')) this.rows_.search(run, this.query);
    if (has('run', 'query', 'filters', 'unfolded_'))
      this.rows_.arrange(this.filters, hiddenRows(this.fold_, this.unfolded_));
    if (has('run', 'query', 'filters', 'unfolded_', 'selected')) this.window_ = this.windowNow();
    if (has('run', 'regret', 'heat'))
      this.cells_ = this.heat && run !== null && this.regret !== null ? heatCells(run, this.regret) : new Map();
    if (has('run', 'selected')) this.related_ = relatedRows(run, this.selected);
    if (has('themeKey')) this.palette_ = null;
    if (changed.size === 0 || ![...changed.keys()].every((name) => kOfTheMoment.has(name))) this.planRows();
  }

  private planRows(): void {
    const split = clampSplit(this.split ?? defaultSplit(this.width_), this.width_);
    const more = { heat: this.heat, dram: this.dram };
    this.plan_ = planColumns(this.width_, split, lanesWidth(this.lanes_?.lanes ?? 1), this.show, more);
    this.context_ = this.run === null ? null : this.rowContext(this.run, this.plan_);
  }

  // Another run of the same graph keeps the selected op where it is, or the topmost one when none is in view.
  private keepInView(before: Run | null, selected: number): void {
    const top = this.top_;
    this.anchor_ =
      before === null || this.run === null || this.shownLoads_ !== this.loads
        ? null
        : anchorOf(before.rows, { selected, top, height: this.viewHeight_ - this.headHeight_, order: this.order });
    this.fold_ = foldOf(this.run?.rows ?? []);
    if (this.shownLoads_ !== this.loads) this.unfolded_ = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('run') && this.run !== null && this.shownLoads_ !== this.loads) {
      this.shownLoads_ = this.loads;
      this.scrollToOpening();
    } else if (changed.has('run') && this.run !== null && this.anchor_ !== null) {
      const top = anchoredTop(this.anchor_, this.run.rows, this.order);
      if (top !== null) this.moveTo(top);
      this.moveWindow();
    }
    // What is chosen elsewhere is seen here: a filter that hides it goes.
    const hides = this.filtered && this.selected >= 0 && !this.order.shows(this.selected);
    if (hides && changed.has('selected') && !changed.has('run')) this.send({ type: 'view', view: { filters: [] } });
    if (
      ['selected', 'run', 'show', 'filters'].some((name) => changed.has(name as keyof TesseraSchedule)) &&
      this.selected >= 0
    )
      this.reveal(this.selected);
    this.showRows();
    this.tellMinimap();
  }

  private reveal(row: number): void {
    if (!this.order.shows(row)) return;
    const next = scrollToShow(this.order.lineOf(row), this.top_, this.viewHeight_ - this.headHeight_);
    if (next === this.top_) return;
    this.moveTo(next);
    this.moveWindow();
  }

  private draw(): void {
    const { run, lanes_: lanes, map_: map, plan_: plan, order } = this;
    if (run === null || lanes === null || plan === null || order.lines === 0) return;
    const palette = (this.palette_ ??= readPalette(this));
    const { selected, hovered_: hovered, window_: rows } = this;
    drawSchedule(this.renderRoot, { run, lanes, map, plan, rows, order, selected, hovered, palette });
  }

  protected override render(): TemplateResult {
    const run = this.run;
    const plan = this.plan_;
    const { lines } = this.order;
    return html` ${this.renderTools()}
      <tessera-minimap
        .run=${run}
        .from=${hiddenRows(this.fold_, this.unfolded_)}
        .order=${this.order}
        .marked=${this.rows_.marked}
        .selected=${this.selected}
        .themeKey=${this.themeKey}
        @minimap-go=${(event: CustomEvent<number>) => this.goTo(event.detail)}
      ></tessera-minimap>
      <div
        class="scroller"
        role="grid"
        tabindex="0"
        aria-label="Schedule: one row per op"
        aria-rowcount=${lines + 1}
        aria-colcount=${plan?.columns.length ?? 0}
        aria-activedescendant=${this.order.shows(this.selected) ? rowId(this.selected) : nothing}
        @scroll=${() => this.scrolled()}
        @keydown=${this.onKey}
        ${cssProps({ '--columns': plan?.template ?? 'none', '--table': `${plan?.mapLeft ?? 0}px` })}
      >
        <div class="header" role="row" aria-rowindex="1">
          ${plan?.columns.map(
            (column) =>
              html`<span role="columnheader" class="h-${column}" data-tip=${kColumnHelp[column] || nothing}
                >${column === 'map' ? this.mapTitle(plan.mapWidth) : columnTitle(column, plan)}</span
              >`,
          )}
        </div>
        <div
          class="body"
          role="rowgroup"
          data-tip=${this.tip_ === '' ? nothing : this.tip_}
          ${cssProps({ height: `${lines * kRowHeight}px` })}
          @click=${this.onClick}
          @dblclick=${() => this.compact && this.send({ type: 'view', view: { tab: 'why' } })}
          @pointermove=${this.onMove}
          @pointerleave=${this.onLeave}
        >
          ${rowsAndCanvases(plan)}
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
      ${noneShown(this.rows_, () => this.send({ type: 'view', view: { filters: [] } }))} ${timePatterns()}
      <p class="vh" role="status" aria-live="polite">${this.rows_.announcement()}</p>`;
  }

  // What the rows show but for which of them are in view.
  private rowContext(run: Run, plan: ColumnPlan): RowContext {
    return {
      run,
      columns: plan.columns,
      selected: this.selected,
      ...this.related_,
      matches: this.rows_.searched ? new Set(this.rows_.matches) : null,
      timeScale: this.timeScale_,
      bars: plan.bars,
      nameRoom: plan.nameRoom,
      heat: this.cells_,
      fold: this.filtered ? kNoFold : this.fold_,
      hidden: this.folded,
      order: this.order,
      setFold: (open) => this.setFold(open),
    };
  }

  private mapTitle(width: number): TemplateResult {
    const { run, map_: map, planned } = this;
    if (map === null || run === null || this.device === null)
      return html`${this.memory === 'l1' ? 'L1 per core' : 'DRAM per bank'}`;
    const set = (view: Partial<ViewSettings>): void => this.send({ type: 'view', view });
    return mapTitle({ run, map, planned, width, first: this.compact ? null : this.show === 'map', set });
  }

  private renderTools(): TemplateResult {
    return scheduleTools({
      query: this.query,
      matches: this.rows_.matches,
      notable: this.rows_.notable(),
      selected: this.selected,
      width: this.width_,
      heat: this.heat,
      alone: this.alone,
      heatState: this.regret !== null ? 'known' : this.proving ? 'looking' : 'unknown',
      mapOnly: this.show === 'map',
      search: (query) => this.send({ type: 'query', query }),
      searchKey: this.onSearchKey,
      jump: (rows, direction) => this.jump(rows, direction),
      filterMenu: filterMenu(this, this.rows_),
      showHeat: (regret) => this.send({ type: 'view', view: { regret } }),
    });
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

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const taken = pressed(event.key, {
      selected: this.selected,
      order: this.order,
      folded: this.folded > 0,
      page: Math.max(1, Math.floor((this.viewHeight_ - this.headHeight_) / kRowHeight) - 1),
      select: (row) => this.select(row),
      jump: (direction) => this.jump(this.rows_.notable(), direction),
      openWhy: () => this.dispatchEvent(new CustomEvent('open-why', { bubbles: true, composed: true })),
      leave: () => this.send(this.query === '' ? { type: 'select', row: -1 } : { type: 'query', query: '' }),
    });
    if (taken) event.preventDefault();
  };

  private readonly onSearchKey = (event: KeyboardEvent): void =>
    pressedInSearch(event, {
      jump: (direction) => this.jump(this.rows_.matches, direction),
      leave: () => this.send({ type: 'query', query: '' }),
      toGrid: () => this.focusGrid(),
    });

  private at(event: MouseEvent): UnderPointer {
    const body = this.renderRoot.querySelector<HTMLElement>('.body')!.getBoundingClientRect();
    const [x, y] = [event.clientX - body.left, event.clientY - body.top];
    return underPointer({ run: this.run, map: this.map_, plan: this.plan_, order: this.order }, x, y);
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
