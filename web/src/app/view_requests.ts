// What only one view needs (a comparison, a trace, the passes) is asked for while that view is looked at, so that the main report
// stays small and comes first.

import { runRequests } from '../compare/compare_model';
import type { EngineClient, Outcome } from '../engine/client';
import type { CertificateCheck } from '../model/exact';
import { comparedRuns, effectiveOption, type Action, type AppState, type MainView } from '../model/state';
import { kTracedPolicies } from '../steps/steps_model';

const kPauseMs = 200; // after the last change

export class ViewRequests {
  private timer_ = 0;
  private asked_ = 0; // the newest request of any view; an older one's answer is dropped

  constructor(
    private readonly client: EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  follow(before: AppState, after: AppState, inputsChanged: boolean): void {
    const { main } = after.view;
    const ask = this.requestOf(main);
    if (ask === null || after.catalog === null) return;
    const opened = before.view.main !== main || before.catalog === null;
    const runsChanged = main === 'compare' && before.compareRuns !== after.compareRuns;
    if (!opened && !inputsChanged && !runsChanged) return;
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(() => void ask(), kPauseMs);
  }

  private requestOf(view: MainView): (() => Promise<void>) | null {
    switch (view) {
      case 'compare':
        return () => this.compare();
      case 'steps':
        return () => this.trace();
      case 'passes':
        return () => this.passes();
      case 'optimum': // looked for after every run: see Prover
      case 'beam': // the main run has the trace: see Runner
      case 'schedule':
        return null;
    }
  }

  private async compare(): Promise<void> {
    const state = this.state();
    if (state.source.text.trim() === '') return;
    this.dispatch({ type: 'compare-started' });
    const outcome = await this.newest(this.client.compare(state.source.text, runRequests(state.options, comparedRuns(state))), 'The runs could not be compared.');
    if (outcome !== null) this.dispatch({ type: 'compare-ended', reports: outcome.kind === 'done' ? outcome.value.runs : null });
  }

  private async trace(): Promise<void> {
    const state = this.state();
    if (state.source.text.trim() === '' || !kTracedPolicies.includes(String(effectiveOption(state, 'policy')))) return this.dispatch({ type: 'steps-ended', report: null });
    this.dispatch({ type: 'steps-started' });
    const outcome = await this.newest(this.client.compare(state.source.text, [{ ...state.options, trace: true }]), 'The steps could not be traced.');
    if (outcome !== null) this.dispatch({ type: 'steps-ended', report: outcome.kind === 'done' ? (outcome.value.runs[0] ?? null) : null });
  }

  private async passes(): Promise<void> {
    const { source, options } = this.state();
    if (source.text.trim() === '') return;
    this.dispatch({ type: 'passes-started' });
    const outcome = await this.newest(this.client.passes(source.text, options), 'The passes could not be listed.');
    if (outcome !== null) this.dispatch({ type: 'passes-ended', passes: outcome.kind === 'done' ? outcome.value : null });
  }

  // Asked for by a button. The checker is part of the page and shares no code with the engine; it comes when it is needed.
  async checkCertificate(): Promise<void> {
    const { source, options } = this.state();
    const report = (check: CertificateCheck): void => {
      if (this.state().source.text === source.text && this.state().options === options) this.dispatch({ type: 'certificate', check });
    };
    report({ kind: 'checking' });
    const outcome = await this.client.exportFile(source.text, options, 'certificate');
    if (outcome.kind !== 'done' || outcome.value.content === null) return report({ kind: 'none', reason: outcome.kind === 'failed' ? outcome.reason : 'This run has no certificate.' });
    const { checkCertificate } = await import('../certificate/check');
    const verdict = checkCertificate(outcome.value.content);
    report({ kind: 'checked', valid: verdict.valid, reason: verdict.reason, cost: Number(verdict.cost ?? -1n), lowerBound: Number(verdict.lowerBound ?? -1n) });
  }

  // Asked for by a button: it executes the graph and takes longer than the rest.
  async checkPasses(): Promise<void> {
    const { source, options } = this.state();
    this.dispatch({ type: 'check-started' });
    const outcome = await this.client.checkPasses(source.text, options);
    if (outcome.kind === 'superseded') return;
    const current = this.state().source.text === source.text && this.state().options === options;
    this.dispatch({ type: 'check-ended', checks: outcome.kind === 'done' && current ? outcome.value.checks : null });
    if (outcome.kind === 'failed') this.reportFailure('The passes could not be checked.', outcome);
  }

  // The outcome, or null when a newer request has been made in the meantime: its answer will come.
  private async newest<T>(answer: Promise<Outcome<T>>, failure: string): Promise<Outcome<T> | null> {
    const mine = ++this.asked_;
    const outcome = await answer;
    if (outcome.kind === 'failed') this.reportFailure(failure, outcome);
    return mine === this.asked_ ? outcome : null;
  }

  private reportFailure(text: string, outcome: { reason: string; log: readonly string[] }): void {
    this.dispatch({ type: 'notice', severity: 'error', text, detail: [outcome.reason, ...outcome.log].join('\n') });
  }
}
