// What runs in a fresh engine cost in Node: a JSON list of options on the standard input, run one after the other on
// one text. Prints a JSON list of milliseconds of processor time and megabytes of the instance; scripts/bench_goals.py
// reads it.
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
const costs = JSON.parse(readFileSync(0, 'utf8')).map((options) => {
  const begin = process.cpuUsage();
  engine.run(text, JSON.stringify(options));
  const used = process.cpuUsage(begin);
  return { ms: (used.user + used.system) / 1000, megabytes: engine.HEAP8.length / 2 ** 20 };
});
console.log(JSON.stringify(costs));
