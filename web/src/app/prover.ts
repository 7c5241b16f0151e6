// Finds the optimum of every run in the background: with a worker of its own, so that no run waits for it, and only
// when nothing has changed for a moment. A change of text or options ends it at once. What was proven lately is kept:
// going back to a policy is instant.

import type { EngineClient } from '../engine/client';
import type { RegretResult } from '../model/exact';
import { kForcedOption } from '../model/forced';
import { kMostProvenRows, type Action, type AppState } from '../model/state';
import type { RunAsked } from '../model/option_values';
import { askedRun } from '../model/plan';

const kPauseMs = 400; // after a run: another is likely to follow while a slider moves
const kTimeLimitMs = 60_000;
const kLongerBy = 4; // times the limit, when the user asks for more
const kKept = 12; // results of the present text

export class Prover {
  private timer_ = 0;
  private limit_ = 0;
  private allowedMs_ = kTimeLimitMs;
  private client_: EngineClient | null = null;
  private busy_ = false;
  private asked_ = 0; // the newest request; an older one's answer is kept, but not shown
  private readonly kept_ = new Map<string, RegretResult>();
  private keptText_ = '';

  constructor(
    private readonly makeClient: () => EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  follow(before: AppState, after: AppState): void {
    if (
      before.source.text !== after.source.text ||
      askedRun(before) !== askedRun(after) ||
      (!before.running && after.running)
    )
      this.cancel();
    const wanted = (state: AppState): boolean => state.view.main === 'optimum' || state.view.regret;
    const opened = wanted(after) && !wanted(before);
    const ended = before.running && !after.running;
    if (after.running || after.stale || after.report?.run == null || after.regretOf === after.report) return;
    if (before.report === after.report && !ended && !opened) return;
    if (after.report.run.rows.length > kMostProvenRows && !wanted(after)) return;
    window.clearTimeout(this.timer_);
    const known = this.lookUp(after.source.text, asked(askedRun(after))) !== null;
    this.timer_ = window.setTimeout(() => void this.prove(), known ? 0 : kPauseMs);
  }

  // After it was not found in time.
  longer(): void {
    if (this.busy_) return;
    this.allowedMs_ *= kLongerBy;
    void this.prove();
  }

  private cancel(): void {
    this.allowedMs_ = kTimeLimitMs;
    window.clearTimeout(this.timer_);
    window.clearTimeout(this.limit_);
    this.asked_++;
    if (this.busy_) {
      // a new worker is started when there is something to prove, not beside the run that follows now
      this.client_?.end();
      this.client_ = null;
    }
    this.busy_ = false;
    if (this.state().answers.regret.busy || this.state().proofProblem !== '')
      this.dispatch({ type: 'proof-ended', problem: '' });
  }

  private async prove(): Promise<void> {
    const { report } = this.state();
    const run = askedRun(this.state());
    const mine = ++this.asked_;
    this.dispatch({ type: 'asked', what: 'regret' });
    const regret = await this.find(asked(run), mine);
    if (mine !== this.asked_ || regret === null) return;
    this.dispatch({ type: 'regret-of', regret, of: report });
    const { [kForcedOption]: forced, ...free } = asked(run);
    if (forced === undefined || forced === '') return;
    const without = await this.find(free, mine);
    if (mine === this.asked_ && without !== null) this.dispatch({ type: 'free-regret', regret: without });
  }

  // Null when there is none; then the reason has been told, unless a newer request is under way.
  private async find(options: RunAsked, mine: number): Promise<RegretResult | null> {
    const { text } = this.state().source;
    const known = this.lookUp(text, options);
    if (known !== null) return known;
    this.client_ ??= this.makeClient();
    this.busy_ = true;
    this.limit_ = window.setTimeout(() => this.client_?.stop(), this.allowedMs_);
    const outcome = await this.client_.regret(text, options);
    if (outcome.kind === 'done') this.keep(text, options, outcome.value);
    if (mine !== this.asked_) return null;
    window.clearTimeout(this.limit_);
    this.busy_ = false;
    if (outcome.kind === 'done') return outcome.value;
    this.dispatch({
      type: 'proof-ended',
      problem: outcome.kind === 'failed' ? outcome.reason : `it took more than ${this.allowedMs_ / 1000} s`,
    });
    return null;
  }

  private lookUp(text: string, options: RunAsked): RegretResult | null {
    return text === this.keptText_ ? (this.kept_.get(JSON.stringify(options)) ?? null) : null;
  }

  private keep(text: string, options: RunAsked, result: RegretResult): void {
    if (text !== this.keptText_) this.kept_.clear();
    this.keptText_ = text;
    const oldest = this.kept_.keys().next();
    if (this.kept_.size >= kKept && oldest.done !== true) this.kept_.delete(oldest.value);
    this.kept_.set(JSON.stringify(options), result);
  }
}

// A trace changes what a report holds, never what the optimum is. Keys in one order: equal options are equal texts.
function asked(options: RunAsked): RunAsked {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([id]) => id !== 'trace')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
