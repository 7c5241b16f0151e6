// The runs that are compared: what each sets, and what the engine is asked for it.

import type { Options, RunAsked } from './option_values';
import { kPolicy, kReoptimize, type PlanInUse } from './plan';
import { carriesLayouts, type AppState } from './state';
import { hasTrait } from './traits';

export const kPinned = 'pinned'; // of a run: it keeps what it sets, whatever the page's options become
export const kOwnPlan = 'plan'; // of a run: the plan in use is carried out

// Those the user put together, else every policy; the plan in use and what the graph carries, where there is such.
export function comparedRuns(state: AppState): readonly Options[] {
  return (state.compareRuns ?? everyPolicy(state)).filter((run) => run[kOwnPlan] !== true || state.plan !== null);
}

function everyPolicy(state: AppState): Options[] {
  const written = carriesLayouts(state);
  const runs = (state.catalog?.policies ?? []).flatMap(({ id }): Options[] => {
    if (hasTrait(state.catalog, id, 'as-it-stands')) return written ? [{ [kPolicy]: id }] : [];
    return [written ? { [kPolicy]: id, [kReoptimize]: true } : { [kPolicy]: id }];
  });
  return state.plan === null ? runs : [{ [kOwnPlan]: true }, ...runs];
}

// What the engine is asked: the page's options with each run's own on top.
export function runRequests(base: Options, runs: readonly Options[], plan: PlanInUse | null): RunAsked[] {
  return runs.map((run) => {
    const { [kPinned]: pinned, [kOwnPlan]: planned, ...own } = run;
    const options = pinned === true ? own : { ...base, ...own };
    return planned === true && plan !== null ? { ...options, plan: plan.plan } : options;
  });
}

// The set as it runs now, whatever becomes of the page's options.
export function pinnedRuns(base: Options, runs: readonly Options[]): Options[] {
  return runs.map((run) => (run[kPinned] === true ? run : { ...base, ...run, [kPinned]: true }));
}

export function unpinnedRuns(runs: readonly Options[]): Options[] {
  return runs.map(({ [kPinned]: _, ...run }) => run);
}
