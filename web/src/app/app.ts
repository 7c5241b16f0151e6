// The page: holds the state, sends it down to the elements, and is the one place with side effects (engine, address,
// files, theme).

import { html, nothing, type TemplateResult } from 'lit';

import { EngineClient } from '../engine/client';
import type { WorkerLike } from '../engine/client';
import { looksLikeDecisionTrace } from '../model/beam_trace';
import { kForcedOption } from '../model/forced';
import { formatInteger } from '../model/format';
import type { Run } from '../model/report';
import { comparedRuns, effectiveOption, hasErrors, initialState, kMainViews, presentRegret, reduce, type Action, type AppState, type Tab } from '../model/state';
import '../beam/beam';
import '../beam/knobs';
import '../compare/compare';
import '../steps/steps';
import '../optimum/optimum';
import '../passes/passes';
import '../source/source_pane';
import type { TesseraSource } from '../source/source_pane';
import { sharedStyles, TesseraElement, type Command } from '../view/element';
import { icons } from '../view/icons';
import '../view/schedule';
import type { TesseraSchedule } from '../view/schedule';
import '../view/totals';
import '../why/why';
import type { TesseraWhy } from '../why/why';
import { appStyles } from './app_styles';
import { AddressBar } from './address';
import { saveFile } from './save';
import { installDrop } from './drop';
import { kMaxTextBytes, loadFile, loadSample, loadSampleList, loadUrl, tooLarge, type Loaded } from './load';
import { Runner } from './runner';
import { applyTheme, readTheme, storeTheme } from './theme';
import './toolbar';
import { installTooltip } from './tooltip';

const kWideWindow = 1440; // CSS pixels from which the source is open by itself
const kNarrowWindow = 820; // up to which one pane is shown at a time

export class TesseraApp extends TesseraElement {
  static override properties = { state: { state: true }, width_: { state: true }, copied_: { state: true }, dragging_: { state: true }, systemDark_: { state: true } };
  static override styles = [sharedStyles, appStyles];

  declare state: AppState;
  declare width_: number;
  declare copied_: boolean;
  declare dragging_: boolean;
  declare systemDark_: boolean;

  readonly client: EngineClient;
  private readonly runner_: Runner;
  private readonly address_: AddressBar;
  private shownView_ = '';
  private readonly dark_ = matchMedia('(prefers-color-scheme: dark)');

  constructor() {
    super();
    this.state = { ...initialState, theme: readTheme() };
    this.width_ = window.innerWidth;
    this.copied_ = false;
    this.dragging_ = false;
    this.systemDark_ = this.dark_.matches;
    const makeClient = (): EngineClient => new EngineClient({
      engineUrl: new URL('engine/tessera.js', document.baseURI).href,
      test: new URLSearchParams(location.search).get('test') === '1',
      makeWorker: () => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'tessera' }) as unknown as WorkerLike,
    });
    this.client = makeClient();
    this.runner_ = new Runner(this.client, () => this.state, (action) => this.dispatch(action), makeClient);
    this.address_ = new AddressBar(() => this.state, (action) => this.dispatch(action));
    this.addEventListener('tessera-action', (event) => this.dispatch((event as CustomEvent<Action>).detail));
    this.addEventListener('tessera-command', (event) => this.obey((event as CustomEvent<Command>).detail));
    this.addEventListener('open-why', () => this.openWhy());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    applyTheme(this.state.theme, this.systemDark_);
    window.addEventListener('resize', () => (this.width_ = window.innerWidth));
    window.addEventListener('keydown', this.onKey);
    window.addEventListener('hashchange', () => void this.openAddress());
    this.dark_.addEventListener('change', () => (this.systemDark_ = this.dark_.matches));
    installDrop({ dragging: (on) => (this.dragging_ = on), file: (file) => void this.openFile(file), text: (text) => this.openText(text) });
    void this.start();
  }

  protected override firstUpdated(): void {
    installTooltip(this.renderRoot as ShadowRoot);
  }

  // The only way the state changes; effects follow from the difference.
  dispatch(action: Action): void {
    const before = this.state;
    const after = reduce(before, action);
    if (after === before) return;
    this.state = after;
    this.runner_.follow(before, after);
    this.address_.follow(before, after);
    if (before.theme !== after.theme) storeTheme(after.theme);
    if (action.type === 'edit' && looksLikeDecisionTrace(action.text) && !looksLikeDecisionTrace(before.source.text)) void this.openTrace(action.text, 'pasted text');
  }

  private async start(): Promise<void> {
    const samples = loadSampleList();
    void this.runner_.start();
    this.dispatch({ type: 'samples', samples: await samples });
    await this.openAddress();
    const asked = new URLSearchParams(location.search).get('url');
    if (asked !== null && this.state.source.origin.kind === 'empty') await this.openUrl(asked);
    if (this.state.source.origin.kind === 'empty' && this.state.source.text === '' && this.state.samples[0] !== undefined && asked === null && !this.address_.saysNoGraph) {
      await this.openSample(this.state.samples[0].id);
    }
  }

  // Takes over the state of the link in the address bar, if there is one.
  private async openAddress(): Promise<void> {
    const shared = await this.address_.read();
    if (shared === null) return;
    this.querySource()?.flush();
    this.dispatch({ type: 'options', options: shared.options });
    this.dispatch({ type: 'compare', runs: shared.compareRuns });
    this.dispatch({ type: 'view', view: shared.view });
    if (shared.source.kind === 'sample') await this.openSample(shared.source.id, true);
    if (shared.source.kind === 'url') await this.openUrl(shared.source.url, true);
    if (shared.source.kind === 'text') this.dispatch({ type: 'load', text: shared.source.text, origin: { kind: 'link' }, keepForced: true });
    if (shared.source.kind === 'too-large') this.notice('warning', 'This link holds settings alone: its graph was too large for a link. Open the graph’s file to see it.');
    this.dispatch({ type: 'want', key: shared.selected });
  }

  private notice(severity: 'error' | 'warning' | 'info', text: string): void {
    this.dispatch({ type: 'notice', severity, text });
  }

  private take(loaded: Loaded<string>, origin: AppState['source']['origin'], keepForced = false): void {
    if (loaded.kind === 'problem') this.notice('error', loaded.text);
    else if (looksLikeDecisionTrace(loaded.value)) void this.openTrace(loaded.value, origin.kind === 'file' ? origin.name : origin.kind === 'url' ? origin.url : 'decision trace');
    else this.dispatch({ type: 'load', text: loaded.value, origin, keepForced });
  }

  private async openSample(id: string, keepForced = false): Promise<void> {
    const sample = this.state.samples.find((candidate) => candidate.id === id);
    if (sample === undefined) return this.notice('error', `There is no sample “${id.slice(0, 100)}”.`);
    const loaded = await loadSample(sample);
    this.querySource()?.flush();
    this.take(loaded, { kind: 'sample', id }, keepForced);
  }

  private async openUrl(url: string, keepForced = false): Promise<void> {
    this.take(await loadUrl(url), { kind: 'url', url }, keepForced);
  }

  private async openFile(file: File): Promise<void> {
    performance.mark('tessera-drop');
    const loaded = await loadFile(file);
    this.querySource()?.flush();
    this.take(loaded, { kind: 'file', name: file.name });
  }

  // Shown beside the graph, which it does not replace: a trace has none.
  private async openTrace(text: string, name: string): Promise<void> {
    const outcome = await this.client.decisionTrace(text);
    if (outcome.kind === 'done') this.dispatch({ type: 'trace-opened', opened: { name: name.slice(0, 200), answer: outcome.value } });
    else if (outcome.kind === 'failed') this.dispatch({ type: 'notice', severity: 'error', text: 'The decision trace could not be read.', detail: [outcome.reason, ...outcome.log].join('\n') });
  }

  private async exportFile(what: string): Promise<void> {
    const outcome = await this.client.exportFile(this.state.source.text, this.state.options, what);
    if (outcome.kind === 'superseded' || outcome.kind === 'stopped') return;
    if (outcome.kind === 'done' && outcome.value.file !== null && outcome.value.content !== null) return saveFile(outcome.value.file, outcome.value.content);
    const error = outcome.kind === 'done' ? outcome.value.diagnostics.find(({ severity }) => severity === 'error') : undefined;
    this.notice('error', `The file could not be made${error === undefined ? '' : `: ${error.message}`}.`);
  }

  private openText(text: string): void {
    if (text.length > kMaxTextBytes) return this.notice('error', tooLarge('The dropped text', text.length));
    if (looksLikeDecisionTrace(text)) return void this.openTrace(text, 'dropped text');
    this.querySource()?.flush();
    this.dispatch({ type: 'load', text, origin: { kind: 'typed' } });
  }

  private pickFile(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.onchange = () => {
      const file = input.files?.[0];
      if (file !== undefined) void this.openFile(file);
    };
    input.click();
  }

  private obey(command: Command): void {
    switch (command.type) {
      case 'copy-link':
        return void this.copyLink();
      case 'stop':
        return this.runner_.stop();
      case 'slider-moved':
        return this.runner_.sliderMoved();
      case 'open-file':
        return this.pickFile();
      case 'load-file':
        return void this.openFile(command.file);
      case 'open-url':
        return void this.openUrl(command.url);
      case 'load-sample':
        return void this.openSample(command.id);
      case 'go-to-line':
        return void this.goToLine(command.line, command.column);
      case 'check-certificate':
        return void this.runner_.checkCertificate();
      case 'check-passes':
        return void this.runner_.checkPasses();
      case 'export':
        return void this.exportFile(command.what);
      case 'focus-search':
        return this.querySchedule()?.focusSearch();
      case 'focus-schedule':
        return this.querySchedule()?.focusGrid();
    }
  }

  private async copyLink(): Promise<void> {
    this.querySource()?.flush();
    this.copied_ = await this.address_.copy();
    if (this.copied_) setTimeout(() => (this.copied_ = false), 1600);
  }

  private async goToLine(line: number, column: number): Promise<void> {
    this.dispatch({ type: 'view', view: this.narrow ? { tab: 'source' } : { sourceOpen: true } });
    await this.updateComplete;
    this.querySource()?.goTo(line, column);
  }

  private async openWhy(): Promise<void> {
    if (this.narrow) this.dispatch({ type: 'view', view: { tab: 'why' } });
    await this.updateComplete;
    this.renderRoot.querySelector<TesseraWhy>('tessera-why')?.focusPanel();
  }

  private querySource(): TesseraSource | null {
    return this.renderRoot.querySelector<TesseraSource>('tessera-source');
  }
  private querySchedule(): TesseraSchedule | null {
    return this.renderRoot.querySelector<TesseraSchedule>('tessera-schedule');
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const target = event.composedPath()[0];
    const typing = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      if (this.narrow && this.state.view.tab !== 'map') this.dispatch({ type: 'view', view: { tab: 'schedule' } });
      void this.updateComplete.then(() => this.querySchedule()?.focusSearch());
    }
  };

  private get narrow(): boolean {
    return this.width_ <= kNarrowWindow;
  }

  private get sourceOpen(): boolean {
    return this.state.view.sourceOpen ?? this.width_ >= kWideWindow;
  }

  protected override willUpdate(): void {
    applyTheme(this.state.theme, this.systemDark_);
  }

  protected override updated(): void {
    const { main } = this.state.view;
    if (main === this.shownView_) return;
    this.shownView_ = main;
    this.renderRoot.querySelector('.views [aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  protected override render(): TemplateResult {
    const { state, narrow } = this;
    const tab = state.view.tab;
    const showSource = narrow ? tab === 'source' : this.sourceOpen;
    const empty = state.source.text.trim() === '';
    const run = empty ? null : (state.report?.run ?? null);
    const stale = state.stale && !empty ? 'stale' : '';
    return html`
      <tessera-toolbar .state=${state} .copied=${this.copied_}></tessera-toolbar>
      <tessera-totals .run=${run} .selected=${state.selected} .regret=${presentRegret(state)} .proofProblem=${state.proofProblem} class=${stale}></tessera-totals>
      ${this.renderNotices()}
      ${narrow ? this.renderTabs(tab) : nothing}
      <main class="${narrow ? 'narrow' : 'wide'} ${showSource ? 'with-source' : ''}">
        ${narrow || this.sourceOpen ? nothing : this.renderRail()}
        <tessera-source id="panel-source" ?hidden=${!showSource} .source=${state.source} .diagnostics=${state.diagnostics} .dropped=${state.droppedDiagnostics}></tessera-source>
        ${!narrow || tab === 'schedule' || tab === 'map' ? this.renderCenter() : nothing}
        ${!narrow || tab === 'why' ? html`<tessera-why id="panel-why" role="complementary" aria-label="Why" class=${stale} .run=${run} .device=${state.report?.device ?? null} .selected=${state.selected} .regret=${presentRegret(state)} .free=${state.freeRegret} .forced=${effectiveOption(state, kForcedOption)} ?planned=${state.view.planned}></tessera-why>` : nothing}
      </main>
      ${this.dragging_ ? html`<div class="drop" aria-hidden="true"><span>Drop a graph: MLIR or JSON</span></div>` : nothing}
      <p class="vh" role="status" aria-live="polite">${this.announcement()}</p>`;
  }

  private renderCenter(): TemplateResult {
    const { state } = this;
    const run = state.report?.run ?? null;
    const errors = state.diagnostics.filter(({ severity }) => severity === 'error').length;
    if (state.openedTrace !== null && state.view.main === 'beam') return html`<section class="center" id="panel-schedule">${run === null ? nothing : this.renderViews()}${this.renderBeam()}</section>`;
    if (state.source.text.trim() === '') return this.renderEmpty();
    if (run === null) return errors > 0 ? this.renderErrors() : this.renderLoading();
    if (run.rows.length === 0) return html`<section class="blank"><h2>Nothing to schedule</h2><p>The text was read, but it holds no function with ops.</p></section>`;
    return html`<section class="center" id="panel-schedule">
      ${this.renderViews()}
      ${state.stale ? html`<p class="stalenote"><b>${formatInteger(errors)} ${errors === 1 ? 'error' : 'errors'}</b> in the text. What you see is the last version that could be read.
        ${this.firstErrorButton()}</p>` : nothing}
      ${this.renderMain(run)}</section>`;
  }

  private renderViews(): TemplateResult {
    return html`<nav class="views" aria-label="Main view">${kMainViews.map(({ id, title, help }) => html`<button data-tip=${help} aria-current=${id === this.state.view.main ? 'true' : 'false'} @click=${() => this.dispatch({ type: 'view', view: { main: id } })}>${title}</button>`)}</nav>`;
  }

  private renderMain(run: Run): TemplateResult {
    const { state, narrow } = this;
    switch (state.view.main) {
      case 'compare':
        return this.renderCompare();
      case 'steps':
        return this.renderSteps();
      case 'beam':
        return this.renderBeam();
      case 'optimum':
        return html`<tessera-optimum .result=${state.regret} ?outdated=${state.regretOf !== state.report} .run=${run} .free=${state.freeRegret} .forced=${effectiveOption(state, kForcedOption)} ?undoable=${state.forcedBefore.length > 0} .problem=${state.proofProblem} .certificate=${state.certificate} ?busy=${state.proving}>${this.renderCap()}</tessera-optimum>`;
      case 'passes':
        return html`<tessera-passes .result=${state.passes} .checks=${state.passChecks} ?busy=${state.passing} ?checking=${state.checkingPasses}></tessera-passes>`;
      case 'schedule':
        return html`<tessera-schedule class=${state.stale ? 'stale' : ''} ?compact=${narrow} .run=${run} .device=${state.report?.device ?? null} .selected=${state.selected} .query=${state.query}
          .split=${state.view.split} .whole=${state.view.whole} ?planned=${state.view.planned} .regret=${presentRegret(state)} ?heat=${state.view.regret} ?proving=${state.proving} .loads=${state.source.loads} .show=${narrow ? (state.view.tab === 'map' ? 'map' : 'table') : 'both'} .themeKey=${`${state.theme}${this.systemDark_}`}>${this.renderCap()}</tessera-schedule>`;
    }
  }

  // How much of L1 a plan may fill: what people try out most, wherever they look at what comes of it.
  private renderCap(): TemplateResult {
    const { state } = this;
    return html`<tessera-knobs slot="tools" only="tensor-l1-usage-cap" .catalog=${state.catalog} .options=${state.options} .effective=${state.report?.options ?? {}} .policy=${String(effectiveOption(state, 'policy') ?? '')}></tessera-knobs>`;
  }

  private renderCompare(): TemplateResult {
    const { state } = this;
    return html`<tessera-compare .catalog=${state.catalog} .base=${state.options} .runs=${comparedRuns(state)} .reports=${state.comparison} .busy=${state.comparing} .selected=${state.report?.run?.rows[state.selected]?.name ?? ''}></tessera-compare>`;
  }

  private renderSteps(): TemplateResult {
    const { state } = this;
    const policy = String(effectiveOption(state, 'policy') ?? '');
    return html`<tessera-steps .report=${state.stepsReport} ?busy=${state.tracing} .policy=${policy} .policyTitle=${state.catalog?.policies.find(({ id }) => id === policy)?.title ?? ''}></tessera-steps>`;
  }

  private renderBeam(): TemplateResult {
    const { state } = this;
    return html`<tessera-beam .report=${state.report} .opened=${state.openedTrace} .selected=${state.selected} ?busy=${state.running} .catalog=${state.catalog} .options=${state.options}
      .policy=${String(effectiveOption(state, 'policy') ?? '')} .themeKey=${`${state.theme}${this.systemDark_}`}></tessera-beam>`;
  }

  private firstErrorButton(): TemplateResult | typeof nothing {
    const first = this.state.diagnostics.find(({ severity }) => severity === 'error');
    return first === undefined ? nothing : html`<button class="link" @click=${() => this.obey({ type: 'go-to-line', line: first.line, column: first.column })}>Go to line ${first.line}</button>`;
  }

  private renderEmpty(): TemplateResult {
    return html`<section class="blank"><h2>No graph yet</h2>
      <p>Paste a TTIR or TTNN graph into the source, drop a file anywhere on this page, or start with a sample.</p>
      <p class="actions"><button class="btn primary" @click=${() => this.pickFile()}>${icons.file}Open a file</button></p>
      <ul class="samples">${this.state.samples.map((sample) => html`<li><button @click=${() => void this.openSample(sample.id)}><b>${sample.title}</b><span>${sample.description}</span></button></li>`)}</ul>
      <p class="dim">Nothing leaves your computer: the optimizer runs in this page.</p></section>`;
  }

  private renderErrors(): TemplateResult {
    const errors = this.state.diagnostics.filter(({ severity }) => severity === 'error');
    return html`<section class="blank errors"><h2>The text could not be read</h2>
      <p>${errors.length === 1 ? 'There is one error.' : `There are ${formatInteger(errors.length + this.state.droppedDiagnostics)} errors.`} The schedule appears as soon as the text can be read.</p>
      <ul>${errors.slice(0, 12).map((error) => html`<li><button @click=${() => this.obey({ type: 'go-to-line', line: error.line, column: error.column })}><span class="mono">${error.line}:${error.column}</span><span>${error.message}</span></button></li>`)}</ul></section>`;
  }

  private renderLoading(): TemplateResult {
    if (this.state.engine === 'failed') {
      return html`<section class="blank"><h2>The engine could not be started</h2><p>Your browser must support WebAssembly, and the page’s engine files must be where the page is. Your text is kept.</p>
        <p class="actions"><button class="btn primary" @click=${() => location.reload()}>Reload the page</button></p></section>`;
    }
    return html`<section class="blank loading" aria-busy="true"><div class="skeleton" aria-hidden="true">${Array.from({ length: 14 }, () => html`<i></i>`)}</div><p class="vh">Running…</p></section>`;
  }

  private renderRail(): TemplateResult {
    const errors = hasErrors(this.state.diagnostics);
    return html`<nav class="rail" aria-label="Source"><button class="btn icon quiet" aria-label="Show the source pane" data-tip="Show the source" @click=${() => this.dispatch({ type: 'view', view: { sourceOpen: true } })}>${icons.expand}</button>
      <span class="railtext">Source</span>${errors ? html`<i class="raildot" data-tip="The text has errors"></i>` : nothing}</nav>`;
  }

  private renderTabs(tab: Tab): TemplateResult {
    const tabs: [Tab, string][] = [['schedule', 'Schedule'], ['map', 'L1 map'], ['why', 'Why'], ['source', 'Source']];
    const errors = this.state.diagnostics.filter(({ severity }) => severity === 'error').length;
    return html`<nav class="tabs" aria-label="Views">${tabs.map(([id, title]) => html`<button aria-current=${id === tab ? 'true' : 'false'} class=${id === tab ? 'on' : ''} @click=${() => this.dispatch({ type: 'view', view: { tab: id } })}>${title}${id === 'source' && errors > 0 ? html` <b class="errors">${errors}</b>` : nothing}</button>`)}</nav>`;
  }

  private renderNotices(): TemplateResult {
    return html`<div class="notices" role="region" aria-label="Messages">${this.state.notices.map((notice) => html`<div class="notice ${notice.severity}" role=${notice.severity === 'error' ? 'alert' : 'status'}>
      <span>${notice.text}${notice.detail === '' ? nothing : html`<details><summary>Details</summary><pre>${notice.detail}</pre></details>`}</span>
      <button class="btn icon quiet" aria-label="Dismiss" @click=${() => this.dispatch({ type: 'dismiss', id: notice.id })}>${icons.close}</button></div>`)}</div>`;
  }

  private announcement(): string {
    const { state } = this;
    const run = state.report?.run;
    if (state.stale) return 'The text has errors; the last good schedule is shown.';
    return run == null ? '' : `${run.rows.length} steps. ${run.totals.spills} spilled, ${run.totals.reshards} resharded, ${run.totals.failures} failures.`;
  }
}

customElements.define('tessera-app', TesseraApp);
