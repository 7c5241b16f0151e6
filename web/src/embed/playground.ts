// <tessera-playground>: a run of a graph in somebody else's page. A report that was made ahead of time is drawn without
// the engine, which loads when somebody changes something. Nothing happens before the element is near the viewport.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { Options } from '../model/option_values';
import type { Report } from '../model/report';
import type { Theme } from '../model/state';
import type { TesseraReport } from '../report/report_element';
import { cssProps, sharedStyles } from '../view/element';
import type { ExportedText, PlaygroundState, ReportJson, TesseraPlaygroundElement } from './api';
import { answers, asked, nameOf, readList, readOptions, readState, rowOf } from './playground_state';
import { playgroundStyles } from './playground_styles';
import type * as Engine from './runs';
import { fetchText, type Fetched } from './sources';

const kNear = '400px'; // of the viewport
const kSettings = ['policy', 'device', 'options'] as const; // another value is another run
const kSources = ['src', 'report', 'text'] as const;

// Policies and devices by id and title, as the engine has them; filled in when the page is built.
declare const __TESSERA_CHOICES__: Choices;
interface Choice {
  readonly id: string;
  readonly title: string;
}
interface Choices {
  readonly policies: readonly Choice[];
  readonly devices: readonly Choice[];
}

/**
 * A run of a graph: schedule, L1 map, chains, and what is known of every op.
 *
 * @tag tessera-playground
 * @slot - Shown until the first picture is there: a poster, a table. A `<script type="text/mlir">` is the graph, a
 *   `<script type="application/json">` its report, made ahead of time.
 * @fires {CustomEvent<RunDetail>} tessera-ready - The first picture is drawn.
 * @fires {CustomEvent<RunDetail>} tessera-run - A report is shown, the first or another one.
 * @fires {CustomEvent<SelectDetail>} tessera-select - Another op is selected, or none.
 * @fires {CustomEvent} tessera-look - Another view or step is looked at.
 * @fires {CustomEvent<ErrorDetail>} tessera-error - The graph has errors, or something could not be loaded.
 */
export class TesseraPlayground extends LitElement implements TesseraPlaygroundElement {
  static override properties = {
    src: { type: String },
    report: { type: String },
    name: { type: String },
    text: { attribute: false },
    policy: { type: String },
    device: { type: String },
    options: { converter: { fromAttribute: readOptions } },
    view: { type: String },
    select: { type: String },
    step: { type: Number },
    compare: { type: String },
    hide: { type: String },
    theme: { type: String },
    height: { type: String },
    page: { type: String },
    shown_: { state: true },
    compared_: { state: true },
    ready_: { state: true },
    busy_: { state: true },
    problem_: { state: true },
  };
  static override styles = [sharedStyles, playgroundStyles];

  /** Address of the graph: MLIR or JSON. Fetched when the engine needs it. */
  declare src: string;
  /** Address of a report that was made ahead of time (`tessera run --json`, `tessera embed`). */
  declare report: string;
  /** Name of the graph for people. */
  declare name: string;
  /** The graph itself, in place of `src`. */
  declare text: string;
  /** Id of a policy: Greedy, DRAM, Exact. */
  declare policy: string;
  /** Id of a device: n150, p150. */
  declare device: string;
  /** More options; as an attribute a JSON object. */
  declare options: Options;
  /** schedule, map, why, steps, graph or compare. */
  declare view: string;
  /** Name, label or row of the selected op. */
  declare select: string;
  /** Step of the view `steps`; -1: that of the selected op, or the first. */
  declare step: number;
  /** Policies that the run is compared with: "DRAM, Exact". */
  declare compare: string;
  /** What is left out: title, totals, tabs, why, controls. */
  declare hide: string;
  /** system, light or dark. */
  declare theme: Theme;
  /** CSS pixels, a CSS length, or "auto": as high as the schedule, within bounds. */
  declare height: string;
  /** Address of a whole Tessera page: adds a link that opens the graph there. */
  declare page: string;

  declare shown_: Report | null;
  declare compared_: readonly Report[];
  declare ready_: boolean; // the code that draws is here
  declare busy_: boolean;
  declare problem_: string;

  private near_: IntersectionObserver | null = null;
  private awake_ = false; // it is, or has been, near the viewport
  private told_ = false; // that it is ready
  private asked_ = 0; // the newest run
  private engine_: Promise<typeof Engine> | null = null;
  private source_: Promise<Fetched> | null = null; // the graph's text

  constructor() {
    super();
    this.src = '';
    this.report = '';
    this.name = '';
    this.text = '';
    this.policy = '';
    this.device = '';
    this.options = {};
    this.view = 'schedule';
    this.select = '';
    this.step = -1;
    this.compare = '';
    this.hide = '';
    this.theme = 'system';
    this.height = '';
    this.page = '';
    this.shown_ = null;
    this.compared_ = [];
    this.ready_ = false;
    this.busy_ = false;
    this.problem_ = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.awake_) return;
    this.near_ = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.wake(), {
      rootMargin: kNear,
    });
    this.near_.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.near_?.disconnect();
    void this.engine_?.then((engine) => engine.forget(this));
  }

  private wake(): void {
    this.near_?.disconnect();
    if (this.awake_) return;
    this.awake_ = true;
    import('../report/report_element').then(
      () => (this.ready_ = true),
      () => this.fail('The part that draws the report could not be loaded.'),
    );
    void this.open();
  }

  // The report made ahead of time where it answers what is asked, else the engine's.
  private async open(): Promise<void> {
    const mine = ++this.asked_;
    const settings = this.settings;
    const inline = this.inline('application/json');
    const made = inline !== '' ? ({ kind: 'ok', text: inline } as const) : await fetchText(this.report);
    if (mine !== this.asked_) return;
    if (made === null) return void this.run().catch(() => {});
    if (made.kind === 'problem') {
      if (!this.hasGraph) return this.fail(made.text);
      return void this.run().catch(() => {});
    }
    const reports = await readReports(made.text);
    if (mine !== this.asked_) return;
    const first = reports.find((report) => answers(report, settings));
    const missing = readList(this.compare).some((policy) => !reports.some((one) => one.options['policy'] === policy));
    if (first === undefined && reports.length > 0 && this.hasGraph) return void this.run().catch(() => {});
    if (first === undefined) return this.fail('The report could not be read, or it is of other settings.');
    this.take([first, ...reports.filter((report) => report !== first)], true, 0);
    if (missing && this.hasGraph) void this.run().catch(() => {});
  }

  private get hasGraph(): boolean {
    return this.text !== '' || this.src !== '' || this.inline('text/mlir') !== '';
  }

  private inline(type: string): string {
    return this.querySelector(`:scope > script[type="${type}"]`)?.textContent?.trim() ?? '';
  }

  private get settings(): Options {
    return asked(this);
  }

  /** Asks the engine, whatever is shown. Resolves to the report; rejects with what went wrong. */
  async run(): Promise<ReportJson> {
    const mine = ++this.asked_;
    this.awake_ = true;
    this.busy_ = true;
    this.problem_ = '';
    try {
      const text = await this.graph();
      const engine = await this.engine();
      const outcome = await engine.runAll(this, text, this.settings, readList(this.compare));
      if (mine === this.asked_) this.take(outcome.reports, false, outcome.ms);
      return outcome.reports[0] as unknown as ReportJson;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (mine === this.asked_) this.fail(message);
      throw new Error(message, { cause: error });
    } finally {
      if (mine === this.asked_) this.busy_ = false;
    }
  }

  private async graph(): Promise<string> {
    if (this.text !== '') return this.text;
    const inline = this.inline('text/mlir');
    if (inline !== '') return inline;
    this.source_ ??= fetchText(this.src).then((got) => got ?? { kind: 'problem', text: 'There is no graph.' });
    const got = await this.source_;
    if (got.kind === 'ok') return got.text;
    this.source_ = null;
    throw new Error(got.text);
  }

  private engine(): Promise<typeof Engine> {
    return (this.engine_ ??= import('./runs'));
  }

  private take(reports: readonly Report[], made: boolean, ms: number): void {
    const report = reports[0]!;
    this.shown_ = report;
    this.compared_ = reports;
    this.problem_ = '';
    const detail = { report: report as unknown as ReportJson, made, ms };
    const drawn = this.updateComplete.then(() => this.view_?.updateComplete);
    void drawn.then(() => {
      if (!this.told_ && this.ready_) this.tellReady(detail);
      this.tell('tessera-run', detail);
      if (report.run === null) this.tell('tessera-error', { message: report.diagnostics[0]?.message ?? 'no run' });
    });
  }

  private tellReady(detail: object): void {
    this.told_ = true;
    this.tell('tessera-ready', detail);
  }

  private fail(message: string): void {
    this.problem_ = message;
    this.busy_ = false;
    this.tell('tessera-error', { message });
  }

  private tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private get view_(): TesseraReport | null {
    return this.renderRoot.querySelector<TesseraReport>('tessera-report');
  }

  /** The report that is shown. */
  get result(): ReportJson | null {
    return this.shown_ as unknown as ReportJson | null;
  }

  /** What is looked at and under which settings; setting it runs what is not there. */
  get state(): PlaygroundState {
    const { policy, device, options, view, select, step, compare } = this;
    return { policy, device, options, view, select, step, compare: readList(compare) };
  }
  set state(state: PlaygroundState) {
    const { compare, ...others } = readState(state);
    Object.assign(this, others, compare === undefined ? {} : { compare: compare.join(',') });
  }

  /** A file of the run: report, csv, svg; of the engine mlir, plan, trace-events and others (`tessera help`). */
  async exportAs(what: string): Promise<ExportedText> {
    if (this.shown_ === null) await this.run();
    const engine = await import('./exports');
    const own = engine.drawn(what, this.shown_!, this.title_, this.view_ ?? this);
    if (own !== null) return own;
    const [text, runs] = [await this.graph(), await this.engine()];
    return runs.exported(this, text, this.settings, what);
  }

  private get title_(): string {
    return this.name !== '' ? this.name : (this.shown_?.input.name ?? '');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const has = (names: readonly (keyof TesseraPlayground)[]): boolean => names.some((name) => changed.has(name));
    if (!this.hasUpdated || !this.awake_) return;
    if (has(kSources)) this.source_ = null;
    if (has(kSources)) void this.open();
    else if (has([...kSettings, 'compare']) && !this.answered) void this.run().catch(() => {});
  }

  // What is shown is what the settings ask for.
  private get answered(): boolean {
    const policies = new Set(this.compared_.map(({ options }) => options['policy']));
    return (
      this.shown_ !== null &&
      answers(this.shown_, this.settings) &&
      readList(this.compare).every((policy) => policies.has(policy))
    );
  }

  protected override updated(changed: PropertyValues<this>): void {
    const view = this.view_;
    if (view === null || this.shown_?.run == null) return;
    if (!this.told_) this.tellReady({ report: this.shown_, made: true, ms: 0 });
    if (changed.has('select') || changed.has('shown_') || changed.has('ready_'))
      view.selected = rowOf(this.shown_.run, this.select);
    if (changed.has('step') || changed.has('ready_')) view.step = this.step;
  }

  // What somebody looked at within.
  private looked(view: TesseraReport): void {
    this.view = view.view;
    this.step = view.step;
    this.tell('tessera-look', {});
  }

  private selected(view: TesseraReport): void {
    const run = this.shown_?.run;
    if (run == null) return;
    const row = view.selected;
    if (row === rowOf(run, this.select)) return;
    this.select = nameOf(run, row);
    const { name = '', label = '' } = run.rows[row] ?? {};
    this.tell('tessera-select', { row, name, label });
  }

  protected override render(): TemplateResult {
    const fit = this.height === 'auto';
    const { shown_: shown } = this;
    const drawn = this.ready_ && shown !== null;
    const own = /^\d+$/.test(this.height) ? `${this.height}px` : fit || this.height === '' ? '' : this.height;
    return html`<div
      class="box ${fit ? 'fit' : ''}"
      role="group"
      aria-label=${`Tessera: ${this.title_ || 'a graph'}`}
      ${cssProps({ height: own })}
    >
      ${drawn ? this.renderReport(shown, fit) : html`<div class="poster"><slot></slot></div>`}
      ${this.problem_ === '' ? nothing : html`<p class="problem" role="alert">${this.problem_}</p>`}
      ${
        drawn || this.problem_ !== ''
          ? nothing
          : html`<p class="wait" role="status">${this.busy_ ? 'Running…' : this.awake_ ? 'Loading…' : ''}</p>`
      }
    </div>`;
  }

  private renderReport(shown: Report, fit: boolean): TemplateResult {
    return html`<tessera-report
      .report=${shown}
      .compared=${this.compared_}
      .view=${this.view}
      .theme=${this.theme}
      .hide=${this.hide}
      .name=${this.name}
      ?fit=${fit}
      @report-look=${(event: Event) => this.looked(event.target as TesseraReport)}
      @report-select=${(event: Event) => this.selected(event.target as TesseraReport)}
      @report-broken=${() => this.fail('A view could not be loaded.')}
    >
      ${this.hide.split(/[\s,]+/).includes('controls') ? nothing : this.renderControls(shown)}
    </tessera-report>`;
  }

  private renderControls(shown: Report): TemplateResult {
    const { policies, devices } = __TESSERA_CHOICES__;
    const written = shown.input.layouts;
    return html`<div slot="controls" class="controls">
      <span class="status" role="status">${this.busy_ ? 'running…' : ''}</span>
      ${
        this.hasGraph
          ? html`${this.renderChoice(
              'Policy',
              policies.filter(({ id }) => written || id !== 'AsWritten'),
              String(shown.policy?.id ?? ''),
              (id) => (this.policy = id),
            )}
            ${this.renderChoice('Device', devices, shown.device?.id ?? '', (id) => (this.device = id))}`
          : nothing
      }
      ${
        this.page === ''
          ? nothing
          : html`<button class="btn" @click=${() => void this.openPage()}>Open in Tessera</button>`
      }
    </div>`;
  }

  private renderChoice(
    label: string,
    choices: readonly Choice[],
    current: string,
    set: (id: string) => void,
  ): TemplateResult | typeof nothing {
    if (choices.length === 0) return nothing;
    return html`<select aria-label=${label} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      ${choices.map(({ id, title }) => html`<option value=${id} .selected=${id === current}>${title}</option>`)}
    </select>`;
  }

  private async openPage(): Promise<void> {
    const { linkTo } = await import('./exports');
    const link = await linkTo(this.page, await this.graph(), this.settings, this.shown_!, this.select);
    window.open(link, '_blank', 'noopener');
  }
}

// One report, or several of one graph.
async function readReports(text: string): Promise<readonly Report[]> {
  const { readReport } = await import('../model/wire');
  try {
    const json = JSON.parse(text) as unknown;
    const list = Array.isArray(json) ? json : [json];
    return list.map((one) => readReport(one as Parameters<typeof readReport>[0]));
  } catch {
    return [];
  }
}
