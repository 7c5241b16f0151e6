// A plan in place of a policy's: of a file, of a program, by hand. What is in it is the engine's to read.

import type { Plan } from './generated/plan';
import type { Options, OptionValue, RunAsked } from './option_values';

export const kPlanSchema = 1;
export const kReoptimize = 'reoptimize'; // option: take the layouts of a graph out first
export const kPolicy = 'policy';
export const kFunction = 'function'; // option: which forward function of the file is run; '' is the first
const kMostSteps = 200;

export interface PlanInUse {
  readonly plan: Plan;
  readonly title: string; // who made it
}

// The plans before the present one and those that were undone, the nearest last.
export interface PlanHistory {
  readonly before: readonly (PlanInUse | null)[];
  readonly after: readonly (PlanInUse | null)[];
}
export const kNoHistory: PlanHistory = { before: [], after: [] };

// A JSON text that is a plan, and neither a problem nor a graph.
export function readPlanText(text: string): PlanInUse | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    return asPlan(JSON.parse(text));
  } catch {
    return null;
  }
}

export function asPlan(json: unknown): PlanInUse | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const fields = json as Readonly<Record<string, unknown>>;
  const says = ['values', 'reshards', 'spills', 'configs', 'order'].some((name) => name in fields);
  if (fields['schema'] !== kPlanSchema || !says || 'ops' in fields) return null;
  const author = fields['policy'];
  return { plan: fields as unknown as Plan, title: typeof author === 'string' && author !== '' ? author : 'Plan' };
}

// The options that a plan says it was made under.
export function planOptions({ plan }: PlanInUse): Options {
  const { options } = plan as { readonly options?: unknown };
  if (typeof options !== 'object' || options === null) return {};
  const isValue = (value: unknown): value is OptionValue => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, OptionValue] => isValue(entry[1])),
  );
}

const kAsked = new WeakMap<PlanInUse, { options: Options; asked: RunAsked }>();

// The same object for the same plan and options.
export function askedRun(state: { readonly options: Options; readonly plan: PlanInUse | null }): RunAsked {
  const { options, plan } = state;
  if (plan === null) return options;
  const known = kAsked.get(plan);
  if (known?.options === options) return known.asked;
  const asked = { ...options, plan: plan.plan };
  kAsked.set(plan, { options, asked });
  return asked;
}

export function withStep(history: PlanHistory, left: PlanInUse | null): PlanHistory {
  return { before: [...history.before, left].slice(-kMostSteps), after: [] };
}
