// What the catalog says about policies and options, so that no other list of their names is needed.

import type { Policy } from './generated/catalog';
import type { Options, OptionValue } from './option_values';
import type { Catalog, OptionInfo } from './report';

// `chain-trace`: a run with the option `trace` has a chainTrace; `beam-trace`: it has a propagationTrace;
// `beam-search`: it keeps several configurations per op; `lower-bound`: it proves a lower bound.
// `compiler-policy`: a choice of the compiler's earlier optimizer; `floor`: what every policy must beat;
// `as-it-stands`: it takes what the graph says.
export type Trait =
  'chain-trace' | 'beam-trace' | 'beam-search' | 'lower-bound' | 'compiler-policy' | 'floor' | 'as-it-stands';

export type PolicyInfo = Policy;

export function policiesWith(catalog: Catalog | null, trait: Trait): readonly PolicyInfo[] {
  return catalog?.policies.filter(({ traits }) => traits.includes(trait)) ?? [];
}

export function hasTrait(catalog: Catalog | null, policy: OptionValue | null, trait: Trait): boolean {
  return policiesWith(catalog, trait).some(({ id }) => id === policy);
}

// The policy that finds the optimum; null before the engine has said what it has.
export function provingPolicy(catalog: Catalog | null): PolicyInfo | null {
  return policiesWith(catalog, 'lower-bound')[0] ?? null;
}

export function readsOption(info: OptionInfo, policy: string): boolean {
  return info.policies.includes(policy);
}

// Options whose value decides how long a run takes, and what of an earlier run helps with it.
export function workloadOptions(catalog: Catalog): readonly string[] {
  return catalog.options.filter(({ workload }) => workload).map(({ id }) => id);
}

// What a run that is asked for a first answer sets: options of the policy that have a quicker value than the present.
export function draftValues(catalog: Catalog | null, policy: string, present: (id: string) => OptionValue): Options {
  const quicker = (catalog?.options ?? []).flatMap((info): [string, number][] => {
    const { draft } = info;
    const applies = draft !== null && readsOption(info, policy) && Number(present(info.id)) > draft;
    return applies ? [[info.id, draft]] : [];
  });
  return Object.fromEntries(quicker);
}
