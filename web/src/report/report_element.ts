// A report that is only looked at: schedule, L1 map, chains and what is known of every op, without an engine, a worker
// or a source. It leaves the page around it alone: no address, no storage, no keys but those pressed within.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { kMoves, moveCount } from '../model/moves';
import type { Report, Run } from '../model/report';
import type { Action, Theme } from '../model/state';
import { cssProps, sharedStyles, TesseraElement } from '../view/element';
import { shownName } from '../view/names';
import '../view/schedule';
import type { TesseraSchedule } from '../view/schedule';
import { kRowHeight } from '../view/schedule_geometry';
import { installTooltip, tipStyles } from '../view/tooltip';
import '../view/totals';
import '../why/why';
import type { TesseraWhy } from '../why/why';
import { kFirstLook, look, type Looking } from './report_state';
import { reportStyles } from './report_styles';
import { kReportViews, whyPanel, type ReportScene, type ReportView } from './report_views';

const kNarrow = 700; // CSS pixels of the element up to which one part is shown at a time
const kWhyBeside = 980; // and from which the op's details stand beside the schedule
const kMostFitted = 40; // rows; a longer schedule scrolls
const kLeastFitted = 8;

// What can be left out.
export const kParts = ['title', 'totals', 'tabs', 'why'] as const;
export type Part = (typeof kParts)[number];

/** Draws a report; see `docs/embedding.md`. */
export class TesseraReport extends TesseraElement {
  static override properties = {
    report: { attribute: false },
    compared: { attribute: false },
    view: { type: String },
    theme: { type: String },
    hide: { type: String },
    name: { type: String },
    fit: { type: Boolean },
    looking: { state: true },
    width_: { state: true },
    systemDark_: { state: true },
    loaded_: { state: true },
    fitted_: { state: true },
  };
  static override styles = [sharedStyles, tipStyles, reportStyles];

  declare report: Report | null;
  declare compared: readonly Report[]; // runs of the same graph, this one among them
  declare view: string; // id in report_views.ts
  declare theme: Theme;
  declare hide: string; // words of kParts
  declare name: string; // of the graph, for people; '': what the report says
  declare fit: boolean; // as high as its schedule, within bounds; else it fills its box
  declare looking: Looking;
  declare width_: number;
  declare systemDark_: boolean;
  declare loaded_: ReadonlySet<string>; // views whose code is here
  declare fitted_: number; // CSS pixels of the main part

  private readonly dark_ = matchMedia('(prefers-color-scheme: dark)');
  private readonly resize_ = new ResizeObserver(() => this.measure());
  private readonly onDark = (): void => void (this.systemDark_ = this.dark_.matches);

  constructor() {
    super();
    this.report = null;
    this.compared = [];
    this.view = 'schedule';
    this.theme = 'system';
    this.hide = '';
    this.name = '';
    this.fit = false;
    this.looking = kFirstLook;
    this.width_ = 0;
    this.systemDark_ = this.dark_.matches;
    this.loaded_ = new Set();
    this.fitted_ = 0;
    this.addEventListener('tessera-action', (event) => this.onAction(event as CustomEvent<Action>));
    this.addEventListener('tessera-command', (event) => event.stopPropagation()); // all need a page
    this.addEventListener('open-why', (event) => void this.openWhy(event));
    this.addEventListener('keydown', (event) => this.onKey(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.dark_.addEventListener('change', this.onDark);
    this.onDark();
    this.resize_.observe(this);
    this.measure();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.dark_.removeEventListener('change', this.onDark);
    this.resize_.disconnect();
  }

  protected override firstUpdated(): void {
    installTooltip(this.renderRoot as ShadowRoot, this);
  }

  private measure(): void {
    this.width_ = this.clientWidth;
  }

  // Row of the run; -1: none.
  get selected(): number {
    return this.looking.selected;
  }
  set selected(row: number) {
    this.take({ type: 'select', row });
  }

  // Of the view `steps`; -1: that of the selected op, or the first.
  get step(): number {
    return this.looking.view.step ?? -1;
  }
  set step(step: number) {
    this.take({ type: 'view', view: { step } });
  }

  get run(): Run | null {
    return this.report?.run ?? null;
  }

  // Nothing of what its parts ask for reaches the page around it.
  private onAction(event: CustomEvent<Action>): void {
    event.stopPropagation();
    this.take(event.detail);
  }

  private take(action: Action): void {
    const before = this.looking;
    this.looking = look(before, action, this.run);
    if (this.looking === before) return;
    if (action.type === 'view' && action.view.tab !== undefined)
      this.view = action.view.tab === 'schedule' || action.view.tab === 'source' ? 'schedule' : action.view.tab;
    if (before.selected !== this.looking.selected) this.tell('report-select');
    else this.tell('report-look');
  }

  private tell(name: string): void {
    this.dispatchEvent(new CustomEvent(name));
  }

  private get narrow(): boolean {
    return this.width_ <= kNarrow;
  }

  private async openWhy(event: Event): Promise<void> {
    event.stopPropagation();
    if (this.narrow) this.choose('why');
    await this.updateComplete;
    void this.renderRoot.querySelector<TesseraWhy>('tessera-why')?.focusPanel();
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0];
    const typing = target instanceof HTMLElement && target.matches('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const schedule = this.renderRoot.querySelector<TesseraSchedule>('tessera-schedule');
    if (schedule === null) return;
    event.preventDefault();
    schedule.focusSearch();
  }

  private shows(part: Part): boolean {
    return !this.hide.split(/[\s,]+/).includes(part);
  }

  private get views(): readonly ReportView[] {
    const { report, compared } = this;
    return kReportViews.filter(
      ({ only, has }) =>
        (only === undefined || !this.whyBeside) && (report === null || (has?.(report, compared) ?? true)),
    );
  }

  private get whyBeside(): boolean {
    return this.width_ >= kWhyBeside && this.shows('why');
  }

  private get shown(): ReportView {
    return this.views.find(({ id }) => id === this.view) ?? this.views[0]!;
  }

  private choose(id: string): void {
    const tab = id === 'map' ? 'map' : 'schedule';
    this.looking = { ...this.looking, view: { ...this.looking.view, tab } };
    this.view = id;
    this.tell('report-look');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.dataset['theme'] = this.effectiveTheme;
    if (!changed.has('report')) return;
    const before = changed.get('report')?.run;
    const row = before?.rows[this.looking.selected];
    const key = row === undefined ? null : { name: row.name, label: row.label, row: this.looking.selected };
    this.looking =
      key === null ? { ...this.looking, selected: -1 } : look(this.looking, { type: 'find', key }, this.run);
  }

  private get effectiveTheme(): string {
    return this.theme === 'light' || this.theme === 'dark' ? this.theme : this.systemDark_ ? 'dark' : 'light';
  }

  protected override updated(): void {
    const { load, id } = this.shown;
    if (load !== undefined && !this.loaded_.has(id))
      void load().then(
        () => (this.loaded_ = new Set([...this.loaded_, id])),
        () => this.tell('report-broken'),
      );
    if (this.fit) void this.fitRows();
  }

  // The main part is made as high as the rows need it.
  private async fitRows(): Promise<void> {
    const schedule = this.renderRoot.querySelector<TesseraSchedule>('tessera-schedule');
    if (schedule === null) return;
    await schedule.updateComplete;
    const scroller = schedule.renderRoot.querySelector<HTMLElement>('.scroller');
    const body = schedule.renderRoot.querySelector<HTMLElement>('.body');
    const header = schedule.renderRoot.querySelector<HTMLElement>('.header');
    const main = this.renderRoot.querySelector<HTMLElement>('.main');
    if (scroller === null || body === null || header === null || main === null) return;
    const rows = Math.max(kLeastFitted * kRowHeight, Math.min(kMostFitted * kRowHeight, body.offsetHeight));
    const around = schedule.offsetHeight - scroller.clientHeight;
    this.fitted_ = Math.round(rows + header.offsetHeight + Math.min(around, 200));
  }

  protected override render(): TemplateResult {
    const { report } = this;
    return html`<div class="frame ${this.narrow ? 'narrow' : ''}">
      ${this.renderHead()} ${report === null ? html`<slot name="empty"></slot>` : this.renderReport(report)}
      <p class="vh" role="status" aria-live="polite">${this.announcement()}</p>
    </div>`;
  }

  private renderHead(): TemplateResult | typeof nothing {
    const { report } = this;
    if (!this.shows('title')) return html`<slot name="controls"></slot>`;
    const name = this.name !== '' ? this.name : shownName(report?.input.name ?? '') || 'Graph';
    const about = [report?.policy?.title, report?.device?.title].filter((part) => part !== undefined).join(' · ');
    return html`<div class="head">
      <p class="title">${name} <span>${about}</span></p>
      <slot name="controls"></slot>
    </div>`;
  }

  private renderReport(report: Report): TemplateResult {
    const { run } = report;
    if (run === null)
      return html`<ul class="problems">
        ${report.diagnostics.map(({ line, message }) => html`<li>${line > 0 ? `Line ${line}: ` : ''}${message}</li>`)}
      </ul>`;
    return html`${
      this.shows('totals')
        ? html`<tessera-totals alone .run=${run} .selected=${this.looking.selected}></tessera-totals>`
        : nothing
    }
    ${this.shows('tabs') ? this.renderTabs() : nothing} ${this.renderMain(report, run)}`;
  }

  private renderTabs(): TemplateResult {
    const shown = this.shown.id;
    return html`<div class="tabs" role="group" aria-label="Views">
      ${this.views.map(
        ({ id, title }) =>
          html`<button
            aria-current=${id === shown ? 'true' : 'false'}
            class=${id === shown ? 'on' : ''}
            @click=${() => this.choose(id)}
          >
            ${title}
          </button>`,
      )}
    </div>`;
  }

  private renderMain(report: Report, run: Run): TemplateResult {
    const { compared, looking, narrow } = this;
    const scene: ReportScene = { report, run, compared, looking, narrow, themeKey: this.effectiveTheme };
    const { id, load, render } = this.shown;
    const fitted = this.fit && this.fitted_ > 0 ? `0 0 ${this.fitted_}px` : '1';
    return html`<div class="main" ${cssProps({ flex: fitted })}>
      <div class="view">
        ${load === undefined || this.loaded_.has(id) ? render(scene) : html`<p class="note">Loading…</p>`}
      </div>
      ${this.whyBeside ? whyPanel(scene) : nothing}
    </div>`;
  }

  private announcement(): string {
    const { run } = this;
    if (run === null) return this.report === null ? '' : 'The graph has errors.';
    const moves = kMoves.map(({ kind, word }) => `${moveCount(run, kind)} ${word}, `).join('');
    return `${run.rows.length} steps. ${moves}${run.totals.failures} failures.`;
  }
}

customElements.define('tessera-report', TesseraReport);
