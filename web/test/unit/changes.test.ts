// Single changes: which are worth a try, and what is said of those that were.
import { expect, test } from 'vitest';

import {
  changesOf,
  gainers,
  keepers,
  opOutcomes,
  readTried,
  staysInL1,
  typeChanges,
  withChange,
  type Change,
} from '../../src/model/changes';
import { dishonoured } from '../../src/model/trials';
import type { Catalog, Report } from '../../src/model/report';
import { report } from './fixtures';

const option = (id: string, value: number | boolean | string, more: object): object => ({
  id,
  title: id,
  type: typeof value,
  default: value,
  min: 0,
  max: 0,
  choices: [],
  policies: ['Greedy'],
  ...more,
});
const catalog = {
  policies: [
    { id: 'Greedy', title: 'Greedy', traits: [] },
    { id: 'Beam', title: 'Beam search', traits: [] },
    { id: 'DRAM', title: 'DRAM only', traits: ['floor'] },
  ],
  options: [
    option('tensor-l1-usage-cap', 1, { min: 0.01, max: 1 }),
    option('beam-width', 8, { min: 1, max: 64, policies: ['Beam'] }),
    option('library-release', '2025-11', { choices: [{ id: '2025-11' }, { id: '2026-04' }] }),
  ],
} as unknown as Catalog;

test('worth a try is what decides, not what is run on what', () => {
  const keys = (cap: number): string[] =>
    changesOf(catalog, { 'tensor-l1-usage-cap': cap }, 'Greedy').map(({ key }) => key);
  expect(keys(1)).toEqual(['policy=Beam']);
  expect(keys(0.3)).toEqual([
    'tensor-l1-usage-cap=0.4',
    'tensor-l1-usage-cap=0.55',
    'tensor-l1-usage-cap=1',
    'policy=Beam',
  ]);
});

test('what keeps a result in L1 and what gains follow from the runs that were made', () => {
  const faster = report({ blocks: 3 });
  const before = structuredClone(faster) as Report;
  const [name] = [...opOutcomes(faster.run!)].find(([, outcome]) => staysInL1(outcome))!;
  const row = before.run!.rows.find((one) => one.kind === 'op' && one.name === name)!;
  const value = before.run!.values[row.results[0]!]!;
  Object.assign(value, { layout: { ...value.layout, buffer: 'dram', memory: 'interleaved' } });
  Object.assign(faster.run!.totals, { time: before.run!.totals.time - 1000 });
  const failing = structuredClone(faster) as Report;
  Object.assign(failing.run!.totals, { failures: before.run!.totals.failures + 1 });
  const change = (key: string): Change => ({ key, title: key, id: key, value: 1, op: '', layout: '' });
  const done = [
    readTried(change('same'), structuredClone(before) as Report, before),
    readTried(change('good'), faster, before),
    readTried(change('fails'), failing, before),
    readTried(change('dies'), null, before),
  ];
  const advice = { of: before, wanted: 4, done, busy: false };
  expect(keepers(advice, name).map(({ change: { key } }) => key)).toEqual(['good']);
  expect(gainers(advice).map(({ change: { key } }) => key)).toEqual(['good']);
  expect(done.map(({ problem }) => problem !== '')).toEqual([false, false, true, true]);
});

test('the type of one value is worth a try where it can be narrower', () => {
  const made = report({ blocks: 2 });
  const at = made.run.rows.findIndex(({ kind, operands }) => kind === 'op' && operands.length > 1);
  const row = made.run.rows[at]!;
  Object.assign(row, { op: 'ttnn.conv2d' });
  for (const value of [row.results[0]!, row.operands[1]!])
    Object.assign(made.run.values[value]!, { layout: { ...made.run.values[value]!.layout, dtype: 'bf16' } });
  const before = { 'override-output-layout': 'other=dram:interleaved' };
  const [result, weights] = typeChanges(made.run, row.name, before);
  expect(withChange(before, result!)).toEqual({
    'override-output-layout': `other=dram:interleaved,${row.name}=bfp_bf8`,
  });
  expect(withChange(before, weights!)).toEqual({
    ...before,
    'override-conv2d-config': `${row.name}=weights_dtype#bfp_bf8`,
  });
  expect([result!.op, weights!.op]).toEqual([row.name, row.name]); // they are of this op alone
  Object.assign(made.run.values[row.results[0]!]!.layout!, { dtype: 'bfp_bf8' });
  expect(typeChanges(made.run, row.name, {}).map(({ id }) => id)).toEqual(['override-conv2d-config']);
  expect(dishonoured(made, row.name, 'bfp_bf8')).toBe('');
  expect(typeChanges(made.run, '', {})).toEqual([]);
});
