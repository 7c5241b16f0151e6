import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Runner } from '../../src/app/runner';
import type { EngineClient, Outcome } from '../../src/engine/client';
import type { ExactResult } from '../../src/model/exact';
import type { Report } from '../../src/model/report';
import type { OptionInfo } from '../../src/model/report';
import { initialState, type Action, type AppState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';
import { type Options } from '../../src/model/option_values';
import { catalog, report } from './fixtures';

const kAnswer: Outcome<never> = { kind: 'stopped' };

// The page around the runner, with an engine whose answers the test gives.
class Page {
  state: AppState = { ...initialState, engine: 'ready', source: { ...initialState.source, text: 'a' } };
  asked: { options: Options; answer: (outcome: Outcome<Report>) => void }[] = [];
  readonly client = {
    run: (_text: string, options: Options) =>
      new Promise<Outcome<Report>>((answer) => this.asked.push({ options, answer })),
    lint: () => Promise.resolve(kAnswer),
    warmSpare: () => undefined,
    stop: () => undefined,
    end: () => undefined,
  } as unknown as EngineClient;
  readonly runner = new Runner(
    this.client,
    () => this.state,
    (action) => this.dispatch(action),
    () => this.client,
  );

  dispatch(action: Action): void {
    this.state = reduce(this.state, action);
  }
  async move(cap: number): Promise<void> {
    this.dispatch({ type: 'option', id: 'tensor-l1-usage-cap', value: cap });
    this.runner.sliderMoved();
    await vi.advanceTimersByTimeAsync(1);
  }
  async answer(proven: boolean, time: number, which = this.asked.length - 1): Promise<void> {
    const { options, answer } = this.asked[which]!;
    const made = report({ blocks: 1, policy: String(options['policy']) });
    const exact = { time, proven } as ExactResult;
    answer({
      kind: 'done',
      ms: 1,
      value: { ...made, options: { ...made.options, ...options }, run: { ...made.run!, exact } },
    });
    await vi.advanceTimersByTimeAsync(1);
  }
  get shown(): number | undefined {
    return this.state.report?.run?.exact?.time;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('requestAnimationFrame', (call: () => void) => setTimeout(call, 16));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const kRounds: OptionInfo = {
  ...catalog.options.find(({ type }) => type === 'integer')!,
  id: 'exact-rounds',
  default: 20,
  policies: ['Exact'],
  draft: 0,
};

function pageOf(policy: string): Page {
  const page = new Page();
  page.dispatch({ type: 'catalog', catalog: { ...catalog, options: [...catalog.options, kRounds] } });
  page.dispatch({ type: 'option', id: 'policy', value: policy });
  page.dispatch({ type: 'option', id: 'exact-rounds', value: 60 });
  return page;
}

describe('a moved slider', () => {
  test('with Exact first shows a plan without rounds, and the whole run when it rests', async () => {
    const page = pageOf('Exact');
    await page.move(0.5);
    expect(page.asked.map(({ options }) => options['exact-rounds'])).toEqual([0]);
    await page.answer(false, 90);
    expect(page.shown).toBe(90);
    expect(page.state.running).toBe(true); // a better answer is on its way
    expect(page.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(page.asked.map(({ options }) => options['exact-rounds'])).toEqual([0, 60]);
    await page.answer(false, 80);
    expect(page.shown).toBe(80);
    expect(page.state.running).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.asked).toHaveLength(2);
  });

  test('needs no second run for what is proven at once, and says the options that were asked for', async () => {
    const page = pageOf('Exact');
    await page.move(0.5);
    await page.answer(true, 90);
    expect(page.state.running).toBe(false);
    expect(page.state.report?.options['exact-rounds']).toBe(60);
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.asked).toHaveLength(1);
  });

  test('that goes on moving is shown drafts only', async () => {
    const page = pageOf('Exact');
    for (const cap of [0.9, 0.8, 0.7]) {
      await page.move(cap);
      await page.answer(false, cap * 100);
      expect(page.shown).toBe(cap * 100);
    }
    expect(page.asked.map(({ options }) => [options['tensor-l1-usage-cap'], options['exact-rounds']])).toEqual([
      [0.9, 0],
      [0.8, 0],
      [0.7, 0],
    ]);
  });

  test('shows what was found on the way, never an older picture after a newer one', async () => {
    const page = pageOf('Exact');
    for (const cap of [0.9, 0.8, 0.7]) await page.move(cap);
    expect(page.asked).toHaveLength(3);
    await page.answer(true, 80, 1);
    expect(page.shown).toBe(80);
    expect(page.state.running).toBe(true);
    await page.answer(true, 90, 0);
    expect(page.shown).toBe(80);
    await page.answer(true, 70, 2);
    expect(page.shown).toBe(70);
    expect(page.state.running).toBe(false);
  });

  test('does not show what was asked before another change', async () => {
    const page = pageOf('Exact');
    await page.move(0.9);
    page.dispatch({ type: 'option', id: 'policy', value: 'Beam' });
    page.runner.follow({ ...page.state, options: {} }, page.state);
    await vi.advanceTimersByTimeAsync(1000);
    expect(page.asked).toHaveLength(2);
    await page.answer(true, 90, 0);
    expect(page.shown).toBeUndefined();
    await page.answer(true, 50, 1);
    expect(page.shown).toBe(50);
  });

  test('with another policy is one run as it is', async () => {
    const page = pageOf('Beam');
    await page.move(0.5);
    expect(page.asked.map(({ options }) => options['exact-rounds'])).toEqual([60]);
    await page.answer(false, 90);
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.asked).toHaveLength(1);
    expect(page.state.running).toBe(false);
  });
});
