import { describe, expect, test } from 'vitest';

import { effectiveOption, findRow, initialState, keyOfRow, type Action, type AppState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';
import type { Report } from '../../src/model/report';
import { catalog, report } from './fixtures';

const after = (state: AppState, ...actions: Action[]): AppState => actions.reduce(reduce, state);
const done = (policy = 'Greedy'): Action => ({ type: 'run-done', report: report({ blocks: 3, policy }), ms: 5 });

describe('reduce', () => {
  test('never changes the state it is given', () => {
    const state = Object.freeze({ ...initialState, view: Object.freeze({ ...initialState.view }) });
    const next = reduce(state, { type: 'view', view: { tab: 'why' } });
    expect(next.view.tab).toBe('why');
    expect(state.view.tab).toBe('schedule');
  });

  test('loading replaces text and counts, editing only replaces text', () => {
    const loaded = after(initialState, { type: 'load', text: 'a', origin: { kind: 'file', name: 'a.mlir' } });
    expect(loaded.source.loads).toBe(1);
    const edited = after(loaded, { type: 'edit', text: 'ab' });
    expect(edited.source).toEqual({ text: 'ab', origin: { kind: 'typed' }, loads: 1 });
    expect(reduce(edited, { type: 'edit', text: 'ab' })).toBe(edited);
  });

  test('an option at its default is not kept', () => {
    const ready = after(initialState, { type: 'catalog', catalog });
    const changed = after(ready, { type: 'option', id: 'policy', value: 'DRAM' });
    expect(changed.options).toEqual({ policy: 'DRAM' });
    expect(effectiveOption(changed, 'policy')).toBe('DRAM');
    const back = after(changed, { type: 'option', id: 'policy', value: 'Greedy' });
    expect(back.options).toEqual({});
    expect(effectiveOption(back, 'policy')).toBe('Greedy');
  });

  test('the function that was chosen belongs to its text', () => {
    const ready = after(initialState, { type: 'catalog', catalog });
    const other: Action = { type: 'load', text: 'b', origin: { kind: 'typed' } };
    const chosen = after(ready, { type: 'option', id: 'function', value: 'g' });
    expect(after(chosen, { type: 'edit', text: 'ab' }).options).toEqual({ function: 'g' });
    expect(after(chosen, { ...other, keepForced: true }).options).toEqual({ function: 'g' });
    expect(after(chosen, other).options).toEqual({});
  });

  test('a text with errors keeps the last good report, marked stale', () => {
    const good = after(initialState, done());
    const bad = after(good, { type: 'run-done', report: { ...report({ blocks: 1 }), ok: false, run: null }, ms: 1 });
    expect(bad.report).toBe(good.report);
    expect(bad.stale).toBe(true);
    expect(after(bad, done()).stale).toBe(false);
  });

  test('the selection follows its op through another run', () => {
    const first = after(initialState, done(), { type: 'select', row: 9 });
    const key = keyOfRow(first.report, 9)!;
    const second = after(first, done('DRAM'));
    expect(keyOfRow(second.report, second.selected)!.label).toBe(key.label);
  });

  test('a wanted op is selected when the run arrives; a lost one leaves none', () => {
    const wanted = after(initialState, { type: 'want', key: { name: '', label: 'layer1.0.add', row: 3 } }, done());
    expect(wanted.report!.run!.rows[wanted.selected]!.label).toBe('layer1.0.add');
    const lost = after(initialState, { type: 'want', key: { name: '%x', label: 'nowhere', row: 3 } }, done());
    expect(lost.selected).toBe(-1);
  });

  test('selection stays inside the rows', () => {
    const state = after(initialState, done());
    expect(reduce(state, { type: 'select', row: 1e9 }).selected).toBe(state.report!.run!.rows.length - 1);
    expect(reduce(state, { type: 'select', row: -4 }).selected).toBe(-1);
    expect(reduce(initialState, { type: 'select', row: 4 }).selected).toBe(-1);
  });

  test('the same notice is shown once, and at most four', () => {
    const notice = (text: string): Action => ({ type: 'notice', severity: 'error', text });
    const state = after(initialState, notice('a'), notice('b'), notice('a'), notice('c'), notice('d'), notice('e'));
    expect(state.notices.map(({ text }) => text)).toEqual(['a', 'c', 'd', 'e']);
    expect(reduce(state, { type: 'dismiss', id: state.notices[0]!.id }).notices).toHaveLength(3);
  });
});

test('of several rows with one name the nearest is found', () => {
  const made = report({ blocks: 1 });
  const row = made.run!.rows[0]!;
  const rows = [0, 1, 2, 3].map(() => ({ ...row, name: '%a', label: '' }));
  expect(findRow({ ...made, run: { ...made.run!, rows } }, { name: '%a', label: '', row: 2 })).toBe(2);
});

test('what was tried is kept when the same run comes again with its trace', () => {
  const [plain, traced, other] = [1, 1, 2].map((blocks) => report({ blocks }) as Report);
  Object.assign(traced!, { options: { ...plain!.options, trace: true } });
  const advice = { of: plain!, wanted: 1, done: [], busy: false };
  const before = { ...initialState, report: plain!, advice, source: { ...initialState.source } };
  const shown = (next: Report): AppState => reduce(before, { type: 'run-done', report: next, ms: 1 });
  expect(shown(traced!).advice?.of).toBe(traced);
  expect(shown(other!).advice?.of).toBe(plain);
  const busy = { ...before, advice: { ...advice, busy: true } };
  expect(reduce(busy, { type: 'run-done', report: traced!, ms: 1 }).advice?.of).toBe(plain);
});
