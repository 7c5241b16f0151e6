import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Prover } from '../../src/app/prover';
import type { EngineClient, Outcome } from '../../src/engine/client';
import type { RegretResult } from '../../src/model/exact';
import { initialState, presentRegret, rowsUnproven, type Action, type AppState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';
import { type Options } from '../../src/model/option_values';
import { report } from './fixtures';

// The page around the prover, with an engine whose answers the test gives.
class Page {
  state: AppState = { ...initialState, engine: 'ready' };
  asked: { options: Options; answer: (outcome: Outcome<RegretResult>) => void }[] = [];
  stops = 0;
  ends = 0;
  made = 0; // clients
  readonly client = {
    regret: (_text: string, options: Options) =>
      new Promise<Outcome<RegretResult>>((answer) => this.asked.push({ options, answer })),
    stop: () => {
      this.stops++;
      this.asked.at(-1)?.answer({ kind: 'stopped' });
    },
    end: () => {
      this.ends++;
      this.asked.at(-1)?.answer({ kind: 'stopped' });
    },
  };
  readonly prover = new Prover(
    () => (this.made++, this.client as unknown as EngineClient),
    () => this.state,
    (action) => this.dispatch(action),
  );

  dispatch(action: Action): void {
    const before = this.state;
    this.state = reduce(before, action);
    if (this.state !== before) this.prover.follow(before, this.state);
  }
  run(policy: string, rows = 0): void {
    const small = report({ blocks: 2, policy });
    const run = { ...small.run, rows: [...small.run.rows, ...Array(rows).fill(small.run.rows[0])] };
    this.dispatch({ type: 'run-started' });
    this.dispatch({ type: 'run-done', report: { ...small, run }, ms: 1 });
  }
  async answer(time: number): Promise<void> {
    this.asked.at(-1)!.answer({ kind: 'done', value: { schema: 2, time, regrets: null }, ms: 1 });
    await vi.advanceTimersByTimeAsync(0);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the prover', () => {
  test('waits for a pause after a run, asks once and says of which run the answer is', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.run('Greedy');
    page.run('Greedy');
    expect(page.asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(page.asked).toHaveLength(1);
    expect(page.state.answers.regret.busy).toBe(true);
    expect(presentRegret(page.state)).toBeNull();
    await page.answer(7);
    expect(presentRegret(page.state)?.time).toBe(7);
    expect(page.state.answers.regret.busy).toBe(false);
  });

  test('is stopped by a change at once; the outdated answer is not shown', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.run('Greedy');
    await vi.advanceTimersByTimeAsync(1000);
    page.dispatch({ type: 'option', id: 'policy', value: 'Beam' });
    expect(page.ends).toBe(1);
    expect(page.made).toBe(1); // no new worker beside the run that follows
    expect(page.state.answers.regret.busy).toBe(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(page.state.proofProblem).toBe('');
    page.run('Beam');
    await vi.advanceTimersByTimeAsync(1000);
    expect(page.made).toBe(2);
    await page.answer(9);
    expect(presentRegret(page.state)?.time).toBe(9);
    page.run('Beam'); // of the next run nothing is known yet
    expect(presentRegret(page.state)).toBeNull();
  });

  test('remembers what it proved of the text', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.run('Greedy');
    await vi.advanceTimersByTimeAsync(1000);
    await page.answer(7);
    page.run('Greedy'); // the same text and options, as when a trace is asked for
    await vi.advanceTimersByTimeAsync(10);
    expect(page.asked).toHaveLength(1);
    expect(presentRegret(page.state)?.time).toBe(7);
    page.dispatch({ type: 'load', text: 'b', origin: { kind: 'typed' } });
    page.run('Greedy');
    await vi.advanceTimersByTimeAsync(1000);
    expect(page.asked).toHaveLength(2);
  });

  test('asks for the optimum without the forced layouts, too', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.dispatch({ type: 'force', name: '%1', layout: 'dram:interleaved' });
    page.run('Greedy');
    await vi.advanceTimersByTimeAsync(1000);
    await page.answer(7);
    expect(page.asked.map(({ options }) => options)).toEqual([{ 'override-output-layout': '%1=dram:interleaved' }, {}]);
    await page.answer(5);
    expect(page.state.freeRegret?.time).toBe(5);
  });

  test('gives up after its time and tells why; a failure is told, too', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.run('Greedy');
    await vi.advanceTimersByTimeAsync(62_000);
    expect(page.state.proofProblem).toContain('60 s');
    expect(page.stops).toBe(1);
    page.run('Greedy');
    expect(page.state.proofProblem).toBe('');
    await vi.advanceTimersByTimeAsync(1000);
    page.asked.at(-1)!.answer({ kind: 'failed', reason: 'out of memory', log: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(page.state.proofProblem).toBe('out of memory');
  });

  test('looks again for longer when it is asked to', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.run('Greedy');
    await vi.advanceTimersByTimeAsync(62_000);
    page.prover.longer();
    expect(page.state.answers.regret.busy).toBe(true);
    await vi.advanceTimersByTimeAsync(239_000);
    expect(page.stops).toBe(1);
    await page.answer(7);
    expect(presentRegret(page.state)?.time).toBe(7);
    expect(page.state.proofProblem).toBe('');
  });

  test('leaves a large run alone until somebody looks, and says so', async () => {
    const page = new Page();
    page.dispatch({ type: 'load', text: 'a', origin: { kind: 'typed' } });
    page.run('Greedy', 2000);
    await vi.advanceTimersByTimeAsync(2000);
    expect(page.asked).toHaveLength(0);
    expect(rowsUnproven(page.state)).toBe(page.state.report!.run!.rows.length);
    page.dispatch({ type: 'view', view: { main: 'optimum' } });
    expect(rowsUnproven(page.state)).toBe(0);
    await vi.advanceTimersByTimeAsync(2000);
    expect(page.asked).toHaveLength(1);
  });
});

describe('forced layouts', () => {
  test('are undone one by one, and do not reach another text', () => {
    let state = reduce(initialState, { type: 'load', text: 'a', origin: { kind: 'typed' } });
    const force = (name: string, layout: string): void => void (state = reduce(state, { type: 'force', name, layout }));
    const option = (): unknown => state.options['override-output-layout'] ?? '';
    force('%1', 'dram:interleaved');
    force('conv1', 'l1:interleaved');
    expect(option()).toBe('%1=dram:interleaved,conv1=l1:interleaved');
    const linked = reduce(state, { type: 'load', text: 'b', origin: { kind: 'link', name: '' }, keepForced: true });
    expect(linked.options).toEqual(state.options);
    const other = reduce(state, { type: 'load', text: 'b', origin: { kind: 'typed' } });
    expect(other.options['override-output-layout']).toBe('conv1=l1:interleaved');
    state = reduce(state, { type: 'undo-force' });
    expect(option()).toBe('%1=dram:interleaved');
    state = reduce(state, { type: 'undo-force' });
    expect(option()).toBe('');
    expect(reduce(state, { type: 'undo-force' })).toBe(state);
  });
});
