// Tries single changes of the present run in the background, one run after the other, with a worker of its own.

import type { EngineClient } from '../engine/client';
import {
  changesOf,
  forcedChanges,
  opOutcomes,
  readTried,
  staysInL1,
  typeChanges,
  withChange,
  type Tried,
} from '../model/changes';
import { orderChanges } from '../model/op_order';
import { askedRun } from '../model/plan';
import { regretRows } from '../model/regret_rows';
import { effectivePolicy, presentRegret, type Action, type AppState } from '../model/state';
import { rowTitle } from '../view/names';

const kPauseMs = 700; // an op is looked at before anything is tried unasked
const kQuickMs = 120; // runs of this length are tried unasked
const kRestMs = 20_000; // without a question: then the worker ends

export class Advisor {
  private client_: EngineClient | null = null;
  private asked_ = 0;
  private rest_ = 0;
  private timer_ = 0;

  constructor(
    private readonly makeClient: () => EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  follow(before: AppState, after: AppState): void {
    if (before.selected === after.selected && before.report === after.report) return;
    window.clearTimeout(this.timer_);
    const row = after.report?.run?.rows[after.selected];
    if (row === undefined || row.kind !== 'op' || (after.durationMs ?? Infinity) > kQuickMs) return;
    const outcome = opOutcomes(after.report!.run!).get(row.name);
    if (outcome === undefined || outcome.kind === 'none' || staysInL1(outcome)) return;
    this.timer_ = window.setTimeout(() => void this.tryChanges(row.name), kPauseMs);
  }

  // For the op of that name, or, with '', for the run alone.
  async tryChanges(name: string): Promise<void> {
    const { report: of, source, options, plan, catalog, advice } = this.state();
    if (of === null || of.run === null || plan !== null) return;
    const regret = presentRegret(this.state());
    const row =
      regret === null || name === ''
        ? undefined
        : regretRows(regret, 'schedule', false).find((one) => one.name === name);
    const done: Tried[] = advice?.of === of ? [...advice.done] : [];
    const known = new Set(done.map(({ change }) => change.key));
    const all = [
      ...typeChanges(of.run, name, options),
      ...forcedChanges(row),
      ...orderChanges(of.run, name, options, (op) => rowTitle(of.run!, op)),
      ...changesOf(catalog, options, effectivePolicy(this.state())),
    ];
    const changes = all.filter(({ key }) => !known.has(key));
    if (changes.length === 0 || (advice?.of === of && advice.busy)) return;
    const mine = ++this.asked_;
    window.clearTimeout(this.rest_);
    const tell = (busy: boolean): void =>
      this.dispatch({ type: 'advised', advice: { of, busy, wanted: known.size + changes.length, done: [...done] } });
    tell(true);
    this.client_ ??= this.makeClient();
    for (const [at, change] of changes.entries()) {
      const outcome = await this.client_.run(
        source.text,
        askedRun({ options: withChange(options, change), plan: null }),
      );
      if (mine !== this.asked_ || this.state().report !== of) return this.restSoon();
      done.push(readTried(change, outcome.kind === 'done' ? outcome.value : null, of));
      tell(at + 1 < changes.length);
    }
    this.restSoon();
  }

  private restSoon(): void {
    window.clearTimeout(this.rest_);
    this.rest_ = window.setTimeout(() => {
      this.client_?.end();
      this.client_ = null;
    }, kRestMs);
  }
}
