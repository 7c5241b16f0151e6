// What runs in a fresh engine cost in Node: a JSON list of options on the standard input, run one after the other on
// one text. Prints a JSON list of milliseconds of processor time and megabytes of the instance; scripts/bench_goals.py
// reads it. `ms` is the time of the thread that runs the engine: what a person waits for where another core is free for
// the compiler of WebAssembly. `all_ms` is that of all threads, so the compiler's with it.
//
// `--compiled`: of a second instance of the module, after the first one has run the list, so that V8 has optimized the
// code and nothing is known of the graph; the page's workers share their module likewise.
//
//   node tests/wasm/costs.mjs [--engine web/public/engine] [--compiled] GRAPH

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: join(root, 'web/public/engine') }, compiled: { type: 'boolean' } },
});
const { default: create } = await import(pathToFileURL(resolve(flags.engine, 'tessera.js')).href);
const code = await WebAssembly.compile(readFileSync(resolve(flags.engine, 'tessera.wasm')));
const instance = () =>
  create({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(code, imports).then((made) => done(made, code));
      return {};
    },
    print: () => {},
    printErr: (line) => console.error(line),
  });
const text = readFileSync(positionals[0], 'utf8');
const list = JSON.parse(readFileSync(0, 'utf8'));
if (flags.compiled) {
  const first = await instance();
  for (const options of list) first.run(text, JSON.stringify(options));
}
const engine = await instance();
// Milliseconds this thread has run, by Linux (nanoseconds in the first figure).
const threadMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
const costs = list.map((options) => {
  const begin = process.cpuUsage();
  const since = threadMs();
  engine.run(text, JSON.stringify(options));
  const ms = threadMs() - since;
  const used = process.cpuUsage(begin);
  return { ms, all_ms: (used.user + used.system) / 1000, megabytes: engine.HEAP8.length / 2 ** 20 };
});
console.log(JSON.stringify(costs));
