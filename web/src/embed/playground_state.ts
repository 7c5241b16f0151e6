// Attributes of the element as what they mean. What a page writes is never trusted.

import type { Options, OptionValue } from '../model/option_values';
import type { Report, Run } from '../model/report';
import { findInRows } from '../model/rows';
import type { PlaygroundState } from './api';

const kMostOptions = 200;
const kMostCompared = 12;
const kMostText = 2000; // characters of a name or a value

// Of the attribute `options`; what is no option is left out.
export function readOptions(value: unknown): Options {
  let given: unknown = value;
  if (typeof value === 'string') {
    try {
      given = value.trim() === '' ? {} : JSON.parse(value);
    } catch {
      return {};
    }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {};
  const read: Record<string, OptionValue> = {};
  for (const [id, option] of Object.entries(given).slice(0, kMostOptions))
    if (isOption(option)) read[id.slice(0, kMostText)] = option;
  return read;
}

function isOption(value: unknown): value is OptionValue {
  return (
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (typeof value === 'string' && value.length <= kMostText)
  );
}

export function readList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .slice(0, kMostCompared);
}

// A state from outside: what it does not say, or says wrongly, stays.
export function readState(value: unknown): Partial<PlaygroundState> {
  if (typeof value !== 'object' || value === null) return {};
  const { policy, device, options, view, select, step, compare } = value as Record<string, unknown>;
  const isText = (one: unknown): one is string => typeof one === 'string' && one.length <= kMostText;
  return {
    ...(isText(policy) ? { policy } : {}),
    ...(isText(device) ? { device } : {}),
    ...(typeof options === 'object' && options !== null ? { options: readOptions(options) } : {}),
    ...(isText(view) ? { view } : {}),
    ...(isText(select) ? { select } : {}),
    ...(typeof step === 'number' && Number.isFinite(step) ? { step: Math.max(-1, Math.trunc(step)) } : {}),
    ...(Array.isArray(compare) ? { compare: compare.filter(isText).slice(0, kMostCompared) } : {}),
  };
}

// What the engine is asked.
export function asked({ policy, device, options }: Pick<PlaygroundState, 'policy' | 'device' | 'options'>): Options {
  return { ...options, ...(policy === '' ? {} : { policy }), ...(device === '' ? {} : { device }) };
}

// The report is of these settings: what they leave open may be anything.
export function answers(report: Report, options: Options): boolean {
  return Object.entries(options).every(([id, value]) => report.options[id] === value);
}

// Row of an op by its name, its label in the model, or its number; -1: there is none.
export function rowOf(run: Run, select: string): number {
  if (select === '') return -1;
  const named = findInRows(run.rows, { name: select, label: select, row: 0 });
  if (named >= 0) return named;
  const row = /^\d{1,7}$/.test(select) ? Number(select) : -1;
  return row < run.rows.length ? row : -1;
}

export function nameOf(run: Run, row: number): string {
  const found = run.rows[row];
  if (found === undefined) return '';
  return [found.name, found.label].find((name) => name !== '' && rowOf(run, name) === row) ?? String(row);
}
