// Single changes of a run that may keep a result in L1 or save time, and what came of those that were tried. Pure.

import { kForcedOption, withForced } from './forced';
import { formatTime, plural } from './format';
import { kindOf, type LayoutKind } from './layout_kind';
import type { Options, OptionValue } from './option_values';
import { overrideOf, type RegretRow } from './regret_rows';
import type { Layout, OptionInfo, Report, Run } from './report';
import { hasTrait } from './traits';
import { moveKind } from './moves';
import type { Catalog } from './report';

export interface Change {
  readonly key: string;
  readonly title: string;
  readonly id: string; // of the option; '': a result is forced
  readonly value: OptionValue;
  readonly op: string; // that is changed; '': the change is of the run
  readonly layout: string; // that its result is forced into
}

export interface OpOutcome {
  readonly kind: LayoutKind;
  readonly layout: Layout | null;
  readonly left: boolean; // it leaves L1 before its last reader has run
  readonly time: number; // ns
}

export interface Tried {
  readonly change: Change;
  readonly problem: string; // why it cannot be: ''
  readonly time: number; // ns of the whole run
  readonly ops: ReadonlyMap<string, OpOutcome>; // by name
}

export interface Advice {
  readonly of: Report; // the run that is changed
  readonly wanted: number;
  readonly done: readonly Tried[];
  readonly busy: boolean;
}

export interface Applied {
  readonly title: string;
  readonly before: Options; // for undo
}

// Options that say how layouts are decided, not what is run on what: each with the values worth a try.
const kWorthATry: { readonly [id: string]: (now: OptionValue, info: OptionInfo) => readonly OptionValue[] } = {
  'tensor-l1-usage-cap': (now, { max }) => above(Number(now), [0.1, 0.25], max),
  'max-legal-layouts': (now, { max }) => (Number(now) * 4 <= max ? [Number(now) * 4] : []),
  'max-grid-rows': (now, { max }) => (Number(now) < max ? [max] : []),
  'max-grid-cols': (now, { max }) => (Number(now) < max ? [max] : []),
  'beam-width': (now, { max }) => (Number(now) * 2 <= max ? [Number(now) * 2] : []),
  'experimental-bfp8-weights': (now) => [now !== true],
  'layout-score': otherChoices,
  'fork-rule': otherChoices,
  'spill-victim': otherChoices,
  'spill-point': otherChoices,
  'spill-strategy': otherChoices,
  'spill-search': (now) => [now !== true],
  'memreconfig-enabled': (now) => [now !== true],
  'l1-interleaved-fallback-analysis-enabled': (now) => [now !== true],
};

function otherChoices(now: OptionValue, { choices }: OptionInfo): OptionValue[] {
  return choices.map(({ id }) => id).filter((id) => id !== now);
}

function above(now: number, steps: readonly number[], max: number): number[] {
  const values = [...steps.map((step) => Math.round((now + step) * 100) / 100), max];
  return [...new Set(values.filter((value) => value > now && value <= max))];
}

function valueText(info: OptionInfo, value: OptionValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return info.choices.find(({ id }) => id === value)?.title ?? value;
  return info.id.endsWith('-cap') ? `${Math.round(value * 100)} %` : String(value);
}

export function changesOf(catalog: Catalog | null, options: Options, policy: string): Change[] {
  const made: Change[] = [];
  for (const info of catalog?.options ?? []) {
    const values = info.policies.includes(policy) ? kWorthATry[info.id] : undefined;
    for (const value of values?.(options[info.id] ?? info.default, info) ?? []) {
      const title = `${info.title}: ${valueText(info, value)}`;
      made.push({ key: `${info.id}=${value}`, title, id: info.id, value, op: '', layout: '' });
    }
  }
  for (const { id, title } of catalog?.policies ?? []) {
    if (id === policy || hasTrait(catalog, id, 'floor') || hasTrait(catalog, id, 'as-it-stands')) continue;
    made.push({ key: `policy=${id}`, title: `Policy ${title}`, id: 'policy', value: id, op: '', layout: '' });
  }
  return made;
}

const kMostForced = 5;

// Layouts in L1 that the op may be forced into, those of the least regret first.
export function forcedChanges(row: RegretRow | undefined): Change[] {
  return (row?.choices ?? [])
    .filter(({ layout, regret }) => layout.startsWith('L1') && regret >= 0 && layout !== row!.present)
    .slice(0, kMostForced)
    .map(({ layout }) => ({
      key: `${row!.name}=${layout}`,
      title: `Force ${layout}`,
      id: '',
      value: '',
      op: row!.name,
      layout: overrideOf(layout),
    }));
}

const kNarrow = 'bfp_bf8'; // 8-bit block floats, in the compiler's notation of overrides
const kConvOption = 'override-conv2d-config';
const kWide: ReadonlySet<string> = new Set(['bf16', 'f32']);

// The type of one value alone: of the op's result, of a convolution's weights.
export function typeChanges(run: Run, name: string, options: Options): Change[] {
  const row = run.rows.find((candidate) => candidate.kind === 'op' && candidate.name === name);
  const result = run.values[row?.results[0] ?? -1]?.layout;
  const weights = run.values[row?.operands[1] ?? -1]?.layout;
  if (row === undefined || name === '') return [];
  const made: Change[] = [];
  if (result != null && kWide.has(result.dtype))
    made.push({
      ...{ key: `${name}=${kNarrow}`, title: 'Result in 8-bit block floats', id: '', value: '' },
      ...{ op: name, layout: kNarrow },
    });
  if (row.op === 'ttnn.conv2d' && weights != null && kWide.has(weights.dtype))
    made.push({
      ...{ key: `${name} weights=${kNarrow}`, title: 'Weights in 8-bit block floats', id: kConvOption },
      ...{ value: withForced(options[kConvOption], name, `weights_dtype#${kNarrow}`), op: name, layout: '' },
    });
  return made;
}

// What a run is asked with the change.
export function withChange(options: Options, { id, value, op, layout }: Change): Options {
  if (id !== '') return { ...options, [id]: value };
  return { ...options, [kForcedOption]: withForced(options[kForcedOption], op, layout) };
}

const outcomes = new WeakMap<Run, ReadonlyMap<string, OpOutcome>>();

export function opOutcomes(run: Run): ReadonlyMap<string, OpOutcome> {
  let found = outcomes.get(run);
  if (found !== undefined) return found;
  const left = new Set<number>();
  for (const row of run.rows) {
    const kind = moveKind(row);
    if ((kind === 'spill' || kind === 'demotion') && row.operands[0] !== undefined) left.add(row.operands[0]);
  }
  const made = new Map<string, OpOutcome>();
  for (const { kind, name, results, time } of run.rows) {
    if (kind !== 'op' || name === '') continue;
    const layout = run.values[results[0] ?? -1]?.layout ?? null;
    made.set(name, { kind: kindOf(layout), layout, left: left.has(results[0] ?? -1), time: time.total });
  }
  outcomes.set(run, (found = made));
  return found;
}

export function readTried(change: Change, report: Report | null, before: Report): Tried {
  const run = report?.run ?? null;
  const none = { change, time: 0, ops: new Map<string, OpOutcome>() };
  if (run === null) return { ...none, problem: report?.diagnostics[0]?.message ?? 'the run did not end' };
  if (run.totals.failures > (before.run?.totals.failures ?? 0)) return { ...none, problem: 'it does not fit' };
  if ((run.totals.refused ?? 0) > (before.run?.totals.refused ?? 0)) return { ...none, problem: 'an op is refused' };
  return { change, problem: '', time: run.totals.time, ops: opOutcomes(run) };
}

export function staysInL1(outcome: OpOutcome | undefined): boolean {
  return outcome !== undefined && !outcome.left && !['dram', 'system', 'none'].includes(outcome.kind);
}

// Changes that keep the op's result in L1, the fastest net first.
export function keepers(advice: Advice, name: string): Tried[] {
  return advice.done
    .filter(({ problem, change, ops }) => problem === '' && fits(change, name) && staysInL1(ops.get(name)))
    .sort((a, b) => a.time - b.time);
}

// Changes that make the op itself faster by a twentieth at least, the largest gain first.
export function speeders(advice: Advice, name: string): Tried[] {
  const now = advice.of.run === null ? undefined : opOutcomes(advice.of.run).get(name)?.time;
  if (now === undefined || now === 0) return [];
  const time = ({ ops }: Tried): number => ops.get(name)?.time ?? Infinity;
  return advice.done
    .filter((one) => one.problem === '' && fits(one.change, name) && time(one) < 0.95 * now)
    .sort((a, b) => time(a) - time(b));
}

// Changes that make the whole net faster, the largest gain first.
export function gainers({ of, done }: Advice): Tried[] {
  const now = of.run?.totals.time ?? 0;
  return done
    .filter(({ problem, change, time }) => problem === '' && change.op === '' && time < now)
    .sort((a, b) => a.time - b.time);
}

function fits({ op }: Change, name: string): boolean {
  return op === '' || op === name;
}

export function netText(time: number, before: number): string {
  if (time === before) return 'the net takes the same time';
  const part = before <= 0 ? '' : ` (${((Math.abs(time - before) / before) * 100).toFixed(1)} %)`;
  return `the net takes ${formatTime(Math.abs(time - before))}${part} ${time < before ? 'less' : 'more'}`;
}

export function triedText({ wanted, done, busy }: Advice): string {
  return busy
    ? `Trying ${done.length + 1} of ${wanted}…`
    : `${plural(done.length, 'single change')} tried, a run each.`;
}
