// Answers comparisons with the WebAssembly engine, line by line: in, JSON [text, request]; out, the answer.
//
//   node tests/wasm/answer.mjs [--engine web/public/engine]

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags } = parseArgs({
  options: { engine: { type: 'string', default: join(root, 'web/public/engine') } },
});
const { default: create } = await import(pathToFileURL(join(flags.engine, 'tessera.js')).href);
const wasmBinary = readFileSync(join(flags.engine, 'tessera.wasm'));
const engine = await create({ wasmBinary, print: () => {}, printErr: () => {} });
for await (const line of createInterface({ input: process.stdin })) {
  const [text, request] = JSON.parse(line);
  process.stdout.write(engine.compare(text, request) + '\n');
}
