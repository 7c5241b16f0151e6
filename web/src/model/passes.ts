// What each pass of a run did.

import type { PassInfo, Provenance } from './generated/passes';

export type {
  PassCheck,
  PassChecks,
  PassInfo,
  PassNote,
  PlanExecution,
  PassesAnswer as PassesResult,
  Provenance,
} from './generated/passes';

export function hasEffect(pass: PassInfo): boolean {
  return pass.changed + pass.added + pass.removed > 0;
}

// What became of the source's ops whose result, name or what they became holds the words; all of them for no words.
export function followOps(provenance: readonly Provenance[], query: string): Provenance[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return provenance.filter((entry) => {
    const text = [entry.op, entry.name, ...entry.became.flatMap((to) => [to.op, to.name])].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

// Ops that put a value elsewhere, or in another form, without computing.
const kMoves: ReadonlySet<string> = new Set(
  [
    'to_layout',
    'to_memory_config',
    'to_device',
    'from_device',
    'typecast',
    'reshape',
    'permute',
    'full',
    'prepare_conv2d_weights',
    'prepare_conv2d_bias',
    'load_cached',
    'deallocate',
    'get_device',
  ].map((op) => `ttnn.${op}`),
);

// What an op became: the ops that compute, each named, and how often each kind of move came with them.
export function splitBecame(became: Provenance['became']): {
  ops: Provenance['became'];
  moves: { name: string; count: number }[];
} {
  const counts = new Map<string, number>();
  for (const { name } of became) if (kMoves.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    ops: became.filter(({ name }) => !kMoves.has(name)),
    moves: [...counts].map(([name, count]) => ({ name: name.replace('ttnn.', ''), count })),
  };
}
