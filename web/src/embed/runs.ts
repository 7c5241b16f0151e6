// What needs the engine. It comes in a chunk of its own, when somebody changes something.

import type { Outcome } from '../engine/client';
import type { Options } from '../model/option_values';
import type { Report } from '../model/report';
import type { ExportedText } from './api';
import { sharedEngine } from './shared_engine';

const kStopped = 'The engine was stopped.';

export interface Runs {
  readonly reports: readonly Report[]; // the run itself, then those it is compared with
  readonly ms: number;
}

export async function runAll(
  owner: object,
  text: string,
  options: Options,
  compared: readonly string[],
): Promise<Runs> {
  const others = compared.map((policy) => ({ ...options, policy }));
  const engine = sharedEngine();
  if (others.length === 0) {
    const { value, ms } = done(await engine.ask(owner, 'run', (client) => client.run(text, options)));
    return { reports: [value], ms };
  }
  const runs = [options, ...others];
  const { value, ms } = done(await engine.ask(owner, 'run', (client) => client.compare(text, runs)));
  return { reports: value.runs, ms };
}

export async function exported(owner: object, text: string, options: Options, what: string): Promise<ExportedText> {
  const engine = sharedEngine();
  const { value } = done(await engine.ask(owner, what, (client) => client.exportFile(text, options, what)));
  if (value.file !== null && value.content !== null) return { name: value.file, content: value.content };
  throw new Error(value.diagnostics[0]?.message ?? `There is no export “${what}”.`);
}

export function forget(owner: object): void {
  sharedEngine().forget(owner);
}

function done<T>(outcome: Outcome<T>): { readonly value: T; readonly ms: number } {
  if (outcome.kind === 'done') return outcome;
  throw new Error(outcome.kind === 'failed' ? `The engine failed: ${outcome.reason}` : kStopped);
}
