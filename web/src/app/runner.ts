// Decides when the engine is asked: a lint right after an edit, a run a moment after the last change.

import type { EngineClient, Outcome } from '../engine/client';
import { runRequests } from '../compare/compare_model';
import type { Report } from '../model/report';
import { kTracedPolicies } from '../steps/steps_model';
import { comparedRuns, effectiveOption, type Action, type AppState } from '../model/state';

const kOptionPauseMs = 150; // after the last change of an option; a text comes when its typing has paused (source_pane.ts)
const kComparePauseMs = 200;
const kSpareDelayMs = 800; // after a run: the page is likely idle

export class Runner {
  private timer_ = 0;
  private compareTimer_ = 0;
  private comparisons_ = 0;
  private stepsTimer_ = 0;
  private traces_ = 0;
  private runs_ = 0; // the newest request; an answer to an older one only ends its own request

  constructor(
    private readonly client: EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  async start(): Promise<void> {
    const outcome = await this.client.catalog();
    if (outcome.kind === 'done') {
      this.dispatch({ type: 'catalog', catalog: outcome.value });
    } else if (outcome.kind === 'failed') {
      this.dispatch({ type: 'engine-failed' });
      this.dispatch({ type: 'notice', severity: 'error', text: 'The engine could not be started.', detail: [outcome.reason, ...outcome.log].join('\n') });
    }
  }

  follow(before: AppState, after: AppState): void {
    const textChanged = before.source.text !== after.source.text;
    const optionsChanged = before.options !== after.options;
    const loaded = before.source.loads !== after.source.loads;
    if (loaded || textChanged) this.runSoon(0);
    else if (optionsChanged) this.runSoon(kOptionPauseMs);
    this.followComparison(before, after, loaded || textChanged || optionsChanged);
    this.followSteps(before, after, loaded || textChanged || optionsChanged);
  }

  // The comparison is made while it is looked at only.
  private followComparison(before: AppState, after: AppState, inputsChanged: boolean): void {
    if (after.view.main !== 'compare' || after.catalog === null) return;
    const opened = before.view.main !== 'compare' || before.catalog === null;
    if (!opened && !inputsChanged && before.compareRuns === after.compareRuns) return;
    window.clearTimeout(this.compareTimer_);
    this.compareTimer_ = window.setTimeout(() => void this.compare(), kComparePauseMs);
  }

  private async compare(): Promise<void> {
    const state = this.state();
    if (state.source.text.trim() === '') return;
    const mine = ++this.comparisons_;
    this.dispatch({ type: 'compare-started' });
    const outcome = await this.client.compare(state.source.text, runRequests(state.options, comparedRuns(state)));
    if (mine !== this.comparisons_) return;
    this.dispatch({ type: 'compare-ended', reports: outcome.kind === 'done' ? outcome.value.runs : null });
    if (outcome.kind === 'failed') this.dispatch({ type: 'notice', severity: 'error', text: 'The runs could not be compared.', detail: [outcome.reason, ...outcome.log].join('\n') });
  }

  // A trace is asked for while its steps are looked at only, so that the main report stays small.
  private followSteps(before: AppState, after: AppState, inputsChanged: boolean): void {
    if (after.view.main !== 'steps' || after.catalog === null) return;
    const opened = before.view.main !== 'steps' || before.catalog === null;
    if (!opened && !inputsChanged) return;
    window.clearTimeout(this.stepsTimer_);
    this.stepsTimer_ = window.setTimeout(() => void this.trace(), kComparePauseMs);
  }

  private async trace(): Promise<void> {
    const state = this.state();
    const mine = ++this.traces_;
    if (state.source.text.trim() === '' || !kTracedPolicies.includes(String(effectiveOption(state, 'policy')))) return this.dispatch({ type: 'steps-ended', report: null });
    this.dispatch({ type: 'steps-started' });
    const outcome = await this.client.compare(state.source.text, [{ ...state.options, trace: true }]);
    if (mine !== this.traces_) return;
    this.dispatch({ type: 'steps-ended', report: outcome.kind === 'done' ? (outcome.value.runs[0] ?? null) : null });
    if (outcome.kind === 'failed') this.dispatch({ type: 'notice', severity: 'error', text: 'The steps could not be traced.', detail: [outcome.reason, ...outcome.log].join('\n') });
  }

  runSoon(delayMs: number): void {
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(() => void this.run(), delayMs);
  }

  stop(): void {
    window.clearTimeout(this.timer_);
    this.runs_++;
    this.client.stop();
    this.dispatch({ type: 'run-ended' });
    this.dispatch({ type: 'notice', severity: 'info', text: 'Stopped. The next change runs again.' });
  }

  private async run(): Promise<void> {
    const { source, options } = this.state();
    if (source.text.trim() === '') {
      this.dispatch({ type: 'lint-done', lint: { schema: 1, diagnostics: [], droppedDiagnostics: 0 } });
      return;
    }
    const mine = ++this.runs_;
    this.dispatch({ type: 'run-started' });
    this.lint(source.text, mine);
    const outcome = await this.client.run(source.text, options);
    if (mine === this.runs_) this.finish(outcome);
  }

  // The lint is quick: its diagnostics stand at their lines while a long run goes on.
  private lint(text: string, mine: number): void {
    void this.client.lint(text).then((outcome) => {
      if (outcome.kind === 'done' && mine === this.runs_ && this.state().running) this.dispatch({ type: 'lint-done', lint: outcome.value });
    });
  }

  private finish(outcome: Outcome<Report>): void {
    if (outcome.kind === 'done') {
      performance.mark('tessera-report');
      this.dispatch({ type: 'run-done', report: outcome.value, ms: outcome.ms });
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('tessera-drawn')));
      window.setTimeout(() => this.client.warmSpare(), kSpareDelayMs);
      return;
    }
    this.dispatch({ type: 'run-ended' });
    if (outcome.kind === 'failed') {
      this.dispatch({
        type: 'notice', severity: 'error',
        text: 'The engine stopped unexpectedly and was restarted. Your text is kept; the next change runs again.',
        detail: [outcome.reason, ...outcome.log].join('\n'),
      });
    }
  }
}
