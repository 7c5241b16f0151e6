// What a policy is asked about: the graph under the page's options, without anybody's decisions.

import type { RunAsked } from './option_values';
import { kPolicy, kReoptimize } from './plan';
import { carriesLayouts, type AppState } from './state';

export function problemOptions(state: AppState): RunAsked {
  const { [kPolicy]: _, [kReoptimize]: already, ...options } = state.options;
  return carriesLayouts(state) || already === true ? { ...options, [kReoptimize]: true } : options;
}
