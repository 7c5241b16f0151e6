// What runs in a fresh engine cost in Node: a JSON list of options on the standard input, run one after the other on
// one text. Prints a JSON list of milliseconds of processor time and megabytes of the instance; scripts/bench_goals.py
// reads it. `ms` is the time of the thread that runs the engine: what a person waits for where another core is free for
// the compiler of WebAssembly. `all_ms` is that of all threads, so the compiler's with it.
//
//   node tests/wasm/costs.mjs [--engine web/public/engine] GRAPH

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: join(root, 'web/public/engine') } },
});
const { default: create } = await import(pathToFileURL(resolve(flags.engine, 'tessera.js')).href);
const engine = await create({
  wasmBinary: readFileSync(resolve(flags.engine, 'tessera.wasm')),
  print: () => {},
  printErr: (line) => console.error(line),
});
const text = readFileSync(positionals[0], 'utf8');
// Milliseconds this thread has run, by Linux (nanoseconds in the first figure).
const threadMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
const costs = JSON.parse(readFileSync(0, 'utf8')).map((options) => {
  const begin = process.cpuUsage();
  const since = threadMs();
  engine.run(text, JSON.stringify(options));
  const ms = threadMs() - since;
  const used = process.cpuUsage(begin);
  return { ms, all_ms: (used.user + used.system) / 1000, megabytes: engine.HEAP8.length / 2 ** 20 };
});
console.log(JSON.stringify(costs));
