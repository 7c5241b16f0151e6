import { describe, expect, test } from 'vitest';

import { acrossRuns, bestOf, byTime, distanceOf, kMetrics, runTitle } from '../../src/compare/compare_model';
import { Gains, movesOf } from '../../src/compare/gains';
import { comparedRuns, pinnedRuns, runRequests, unpinnedRuns } from '../../src/model/compared_runs';
import { initialState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';
import { inOneScale, livesElsewhere, mapOf, rowNamed, sameRow } from '../../src/compare/maps_model';
import { mapX } from '../../src/view/map_geometry';
import { catalog, report } from './fixtures';

const time = kMetrics.find(({ id }) => id === 'time')!;
const peak = kMetrics.find(({ id }) => id === 'peak')!;

describe('a comparison', () => {
  const dram = report({ blocks: 2, policy: 'DRAM' }).run!;
  const greedy = report({ blocks: 2, policy: 'Greedy' }).run!;

  test('names the best run, and none when all are equal', () => {
    const [slow, fast] = time.of(dram) > time.of(greedy) ? [0, 1] : [1, 0];
    expect(time.of(dram)).not.toBe(time.of(greedy));
    expect(bestOf(time, [dram, greedy])).toEqual([fast]);
    expect(bestOf(time, [dram, greedy, null])).not.toContain(slow);
    expect(bestOf(time, [dram, dram])).toEqual([]);
    expect(bestOf(peak, [dram, greedy])).toEqual([]); // more L1 in use is neither good nor bad
  });

  test('matches ops by their result and says which live elsewhere', () => {
    const ops = acrossRuns([dram, greedy]);
    expect(ops.length).toBeGreaterThan(0);
    for (const op of ops) {
      op.cells.forEach((cell, at) => {
        if (cell !== null) expect([dram, greedy][at]!.rows[cell.row]!.name).toBe(op.name);
      });
    }
    expect(acrossRuns([dram, dram]).some((op) => op.differs)).toBe(false);
    const moved = dram.rows.findIndex(
      (row, at) =>
        row.kind === 'op' &&
        greedy.rows[at]?.name === row.name &&
        dram.values[row.results[0]!]?.layout?.text !== greedy.values[greedy.rows[at]!.results[0]!]?.layout?.text,
    );
    if (moved >= 0) expect(ops.find((op) => op.name === dram.rows[moved]!.name)?.differs).toBe(true);
  });

  test('a run that failed leaves its column empty', () => {
    const ops = acrossRuns([dram, null]);
    expect(ops.every((op) => op.cells[1] === null && op.differs)).toBe(true);
  });

  test('titles say only what sets runs apart', () => {
    const same = [
      { policy: 'DRAM', device: 'n150' },
      { policy: 'Greedy', device: 'n150' },
    ];
    expect(runTitle(null, same[0]!, same)).toBe('DRAM');
    const other = [
      { policy: 'DRAM', device: 'n150' },
      { policy: 'DRAM', device: 'p150' },
    ];
    expect(runTitle(null, other[1]!, other)).toBe('DRAM · p150');
  });

  test('beside the optimum gains at each op what the runs differ by, moves counted where they are made for', () => {
    const [large, tight] = [
      report({ blocks: 16, policy: 'DRAM' }).run!,
      report({ blocks: 16, policy: 'Greedy', cap: 0.3 }).run!,
    ];
    for (const [own, best] of [
      [dram, greedy],
      [large, tight],
      [tight, large],
      [tight, tight],
    ] as const) {
      const gains = new Gains(own, best, 'DRAM');
      const unowned = (movesOf(own).get(-1) ?? 0) - (movesOf(best).get(-1) ?? 0);
      const nameless = (run: typeof own): number =>
        run.rows.reduce((sum, row) => sum + (row.kind === 'op' && row.name === '' ? row.time.total : 0), 0);
      const all = acrossRuns([own, best]).reduce((sum, op) => sum + gains.of(op).time, 0);
      expect(all + unowned + nameless(own) - nameless(best)).toBe(own.totals.time - best.totals.time);
    }
    expect(movesOf(tight).size).toBeGreaterThan(0);
    for (const at of movesOf(tight).keys()) expect(at < 0 || tight.rows[at]!.kind === 'op').toBe(true);
  });

  test('beside the optimum says what the policy said of the layout', () => {
    const gains = new Gains(dram, greedy, 'DRAM');
    const ops = acrossRuns([dram, greedy]).filter((op) => op.differs);
    expect(ops.length).toBeGreaterThan(0);
    expect(ops.some((op) => gains.of(op).why !== '')).toBe(true);
    const moved = ops.find((op) => dram.decisions.some(({ row }) => row === op.cells[0]?.row))!;
    const at = moved.cells[0]!.row;
    const wanted = moved.cells[1]!.layout!;
    const told = (status: 'worse' | 'rejected'): string =>
      new Gains(
        {
          ...dram,
          decisions: [
            {
              row: at,
              value: 0,
              summary: 's',
              candidates: [
                { layout: wanted, status, reason: 'R', text: 'too large', needed: 0, available: 0 },
                { layout: wanted, status, reason: '', text: '', needed: 0, available: 0 },
              ],
            },
          ],
        },
        greedy,
        'DRAM',
      ).of(moved).why;
    expect(told('rejected')).toBe(`DRAM refused ${wanted.text}: too large`);
    expect(told('worse')).toBe(`DRAM ranked ${wanted.text} lower: too large`);
  });

  test('is of every policy until the user says otherwise', () => {
    const state = reduce(initialState, { type: 'catalog', catalog });
    const policies = catalog.policies.filter(({ traits }) => !traits.includes('as-it-stands')).map(({ id }) => id);
    expect(comparedRuns(state).map((run) => run['policy'])).toEqual(policies);
    const chosen = reduce(state, { type: 'compare', runs: [{ policy: 'DRAM' }] });
    expect(comparedRuns(chosen)).toEqual([{ policy: 'DRAM' }]);
    expect(comparedRuns(reduce(chosen, { type: 'compare', runs: null })).length).toBe(policies.length);
  });
});

test('runs stand by their time, with the distance from the fastest or from a proven bound', () => {
  const [slow, quick] = [report({ blocks: 2 }).run!, report({ blocks: 2 }).run!];
  Object.assign(slow, { totals: { ...slow.totals, time: 1200, failures: 0 } });
  Object.assign(quick, { totals: { ...quick.totals, time: 1000, failures: 0 } });
  expect(byTime([slow, null, quick])).toEqual([2, 0, 1]);
  expect(distanceOf(slow, [slow, quick])!.percent).toBeCloseTo(20);
  expect(distanceOf(slow, [slow, quick])!.from).toBe('fastest');
  Object.assign(quick, { exact: { lowerBound: 800 } });
  expect(distanceOf(slow, [slow, quick])).toEqual({ from: 'optimum', percent: expect.closeTo(50) });
  const failing = { ...quick, totals: { ...quick.totals, time: 1, failures: 2 } };
  expect(byTime([failing, slow])).toEqual([1, 0]);
  expect(distanceOf(failing, [failing, slow])).toBeNull();
});

test('nothing is starred for moving nothing', () => {
  const reshards = kMetrics.find(({ id }) => id === 'reshard')!;
  const rows = report({ blocks: 2 }).run!.rows;
  const still = { ...report({ blocks: 2 }).run!, rows: rows.filter(({ kind }) => kind === 'op') };
  const moving = { ...still, rows: [...still.rows, { ...still.rows[0]!, kind: 'reshard' as const }] };
  expect(bestOf(reshards, [still, moving])).toEqual([]);
});

test('a pinned set keeps its options; a plan and a graph that carries layouts are among the runs', () => {
  const runs = [{ policy: 'DRAM' }, { policy: 'Greedy', device: 'p150' }];
  const base = { 'max-legal-layouts': 8 };
  const pinned = pinnedRuns(base, runs);
  const other = { 'max-legal-layouts': 64, 'beam-width': 2 };
  expect(runRequests(other, pinned, null)).toEqual([
    { policy: 'DRAM', 'max-legal-layouts': 8 },
    { policy: 'Greedy', device: 'p150', 'max-legal-layouts': 8 },
  ]);
  expect(runRequests(other, unpinnedRuns(pinned), null)[0]).toEqual({
    ...other,
    policy: 'DRAM',
    'max-legal-layouts': 8,
  });
  const plan = { plan: { schema: 1 } as never, title: 'mine' };
  expect(runRequests(base, [{ plan: true }], plan)).toEqual([{ ...base, plan: plan.plan }]);
  const state = { ...reduce(initialState, { type: 'catalog', catalog }), plan };
  expect(comparedRuns(state)[0]).toEqual({ plan: true });
  expect(comparedRuns({ ...state, plan: null, compareRuns: [{ plan: true }, { policy: 'DRAM' }] })).toEqual([
    { policy: 'DRAM' },
  ]);
  const carrying = report({ blocks: 2 });
  const input = { ...carrying.input, layouts: true };
  const written = comparedRuns({ ...state, plan: null, report: { ...carrying, input }, reportOf: 0 });
  const taken = catalog.policies.filter(({ traits }) => traits.includes('as-it-stands'));
  expect(written.filter(({ reoptimize }) => reoptimize !== true)).toEqual(taken.map(({ id }) => ({ policy: id })));
  expect(written.length).toBe(catalog.policies.length);
});

test('two maps have one scale, and their rows belong together by the names of results', () => {
  const [roomy, tight] = [report({ blocks: 12 }), report({ blocks: 12, cap: 0.3 })];
  const maps = inOneScale([mapOf(roomy.run, roomy.device!), mapOf(tight.run, { ...tight.device!, l1Size: 2_000_000 })]);
  for (const address of [200_000, 700_000, 1_300_000])
    expect(mapX(maps[0]!, address, 800)).toBe(mapX(maps[1]!, address, 800));
  expect(maps[0]!.end).toBe(2_000_000);
  roomy.run.rows.forEach(({ kind, name }, row) => {
    if (kind !== 'op' || name === '') return;
    const there = sameRow(roomy.run, tight.run, row);
    expect(tight.run.rows[there]!.name).toBe(name);
    expect(rowNamed(tight.run, name)).toBe(there);
    const text = (of: typeof roomy, at: number) => of.run.values[of.run.rows[at]!.results[0]!]?.layout?.text;
    expect(livesElsewhere(roomy.run, tight.run, row)).toBe(text(roomy, row) !== text(tight, there));
  });
});
