// Values of options, as the catalog of the engine describes them.

import type { OptionInfo } from './report';

export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;
// What the engine is asked to run: options, and perhaps a plan (`plan`).
export type RunAsked = Readonly<Record<string, unknown>>;

// The number a field holds, brought into the option's range; null when it is no number.
export function readNumber(info: OptionInfo, text: string): number | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  const rounded = info.type === 'integer' ? Math.round(value) : value;
  return info.max > info.min ? Math.min(info.max, Math.max(info.min, rounded)) : rounded;
}
