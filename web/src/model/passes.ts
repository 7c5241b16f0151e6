// What each pass of a run did, as core/driver/pass_trace.cpp writes it.

import type { LintResult } from './report';

export interface PassNote {
  readonly op: string; // "%12" or the op's name when it has no result
  readonly name: string; // "ttir.conv2d"
  readonly loc: string;
  readonly text: string;
}

export interface PassInfo {
  readonly name: string; // the compiler's: "ttnn-layout"
  readonly title: string;
  readonly description: string;
  readonly stage: 'prepare' | 'lower' | 'analyse' | 'optimize' | 'finalize' | 'release';
  readonly changed: number; // ops
  readonly added: number;
  readonly removed: number;
  readonly notes: readonly PassNote[];
  readonly problems: readonly PassNote[]; // ops the pass could not handle
  readonly ir?: string; // the graph after the pass
}

export interface Provenance {
  readonly op: string;
  readonly name: string;
  readonly became: readonly { readonly op: string; readonly name: string }[];
}

export interface PassesResult {
  readonly passes: readonly PassInfo[];
  readonly ir?: string; // the graph as it was read
  readonly provenance: readonly Provenance[];
  readonly lint?: LintResult; // when the run did not get through
}

// What executing the graph before and after a pass showed, as core/driver/api.cpp writes it.
export interface PassCheck {
  readonly pass: string;
  readonly verdict: 'same' | 'different' | 'not_compared';
  readonly text: string; // the largest error, or what differs, or why it could not be compared
}

export interface PassChecks {
  readonly checks: readonly PassCheck[];
  readonly problem: string; // why the graph was executed in full size; empty when it was made small
}

export function hasEffect(pass: PassInfo): boolean {
  return pass.changed + pass.added + pass.removed > 0;
}

// What became of the source's ops whose result, name or what they became holds the words; all of them for no words.
export function followOps(provenance: readonly Provenance[], query: string): Provenance[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return provenance.filter((entry) => {
    const text = [entry.op, entry.name, ...entry.became.flatMap((to) => [to.op, to.name])].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

// Ops that put a value elsewhere, or in another form, without computing.
const kMoves: ReadonlySet<string> = new Set(['to_layout', 'to_memory_config', 'to_device', 'from_device', 'typecast', 'reshape', 'permute', 'full', 'prepare_conv2d_weights', 'prepare_conv2d_bias', 'load_cached', 'deallocate', 'get_device'].map((op) => `ttnn.${op}`));

// What an op became: the ops that compute, each named, and how often each kind of move came with them.
export function splitBecame(became: Provenance['became']): { ops: Provenance['became']; moves: { name: string; count: number }[] } {
  const counts = new Map<string, number>();
  for (const { name } of became) if (kMoves.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return { ops: became.filter(({ name }) => !kMoves.has(name)), moves: [...counts].map(([name, count]) => ({ name: name.replace('ttnn.', ''), count })) };
}
