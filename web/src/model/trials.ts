// Layouts that were tried for an op's result under the present policy: a run each, with that layout forced. Pure.

import { kForcedOption, withForced } from './forced';
import { formatTime } from './format';
import type { Options } from './option_values';
import type { Diagnostic, Report } from './report';
import { overrideOf, type RegretRow } from './regret_rows';

export type Trial =
  | { readonly kind: 'works'; readonly time: number } // ns of the whole run
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'ignored' }; // the policy puts the result elsewhere all the same

export interface OpTrials {
  readonly of: Report; // the run that they change
  readonly busy: boolean;
  readonly wanted: number; // layouts to try
  readonly done: ReadonlyMap<string, Trial>; // by layout, as the report describes it
}

const kForcedKinds: ReadonlySet<string> = new Set([
  'BadOverride',
  'DuplicateOverride',
  'UnknownOverrideOp',
  'OverrideLeavesNothing',
]);

// It speaks of a forced layout, not of the text.
export function isAboutForced({ kind }: Diagnostic): boolean {
  return kForcedKinds.has(kind);
}

export function layoutsToTry(row: RegretRow): string[] {
  return row.choices.flatMap(({ layout, regret }) =>
    overrideOf(layout) === '' || regret < 0 || layout === row.present ? [] : [layout],
  );
}

export function trialOptions(options: Options, name: string, layout: string): Options {
  return { ...options, [kForcedOption]: withForced(options[kForcedOption], name, overrideOf(layout)) };
}

export function readTrial(report: Report, before: Report, name: string, layout: string): Trial {
  const { run, diagnostics } = report;
  if (run === null) return { kind: 'refused', reason: diagnostics[0]?.message ?? 'it cannot be run' };
  const failures = run.totals.failures - (before.run?.totals.failures ?? 0);
  if (failures > 0) return { kind: 'refused', reason: 'it does not fit into memory' };
  if (run.totals.refused > (before.run?.totals.refused ?? 0))
    return { kind: 'refused', reason: 'the device library would not run it' };
  const row = run.rows.find((candidate) => candidate.kind === 'op' && candidate.name === name);
  const now = run.values[row?.results[0] ?? -1]?.layout?.text;
  return now === layout ? { kind: 'works', time: run.totals.time } : { kind: 'ignored' };
}

// Those that can be forced, the fastest run first.
export function workingLayouts(done: OpTrials['done']): { layout: string; time: number }[] {
  return [...done]
    .flatMap(([layout, trial]) => (trial.kind === 'works' ? [{ layout, time: trial.time }] : []))
    .sort((a, b) => a.time - b.time);
}

// Why the others cannot, a sentence each.
export function refusals(done: OpTrials['done']): string[] {
  return [...done].flatMap(([layout, trial]) =>
    trial.kind === 'works'
      ? []
      : [`${layout}: ${trial.kind === 'ignored' ? 'the policy puts the result elsewhere' : trial.reason}`],
  );
}

// What the run gains or loses: "+12 µs".
export function costText(time: number, before: number): string {
  if (time === before) return 'same time';
  return `${time > before ? '+' : '−'}${formatTime(Math.abs(time - before))}`;
}

// Where the forced layout of an op stands in a run: '' when it is honoured, else what the run does instead.
export function dishonoured(report: Report | null, name: string, layout: string): string {
  const run = report?.run;
  const row = run?.rows.find((candidate) => candidate.kind === 'op' && candidate.name === name);
  const result = run?.values[row?.results[0] ?? -1]?.layout;
  if (result == null || result.dtype === layout) return ''; // its type alone may be forced
  const now = result.text;
  const wanted = overrideOf(now);
  return wanted === layout || layout.startsWith(`${wanted}:`) || wanted === '' ? '' : now;
}
