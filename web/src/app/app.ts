// The page: holds the state, sends it down to the elements, and is the one place with side effects (engine, address,
// files, theme).

import { html, nothing, type TemplateResult } from 'lit';

import type { EngineClient } from '../engine/client';
import { looksLikeDecisionTrace } from '../model/beam_trace';
import { kForcedOption } from '../model/forced';
import { kCalibration } from '../model/profile';
import type { Run } from '../model/report';
import {
  effectiveOption,
  findRow,
  initialState,
  presentRegret,
  rowsUnproven,
  type Action,
  type AppState,
} from '../model/state';
import { reduce } from '../model/reduce';
import type { SharedState } from '../model/url';
import { stateOfStop, tourAt, type TourStop } from '../model/tours';
import { isAboutForced } from '../model/trials';
import '../source/source_pane';
import type { TesseraSource } from '../source/source_pane';
import { sharedStyles, TesseraElement, type Command } from '../view/element';
import '../view/schedule';
import type { TesseraSchedule } from '../view/schedule';
import '../view/totals';
import '../why/why';
import type { TesseraWhy } from '../why/why';
import { announcement } from './announcement';
import { appStyles } from './app_styles';
import { AddressBar } from './address';
import './blank';
import { calibrationNote } from './calibration_note';
import { Exporter } from './exporter';
import { installDrop, type DroppedFile } from './drop';
import { LogReader } from './log_reader';
import { clientMaker } from './make_client';
import { loadSampleList } from './load';
import { narrowTabs } from './narrow_tabs';
import './notices';
import { Opener } from './opener';
import { keepPaneFocus } from './pane_focus';
import { overdueNote, type OverdueChoice } from './overdue_note';
import './plan_bar';
import type { PolicyRunner } from './policy_runner';
import { Runner } from './runner';
import './rail';
import { urlQuestion } from './url_question';
import { applyTheme, readTheme, storeTheme } from '../view/theme';
import { staleNote } from './stale_note';
import './toolbar';
import './tour_bar';
import './view_buttons';
import { beamView, kPolicyView, kStudyView, viewOf } from './views';
import { kRowHeight, setRowHeight } from '../view/schedule_geometry';
import { installTooltip, tipStyles } from '../view/tooltip';

const kWhyWindow = 1100; // CSS pixels from which the why panel is open by itself
const kLatestBegin = 4000; // ms after which the engine starts, whatever else goes on
const kNarrowWindow = 820; // up to which one pane is shown at a time

const kDropHint = html`<div class="drop" aria-hidden="true"><span>Drop a graph: MLIR or JSON</span></div>`;

export class TesseraApp extends TesseraElement {
  static override properties = {
    state: { state: true },
    width_: { state: true },
    copied_: { state: true },
    dragging_: { state: true },
    systemDark_: { state: true },
    urlAsked_: { state: true },
    first_: { state: true },
  };
  static override styles = [sharedStyles, tipStyles, appStyles];

  declare state: AppState;
  declare width_: number;
  declare copied_: boolean;
  declare dragging_: boolean;
  declare systemDark_: boolean;
  declare urlAsked_: string; // an address that a link names, which nobody has agreed to fetch yet; ''

  declare first_: boolean; // the picture that came with the page is shown until there is a run

  readonly client: EngineClient;
  private readonly makeClient_: () => EngineClient;
  private begin_ = (): void => {}; // starts the engine
  private readonly runner_: Runner;
  private readonly logs_: LogReader;
  private readonly opener_: Opener;
  private policies_: Promise<PolicyRunner> | null = null; // loaded with its view
  private readonly address_: AddressBar;
  private readonly exporter_: Exporter;
  private readonly dark_ = matchMedia('(prefers-color-scheme: dark)');

  constructor() {
    super();
    this.state = { ...initialState, theme: readTheme() };
    this.width_ = window.innerWidth;
    this.copied_ = false;
    this.dragging_ = false;
    this.systemDark_ = this.dark_.matches;
    this.urlAsked_ = '';
    this.first_ = false;
    const begun = new Promise<void>((resolve) => (this.begin_ = resolve));
    const makeClient = (this.makeClient_ = clientMaker(begun));
    this.client = makeClient((overdue) => this.dispatch({ type: 'overdue', overdue }));
    this.runner_ = new Runner(
      this.client,
      () => this.state,
      (action) => this.dispatch(action),
      makeClient,
    );
    this.logs_ = new LogReader(makeClient, (action) => this.dispatch(action));
    this.opener_ = new Opener({
      client: this.client,
      logs: this.logs_,
      state: () => this.state,
      dispatch: (action) => this.dispatch(action),
      flush: () => this.querySource()?.flush(),
      openShared: (shared) => this.openShared(shared),
    });
    this.address_ = new AddressBar(
      () => this.state,
      (action) => this.dispatch(action),
    );
    this.exporter_ = new Exporter(
      this.client,
      () => this.state,
      (action) => this.dispatch(action),
      this,
    );
    this.addEventListener('tessera-action', (event) => this.dispatch((event as CustomEvent<Action>).detail));
    this.addEventListener('tessera-command', (event) => this.obey((event as CustomEvent<Command>).detail));
    this.addEventListener('open-why', () => this.openWhy());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.first_ = this.firstElementChild !== null && document.documentElement.dataset['opens'] !== 'link';
    applyTheme(this.state.theme, this.systemDark_);
    window.addEventListener('resize', () => this.measure());
    this.measure();
    window.addEventListener('keydown', this.onKey);
    window.addEventListener('hashchange', () => void this.openAddress());
    this.address_.watchLeaving(() => this.querySource()?.flush());
    this.dark_.addEventListener('change', () => (this.systemDark_ = this.dark_.matches));
    installDrop({
      dragging: (on) => (this.dragging_ = on),
      file: (file) => void this.opener_.openFile(file),
      folder: (files) =>
        this.state.view.main === kStudyView ? void this.study(files) : void this.logs_.takeFolder(files),
      many: (files) => void this.study(files),
      text: (text) => this.opener_.openText(text),
    });
    void this.start();
  }

  private measure(): void {
    this.width_ = window.innerWidth;
    const touch = this.narrow && matchMedia('(pointer: coarse)').matches;
    if (!setRowHeight(touch)) return;
    document.documentElement.style.setProperty('--row', `${kRowHeight}px`);
    this.querySchedule()?.requestUpdate();
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
    if (after.view.main === kPolicyView) void this.policies().then((runner) => runner.follow(before, after));
    this.address_.follow(before, after);
    keepPaneFocus(this, before.view, after.view);
    const { main, step } = after.view;
    if (before.view.main !== main || (before.view.step === null) !== (step === null)) void this.loadView();
    if (before.tour !== after.tour) void this.followTour();
    if (before.theme !== after.theme) storeTheme(after.theme);
    if (action.type === 'edit' && looksLikeDecisionTrace(action.text) && !looksLikeDecisionTrace(before.source.text))
      void this.opener_.openTrace(action.text, 'pasted text');
  }

  private async loadView(): Promise<void> {
    const { load, title } = viewOf(this.state);
    await load(this.state).catch(() =>
      this.notice('error', `The view ${title} could not be loaded. Is the page’s host reachable?`),
    );
  }

  // Many graphs at once.
  private async study(files: readonly DroppedFile[]): Promise<void> {
    const { studies } = await import('../study/study');
    studies.add(files);
    this.dispatch({ type: 'view', view: { main: kStudyView, tab: 'schedule' } });
  }

  private policies(): Promise<PolicyRunner> {
    this.policies_ ??= import('./policy_runner').then(
      ({ PolicyRunner: Made }) =>
        new Made(
          this.makeClient_,
          () => this.state,
          (action) => this.dispatch(action),
        ),
    );
    return this.policies_;
  }

  private async start(): Promise<void> {
    const samples = loadSampleList();
    void this.runner_.start();
    setTimeout(this.begin_, kLatestBegin);
    this.dispatch({ type: 'samples', samples: await samples });
    await this.openAddress();
    const asked = new URLSearchParams(location.search).get('url');
    const { origin, text } = this.state.source;
    const [first] = this.state.samples;
    if (asked !== null && origin.kind === 'empty') this.urlAsked_ = asked;
    else if (origin.kind === 'empty' && text === '' && first !== undefined && !this.address_.saysNoGraph)
      await this.opener_.openSample(first.id);
    this.first_ = false;
    this.replaceChildren();
    if (this.state.report === null) this.begin_();
    else requestAnimationFrame(() => setTimeout(this.begin_, 0)); // what was made ahead of time is drawn first
  }

  // Takes over the state of the link in the address bar, if there is one.
  private async openAddress(): Promise<void> {
    const shared = await this.address_.read();
    if (shared !== null) await this.openShared(shared);
  }

  private async openShared(shared: SharedState): Promise<void> {
    this.querySource()?.flush();
    const before = this.state;
    if (!same(shared.options, before.options)) this.dispatch({ type: 'options', options: shared.options });
    if (!same(shared.compareRuns, before.compareRuns)) this.dispatch({ type: 'compare', runs: shared.compareRuns });
    this.dispatch({ type: 'view', view: { ...initialState.view, ...shared.view } });
    const { source } = shared;
    const { origin, text } = this.state.source;
    if (source.kind === 'sample' && !(origin.kind === 'sample' && origin.id === source.id))
      await this.opener_.openSample(source.id, true);
    if (source.kind === 'url' && !(origin.kind === 'url' && origin.url === source.url)) this.urlAsked_ = source.url;
    if (source.kind === 'text' && (source.text !== text || origin.kind === 'sample')) {
      const from = { kind: 'link', name: source.name } as const;
      this.dispatch({ type: 'load', text: source.text, origin: from, keepForced: true });
    }
    const changed = this.state.source !== before.source || this.state.options !== before.options;
    const runs = changed && this.state.report === before.report; // else what was made ahead of time is there
    this.dispatch({ type: 'policy', policy: { code: shared.policyCode } });
    if (shared.plan !== null) this.dispatch({ type: 'plan', plan: shared.plan });
    if (shared.source.kind === 'too-large')
      this.notice(
        'warning',
        'This link holds settings alone: its graph was too large for a link. Open the graph’s file to see it.',
      );
    this.dispatch({ type: 'want', key: shared.selected });
    const { report } = this.state;
    if (!runs && report !== null)
      this.dispatch({ type: 'select', row: shared.selected === null ? -1 : findRow(report, shared.selected) });
  }

  // Where the page is in a tour.
  get tourStop(): TourStop | undefined {
    const { tour } = this.state;
    return tourAt(tour)?.stops[tour?.stop ?? -1];
  }

  private async followTour(): Promise<void> {
    const stop = this.tourStop;
    if (stop === undefined) return;
    if (this.state.plan !== null) this.dispatch({ type: 'plan', plan: null });
    await this.openShared(stateOfStop(stop));
  }

  private notice(severity: 'error' | 'warning' | 'info', text: string): void {
    this.dispatch({ type: 'notice', severity, text });
  }

  private async answerUrl(load: boolean): Promise<void> {
    const url = this.urlAsked_;
    this.urlAsked_ = '';
    if (load) await this.opener_.openUrl(url, true);
    else if (this.state.source.text === '' && this.state.samples[0] !== undefined)
      await this.opener_.openSample(this.state.samples[0].id);
  }

  private obey(command: Command): void {
    switch (command.type) {
      case 'copy-link':
        return void this.copyLink();
      case 'stop':
        return this.runner_.stop();
      case 'run-policy':
        return void this.policies().then((runner) => runner.run(command.where));
      case 'log-pass':
        return void this.logs_.choose(command.pass);
      case 'log-follow':
        return void this.logs_.follow(command.location);
      case 'stop-policy':
        return void this.policies().then((runner) => runner.stop());
      case 'slider-moved':
        return this.runner_.sliderMoved();
      case 'open-file':
        return this.opener_.pickFile();
      case 'load-file':
        return void this.opener_.openFile(command.file);
      case 'open-url':
        return void this.opener_.openUrl(command.url);
      case 'load-sample':
        return void this.opener_.openSample(command.id);
      case 'go-to-line':
        return void this.goToLine(command.line, command.column);
      case 'prove-longer':
        return this.runner_.proveLonger();
      case 'check-certificate':
        return void this.runner_.checkCertificate();
      case 'execute-plan':
        return void this.runner_.executePlan();
      case 'check-passes':
        return void this.runner_.checkPasses();
      case 'try-changes':
        return void this.runner_.tryChanges(command.name);
      case 'try-layouts':
        return void this.runner_.tryLayouts(command.name);
      case 'export':
        return void this.exporter_.save(command.what);
      case 'focus-search':
        return this.querySchedule()?.focusSearch();
      case 'focus-schedule':
        return this.querySchedule()?.focusGrid();
    }
  }

  private answerOverdue(choice: OverdueChoice): void {
    if (choice === 'stop') this.runner_.stop();
    else this.client[choice]();
  }

  private async copyLink(): Promise<void> {
    this.querySource()?.flush();
    this.copied_ = await this.address_.copy();
    if (this.copied_) setTimeout(() => (this.copied_ = false), 1600);
  }

  private async goToLine(line: number, column: number): Promise<void> {
    this.dispatch({ type: 'view', view: this.narrow ? { tab: 'source' } : { sourceOpen: true } });
    await this.updateComplete;
    await this.querySource()?.updateComplete;
    this.querySource()?.goTo(line, column);
  }

  private async openWhy(): Promise<void> {
    this.dispatch({ type: 'view', view: this.narrow ? { tab: 'why' } : { whyOpen: true } });
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
    const typing =
      target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      if (this.narrow && this.state.view.tab !== 'map') this.dispatch({ type: 'view', view: { tab: 'schedule' } });
      void this.updateComplete.then(() => this.querySchedule()?.focusSearch());
    }
  };

  private get narrow(): boolean {
    return this.width_ <= kNarrowWindow;
  }

  private get whyOpen(): boolean {
    return this.state.view.whyOpen ?? this.width_ >= kWhyWindow;
  }

  protected override willUpdate(): void {
    applyTheme(this.state.theme, this.systemDark_);
  }

  protected override render(): TemplateResult {
    const { state, narrow } = this;
    const { tab } = state.view;
    const showSource = narrow ? tab === 'source' : state.view.sourceOpen;
    const showWhy = narrow ? tab === 'why' : this.whyOpen;
    const { run, stale } = this.shown;
    const inText = state.diagnostics.filter((found) => !isAboutForced(found));
    return html` <tessera-toolbar role="banner" .state=${state} .copied=${this.copied_}></tessera-toolbar>
      <tessera-totals
        role="region"
        aria-label="Figures of the run"
        .run=${run}
        .selected=${state.selected}
        .regret=${presentRegret(state)}
        .proofProblem=${state.proofProblem}
        .unproven=${rowsUnproven(state)}
        class=${stale}
      ></tessera-totals>
      <tessera-tour-bar .place=${state.tour}></tessera-tour-bar>
      <tessera-plan-bar .state=${state}></tessera-plan-bar>
      ${calibrationNote(state, () => this.dispatch({ type: 'option', id: kCalibration, value: '' }))}
      ${urlQuestion(this.urlAsked_, (load) => void this.answerUrl(load))}
      ${overdueNote(state.overdue, (choice) => this.answerOverdue(choice))}
      <tessera-notices .notices=${state.notices}></tessera-notices>
      ${narrow ? narrowTabs(tab, viewOf(state).id, inText) : nothing}
      <main class="${narrow ? 'narrow' : 'wide'} ${showSource ? 'with-source' : ''} ${showWhy ? 'with-why' : ''}">
        ${narrow || showSource ? nothing : html`<tessera-rail pane="source" .diagnostics=${inText}></tessera-rail>`}
        <tessera-source
          id="panel-source"
          ?hidden=${!showSource}
          .open=${showSource}
          .source=${state.source}
          .diagnostics=${inText}
          .dropped=${state.droppedDiagnostics}
        ></tessera-source>
        ${!narrow || tab === 'schedule' || tab === 'map' ? this.renderCenter() : nothing}
        ${showWhy ? this.renderWhy() : narrow ? nothing : html`<tessera-rail pane="why"></tessera-rail>`}
      </main>
      ${this.dragging_ ? kDropHint : nothing}
      <p class="vh" role="status" aria-live="polite">${announcement(state)}</p>`;
  }

  // The run that the page shows, and the class of what is drawn of an earlier text.
  private get shown(): { readonly run: Run | null; readonly stale: string } {
    const { state } = this;
    const empty = state.source.text.trim() === '' || this.traceShown; // an opened trace stands alone
    return { run: empty ? null : (state.report?.run ?? null), stale: state.stale && !empty ? 'stale' : '' };
  }

  private get traceShown(): boolean {
    return this.state.openedTrace !== null && viewOf(this.state).id === 'beam';
  }

  private renderWhy(): TemplateResult {
    const { state } = this;
    const { run, stale } = this.shown;
    return html`<tessera-why
      id="panel-why"
      role="complementary"
      aria-label="Why"
      class=${stale}
      .run=${run}
      .device=${state.report?.device ?? null}
      .selected=${state.selected}
      .regret=${presentRegret(state)}
      .free=${state.freeRegret}
      .forced=${effectiveOption(state, kForcedOption) ?? ''}
      .report=${state.report}
      .trials=${state.trials}
      .advice=${state.advice}
      .applied=${state.applied}
      ?fixed=${state.plan !== null}
      ?planned=${state.view.planned}
    ></tessera-why>`;
  }

  private renderCenter(): TemplateResult {
    const { state, narrow } = this;
    const { run } = this.shown;
    const view = viewOf(state);
    const themeKey = `${state.theme}${this.systemDark_}`;
    const page = { state, narrow, themeKey, send: (action: Action) => this.dispatch(action) };
    if (this.first_ && run === null) return html`<slot name="first"></slot>`;
    const alone = run === null ? (view.alone?.(state) ?? null) : null;
    if (alone !== null) return alone;
    if (!this.traceShown && (run === null || run.rows.length === 0))
      return html`<tessera-blank .state=${state}></tessera-blank>`;
    return html`<section class="center" id="panel-schedule">
      ${
        state.report?.run == null || narrow
          ? nothing
          : html`<tessera-view-buttons .current=${view.id}></tessera-view-buttons>`
      }
      ${this.traceShown || !state.stale ? nothing : staleNote(state, (line, at) => void this.goToLine(line, at))}
      ${run === null ? beamView(state, themeKey) : view.render({ ...page, run })}
    </section>`;
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

customElements.define('tessera-app', TesseraApp);
