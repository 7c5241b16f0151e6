import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ViewRequests } from '../../src/app/view_requests';
import type { EngineClient, Outcome } from '../../src/engine/client';
import type { PassesResult } from '../../src/model/passes';
import type { ExportedFile } from '../../src/model/report';
import { reduce } from '../../src/model/reduce';
import { initialState, type Action, type AppState } from '../../src/model/state';
import { catalog } from './fixtures';

// The page around the requests, with an engine whose answers the test gives.
class Page {
  state: AppState = { ...initialState, engine: 'ready', catalog, source: { ...initialState.source, text: 'a' } };
  asked: ((outcome: Outcome<PassesResult>) => void)[] = [];
  private readonly requests_ = new ViewRequests(
    {
      passes: () => new Promise<Outcome<PassesResult>>((answer) => this.asked.push(answer)),
      problem: () => new Promise(() => undefined),
    } as unknown as EngineClient,
    () => this.state,
    (action) => this.dispatch(action),
  );

  dispatch(action: Action): void {
    const before = this.state;
    this.state = reduce(before, action);
    const changed = before.source !== this.state.source || before.options !== this.state.options;
    this.requests_.follow(before, this.state, changed);
  }
  async open(main: string): Promise<void> {
    this.dispatch({ type: 'view', view: { main } });
    await vi.advanceTimersByTimeAsync(0); // what is seen first
  }
  async answer(name: string): Promise<void> {
    await vi.advanceTimersByTimeAsync(300);
    this.asked.at(-1)!({ kind: 'done', ms: 1, value: { name } as unknown as PassesResult });
    await vi.advanceTimersByTimeAsync(0);
  }
  get seen(): unknown {
    return this.state.answers.passes.value;
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

async function opened(): Promise<Page> {
  const page = new Page();
  await page.open('passes');
  await page.answer('first');
  page.dispatch({ type: 'answered', what: 'passChecks', value: [] });
  return page;
}

test('a view that is opened again shows what it showed, where nothing has changed', async () => {
  const page = await opened();
  expect(page.seen).toEqual({ name: 'first' });
  await page.open('schedule');
  await page.open('passes');
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.asked.length).toBe(1); // what is there is not asked for again, so that the checks of it stay
  expect(page.seen).toEqual({ name: 'first' });
  expect(page.state.answers.passChecks.value).toEqual([]);
});

test.each<[string, Action]>([
  ['another graph', { type: 'load', text: 'b', origin: { kind: 'typed' } }],
  ['another option', { type: 'option', id: 'policy', value: 'DRAM' }],
])('a view that is opened does not begin with the answer about what was there before %s', async (_, change) => {
  const page = await opened();
  await page.open('schedule');
  page.dispatch(change);
  await page.open('passes');
  expect(page.seen).toBeNull();
  expect(page.state.answers.passChecks.value).toBeNull();
  expect(page.state.answers.passes.busy).toBe(true);
  await page.answer('second');
  expect(page.seen).toEqual({ name: 'second' });
});

test('a view that is looked at keeps its picture until the next is there', async () => {
  const page = await opened();
  page.dispatch({ type: 'option', id: 'policy', value: 'DRAM' });
  await vi.advanceTimersByTimeAsync(300);
  expect(page.seen).toEqual({ name: 'first' });
  await page.answer('second');
  expect(page.seen).toEqual({ name: 'second' });
});

test('an answer that came when another view had asked is asked for again', async () => {
  const page = await opened();
  page.dispatch({ type: 'option', id: 'policy', value: 'DRAM' });
  await vi.advanceTimersByTimeAsync(300);
  await page.open('handedit');
  await page.answer('too late');
  await page.open('passes');
  expect(page.seen).toBeNull();
  await page.answer('second');
  expect(page.asked.length).toBe(3);
  expect(page.seen).toEqual({ name: 'second' });
});

const kNoFile: ExportedFile = { schema: 2, diagnostics: [], droppedDiagnostics: 0, file: null, content: null };
test.each<[Outcome<ExportedFile>, string]>([
  [{ kind: 'stopped' }, 'The check was stopped.'],
  [{ kind: 'failed', reason: 'no memory', log: [] }, 'no memory'],
  [{ kind: 'done', ms: 1, value: kNoFile }, 'This run has no certificate.'],
])('says why there is no certificate: %o', async (outcome, reason) => {
  const said: Action[] = [];
  const client = { exportFile: () => Promise.resolve(outcome) } as unknown as EngineClient;
  const state: AppState = { ...initialState, catalog };
  await new ViewRequests(
    client,
    () => state,
    (action) => said.push(action),
  ).checkCertificate();
  expect(said.at(-1)).toEqual({ type: 'certificate', check: { kind: 'none', reason } });
});
