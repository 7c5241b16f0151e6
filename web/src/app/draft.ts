// The first answer while a slider moves. Policy Exact prices L1 in up to `exact-rounds` rounds where the optimum of layouts does not fit;
// that may take most of a second, so the first picture is of a plan without them, and the whole run follows when the optimum is not proven yet.

import type { Report } from '../model/report';
import { effectiveOption, type AppState, type Options } from '../model/state';

const kRounds = 'exact-rounds';

// The options of a draft; null when a draft is the whole run.
export function draftOptions(state: AppState): Options | null {
  const open = effectiveOption(state, 'policy') === 'Exact' && Number(effectiveOption(state, kRounds) ?? 0) > 0;
  return open ? { ...state.options, [kRounds]: 0 } : null;
}

// A draft that rounds could still change.
export function isOpen(report: Report): boolean {
  return report.run?.exact?.proven === false;
}

// What is proven without rounds is the same with them: the report as it was asked for.
export function asAsked(draft: Report, state: AppState): Report {
  const rounds = effectiveOption(state, kRounds);
  return rounds === null ? draft : { ...draft, options: { ...draft.options, [kRounds]: rounds } };
}
