// Tries forced layouts of one op in the background, one run after the other, with a worker of its own.

import type { EngineClient } from '../engine/client';
import type { Action, AppState } from '../model/state';
import { layoutsToTry, readTrial, trialOptions, type Trial } from '../model/trials';
import { regretRows } from '../model/regret_rows';

const kRestMs = 20_000; // without a question: then the worker ends

export class Trier {
  private client_: EngineClient | null = null;
  private asked_ = 0;
  private rest_ = 0;

  constructor(
    private readonly makeClient: () => EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  async tryLayouts(name: string): Promise<void> {
    const { report: of, source, options, answers } = this.state();
    const result = answers.regret.value;
    const row = result === null ? undefined : regretRows(result, 'schedule', false).find((one) => one.name === name);
    if (of === null || row === undefined) return;
    const mine = ++this.asked_;
    window.clearTimeout(this.rest_);
    const layouts = layoutsToTry(row);
    const done = new Map<string, Trial>();
    const tell = (busy: boolean): void =>
      this.dispatch({ type: 'tried', name, trials: { of, busy, wanted: layouts.length, done: new Map(done) } });
    tell(layouts.length > 0);
    this.client_ ??= this.makeClient();
    for (const layout of layouts) {
      const outcome = await this.client_.run(source.text, trialOptions(options, name, layout));
      if (mine !== this.asked_ || this.state().report !== of) return this.restSoon();
      done.set(
        layout,
        outcome.kind === 'done'
          ? readTrial(outcome.value, of, name, layout)
          : { kind: 'refused', reason: 'the run did not end' },
      );
      tell(done.size < layouts.length);
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
