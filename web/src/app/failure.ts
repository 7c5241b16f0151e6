// What a person reads when the engine ended in the middle of a call.

import { formatBytes } from '../model/format';
import type { Source } from '../model/state';
import { sourceName } from '../model/unreadable';

const kMebibyte = 1024 * 1024;

// Without memory: which graph, and which limit (wasm/pool_allocator.cpp says it); else `usual`.
export function failureText(
  failed: { readonly reason: string; readonly log: readonly string[] },
  { text, origin }: Source,
  usual: string,
): string {
  const said = [failed.reason, ...failed.log].find((line) => /out of memory/i.test(line));
  if (said === undefined) return usual;
  const limit = Number(/(\d+) MiB/.exec(said)?.[1] ?? 0);
  const name = sourceName(origin).replace(/^The/, 'the');
  return (
    `The engine ran out of memory on ${name} (${formatBytes(text.length)}): ` +
    (limit > 0 ? `it may use ${formatBytes(limit * kMebibyte)}. ` : 'the browser gives it no more. ') +
    'Your text is kept. Other policies need less, and the command line has no such limit.'
  );
}
