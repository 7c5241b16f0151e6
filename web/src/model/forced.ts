// Layouts that ops are forced into: the option `override-output-layout`, entries "name=layout" with commas between
// them, in the compiler's notation.

import type { OptionValue } from './option_values';

export const kForcedOption = 'override-output-layout';

export interface ForcedOp {
  readonly name: string; // '%12', or an op's location
  readonly layout: string; // '56x1:l1:height_sharded'
}

export function forcedOps(option: OptionValue | null | undefined): ForcedOp[] {
  return String(option ?? '')
    .split(',')
    .flatMap((entry) => {
      const at = entry.indexOf('=');
      const name = (at < 0 ? entry : entry.slice(0, at)).trim();
      return name === '' ? [] : [{ name, layout: at < 0 ? '' : entry.slice(at + 1).trim() }];
    });
}

// With one op's layout set, replaced, or (layout '') released.
export function withForced(option: OptionValue | null | undefined, name: string, layout: string): string {
  const others = String(option ?? '')
    .split(',')
    .filter((entry) => entry.trim() !== '' && entry.split('=')[0]!.trim() !== name);
  return [...others, ...(layout === '' ? [] : [`${name}=${layout}`])].join(',');
}

// Names like '%12' say nothing about another text; an op's location may.
export function withoutNumbered(option: OptionValue | null | undefined): string {
  return String(option ?? '')
    .split(',')
    .filter((entry) => entry.trim() !== '' && !entry.trim().startsWith('%'))
    .join(',');
}
