// Which ops of a printed graph carry which location.

import type { FollowedStep } from '../model/opened_log';

const kAlias = /^(#loc\d*) = loc\((.*)\)\s*$/;
const kOp = /^\s*(?:%[\w#:$.-]+(?:, %[\w#:$.-]+)* = )?"?([a-z_]\w*\.[\w.]+)"?.*? loc\((.*)\)\s*$/;
const kNested = 8; // aliases of aliases are followed so far

// The names in a location: "conv1" of loc("conv1"), both of loc(fused["a", "b"]).
function namesOf(text: string, aliases: ReadonlyMap<string, string>): readonly string[] {
  let whole = text;
  for (let depth = 0; depth < kNested && whole.includes('#loc'); depth++)
    whole = whole.replace(/#loc\d*/g, (alias) => aliases.get(alias) ?? '');
  const quoted = [...whole.matchAll(/"((?:[^"\\]|\\.)*)"(:\d)?/g)]; // before a line number stands a file
  return quoted.flatMap(([, name = '', line]) => (line === undefined && name !== '' ? [name] : []));
}

export function locationOps(text: string): ReadonlyMap<string, readonly string[]> {
  const lines = text.split('\n');
  const aliases = new Map<string, string>();
  for (const line of lines) {
    const alias = line.startsWith('#loc') ? kAlias.exec(line) : null;
    if (alias !== null) aliases.set(alias[1]!, alias[2]!);
  }
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const op = line.length < 100_000 ? kOp.exec(line) : null;
    if (op === null) continue;
    for (const name of new Set(namesOf(op[2]!, aliases))) found.set(name, [...(found.get(name) ?? []), op[1]!]);
  }
  return found;
}

// The steps at which the ops became others.
export function followedOps(steps: readonly FollowedStep[]): readonly FollowedStep[] {
  return steps.filter(({ ops }, at) => {
    const before = steps[at - 1]?.ops ?? [];
    return ops.join('\n') !== before.join('\n');
  });
}
