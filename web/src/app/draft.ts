// The first answer while a slider moves. Policy Exact prices L1 in up to `exact-rounds` rounds where the optimum of
// layouts does not fit; that may take most of a second, so the first picture is of a plan without them, and the whole
// run follows when the optimum is not proven yet. Which options have such a quicker value the catalog says.

import type { Options, RunAsked } from '../model/option_values';
import { askedRun } from '../model/plan';
import type { Report } from '../model/report';
import { effectiveOption, effectivePolicy, type AppState } from '../model/state';
import { draftValues } from '../model/traits';

function quickerValues(state: AppState): Options {
  return draftValues(state.catalog, effectivePolicy(state), (id) => effectiveOption(state, id) ?? 0);
}

// The options of a draft; null when a draft is the whole run.
export function draftOptions(state: AppState): RunAsked | null {
  const quicker = quickerValues(state);
  return Object.keys(quicker).length > 0 ? { ...askedRun(state), ...quicker } : null;
}

// A draft that the whole run could still change.
export function isOpen(report: Report): boolean {
  return report.run?.exact?.proven === false;
}

// What is proven by the draft is the same in the whole run: the report as it was asked for.
export function asAsked(draft: Report, state: AppState): Report {
  const wanted = Object.keys(quickerValues(state)).map((id) => [id, effectiveOption(state, id)]);
  return { ...draft, options: { ...draft.options, ...Object.fromEntries(wanted) } };
}
