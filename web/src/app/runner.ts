// Decides when the engine is asked: a lint right after an edit, a run a moment after the last change.

import type { EngineClient, Outcome } from '../engine/client';
import { REPORT_SCHEMA, type Report } from '../model/report';
import type { Action, AppState } from '../model/state';
import { type RunAsked } from '../model/option_values';
import { askedRun } from '../model/plan';
import { Advisor } from './advisor';
import { asAsked, draftOptions, isOpen } from './draft';
import { failureText } from './failure';
import { Prover } from './prover';
import { Trier } from './trier';
import { ViewRequests } from './view_requests';
import { viewOf } from './views';

const wantsTrace = (state: AppState): boolean => viewOf(state).tracesRun?.(state) === true;

// after the last change of an option; a text comes when its typing has paused (source_pane.ts)
const kOptionPauseMs = 150;
const kRestMs = 250; // of a slider: then the whole run follows its draft
const kSpareDelayMs = 800; // after a run: the page is likely idle
const kMostWarmed = 512 * 1024; // characters of a text; a larger one takes as much memory again for a spare
const kSlowMs = 40; // runs that take longer are worth a spare worker that has done one already

export class Runner {
  private timer_ = 0;
  private spareTimer_ = 0;
  private readonly views_: ViewRequests;
  private readonly prover_: Prover;
  private readonly trier_: Trier;
  private readonly advisor_: Advisor;
  private linted_ = '';
  private runs_ = 0; // the newest request; an answer to an older one only ends its own request,
  // unless all requests after this one are of a moving slider: then every picture is shown on the way
  private still_ = 0;
  private shown_ = 0; // the newest request that was answered

  constructor(
    private readonly client: EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
    makeClient: () => EngineClient,
  ) {
    this.prover_ = new Prover(makeClient, state, dispatch);
    this.trier_ = new Trier(makeClient, state, dispatch);
    this.advisor_ = new Advisor(makeClient, state, dispatch);
    this.views_ = new ViewRequests(client, state, dispatch);
  }

  async start(): Promise<void> {
    const outcome = await this.client.catalog();
    if (outcome.kind === 'done') {
      await new Promise((resolve) => setTimeout(resolve, 0)); // reading it and drawing with it are two tasks
      this.dispatch({ type: 'catalog', catalog: outcome.value });
      if (this.runs_ === 0 && this.state().report !== null) await this.rehearse();
    } else if (outcome.kind === 'failed') {
      this.dispatch({ type: 'engine-failed' });
      this.dispatch({
        type: 'notice',
        severity: 'error',
        text: 'The engine could not be started.',
        detail: [outcome.reason, ...outcome.log].join('\n'),
      });
    }
  }

  follow(before: AppState, after: AppState): void {
    const textChanged = before.source.text !== after.source.text;
    const optionsChanged = askedRun(before) !== askedRun(after);
    const loaded = before.source.loads !== after.source.loads;
    const made = after.report !== before.report && after.reportOf !== before.reportOf; // it came with the text
    if (loaded && made && after.reportOf === after.source.loads) this.markDrawn();
    else if (loaded || textChanged) this.runSoon(0);
    else if (optionsChanged) this.runSoon(kOptionPauseMs);
    const untraced = after.report?.run != null && after.report.options['trace'] !== true && !after.running;
    if (wantsTrace(after) && untraced && (!wantsTrace(before) || before.report !== after.report)) this.runSoon(0);
    this.views_.follow(before, after, loaded || textChanged || optionsChanged);
    this.prover_.follow(before, after);
    this.advisor_.follow(before, after);
  }

  proveLonger(): void {
    this.prover_.longer();
  }

  checkCertificate(): Promise<void> {
    return this.views_.checkCertificate();
  }

  tryChanges(name: string): Promise<void> {
    return this.advisor_.tryChanges(name);
  }

  tryLayouts(name: string): Promise<void> {
    return this.trier_.tryLayouts(name);
  }

  executePlan(): Promise<void> {
    return this.views_.executePlan();
  }

  checkPasses(): Promise<void> {
    return this.views_.checkPasses();
  }

  // The next picture is due within a moment.
  sliderMoved(): void {
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(() => void this.run(draftOptions(this.state()), true), 0);
  }

  private runSoon(delayMs: number): void {
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(() => void this.run(null, false), delayMs);
  }

  stop(): void {
    window.clearTimeout(this.timer_);
    this.still_ = ++this.runs_;
    this.client.stop();
    this.dispatch({ type: 'run-ended' });
    this.dispatch({ type: 'notice', severity: 'info', text: 'Stopped. The next change runs again.' });
  }

  // `draft`: the options of a first answer; null: none is needed.
  private async run(draft: RunAsked | null, moving: boolean): Promise<void> {
    const { source } = this.state();
    if (source.text.trim() === '') {
      this.dispatch({ type: 'lint-done', lint: { schema: REPORT_SCHEMA, diagnostics: [], droppedDiagnostics: 0 } });
      return;
    }
    const mine = ++this.runs_;
    if (!moving) this.still_ = mine;
    this.dispatch({ type: 'run-started' });
    if (source.text !== this.linted_) {
      window.clearTimeout(this.spareTimer_); // what the spare was to do is of the text before
      if (this.state().view.sourceOpen) this.lint(source.text, mine); // a moved slider changes no text
    }
    const first = draft ?? askedRun(this.state());
    const outcome = await this.client.run(source.text, wantsTrace(this.state()) ? { ...first, trace: true } : first);
    if (mine < this.runs_) {
      const onTheWay = mine > this.still_ && mine > this.shown_ && outcome.kind === 'done';
      if (onTheWay) this.show(asAsked(outcome.value, this.state()), outcome.ms, mine, true);
      return;
    }
    if (draft === null || outcome.kind !== 'done') return this.finish(outcome);
    const report = asAsked(outcome.value, this.state());
    if (!isOpen(report)) return this.finish({ ...outcome, value: report });
    this.show(report, outcome.ms, mine, true);
    this.runSoon(kRestMs);
  }

  private show(report: Report, ms: number, run: number, draft: boolean): void {
    this.shown_ = run;
    performance.mark('tessera-report');
    this.dispatch({ type: 'run-done', report, ms, draft });
    this.markDrawn();
  }

  private markDrawn(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('tessera-drawn')));
  }

  // The run that was made ahead of time, so that what the engine keeps of it is there for the first change.
  private async rehearse(): Promise<void> {
    const outcome = await this.client.rehearse(this.state().source.text, askedRun(this.state()));
    if (outcome.kind === 'done' && this.runs_ === 0) this.spareSoon(outcome.ms);
  }

  private spareSoon(ms: number): void {
    window.clearTimeout(this.spareTimer_);
    const { source } = this.state();
    const options = askedRun(this.state());
    this.spareTimer_ = window.setTimeout(
      () => this.client.warmSpare(isWorthWarming(ms, source.text) ? { text: source.text, options } : null),
      kSpareDelayMs,
    );
  }

  // The lint is quick: its diagnostics stand at their lines while a long run goes on. Where no lines are shown, those
  // that come with the run are early enough.
  private lint(text: string, mine: number): void {
    this.linted_ = text;
    void this.client.lint(text).then((outcome) => {
      if (outcome.kind === 'done' && mine === this.runs_ && this.state().running)
        this.dispatch({ type: 'lint-done', lint: outcome.value });
    });
  }

  private finish(outcome: Outcome<Report>): void {
    if (outcome.kind === 'done') {
      this.show(outcome.value, outcome.ms, this.runs_, false);
      this.spareSoon(outcome.ms);
      return;
    }
    this.dispatch({ type: 'run-ended' });
    if (outcome.kind === 'failed') {
      this.dispatch({
        type: 'notice',
        severity: 'error',
        text: failureText(
          outcome,
          this.state().source,
          'The engine stopped unexpectedly and was restarted. Your text is kept; the next change runs again.',
        ),
        detail: [outcome.reason, ...outcome.log].join('\n'),
      });
    }
  }
}

function isWorthWarming(ms: number, text: string): boolean {
  return ms > kSlowMs && text.length <= kMostWarmed;
}
