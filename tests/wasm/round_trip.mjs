// What every policy writes as MLIR runs as written just as it ran, in the WebAssembly engine: the same time, peak,
// addresses and figures of every step. Natively: tests/driver/as_written_long_test.cpp.
//
//   node tests/wasm/round_trip.mjs [--engine web/public/engine] [--slice 1] [name part...]
//
// Over the graphs in $TESSERA_SHARED/corpus or ../shared/corpus and the samples, under every policy that decides. With
// `--slice N` every N-th pair of graph and policy. The last line is "N passed, N failed, N skipped".

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: join(root, 'web/public/engine') },
    slice: { type: 'string', default: '1' },
  },
});
const shared = resolve(process.env.TESSERA_SHARED ?? join(root, '../shared'));
const graphsIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.mlir'))
        .sort()
        .map((name) => join(folder, name))
    : [];

const { default: create } = await import(pathToFileURL(resolve(flags.engine, 'tessera.js')).href);
const wasmBinary = readFileSync(resolve(flags.engine, 'tessera.wasm'));
const engine = await create({ wasmBinary, print: () => {}, printErr: (line) => console.error(line) });
const { policies } = JSON.parse(engine.catalog());
const written = policies.find(({ traits }) => traits.includes('as-it-stands')).id;
const deciding = policies.filter(({ id }) => id !== written).map(({ id }) => id);

// What must be the same, one line each: totals, steps but deallocations, which the first run does not have, addresses.
function figures({ run }) {
  const { time, dramBytes, peakL1, peakDramPerBank } = run.totals;
  const lines = [`totals ${JSON.stringify({ time, dramBytes, peakL1, peakDramPerBank })}`];
  for (const { op, name, time: took, dramBytes: moved, l1, dram, circularBuffers, refusal, verdict } of run.rows)
    if (op !== 'ttnn.deallocate')
      lines.push(`${op} ${name} ${JSON.stringify([took, moved, l1, dram.used, circularBuffers, refusal, verdict])}`);
  const places = run.buffers
    .filter(({ value }) => value >= 0)
    .map(({ value, space, address, bytes }) => `${run.values[value].name} ${space} ${address} ${bytes}`);
  return [...lines, ...places.sort()];
}

// Why the two runs differ; '' when they do not.
function difference(text, policy) {
  const options = JSON.stringify({ policy });
  const first = JSON.parse(engine.run(text, options));
  if (first.run === null) return `no run: ${first.diagnostics[0]?.message}`;
  const { content } = JSON.parse(engine.export(text, options, 'mlir'));
  const second = JSON.parse(engine.run(content, JSON.stringify({ policy: written })));
  if (second.run === null) return `what was written does not run: ${second.diagnostics[0]?.message}`;
  if (second.run.defects.length > 0) return `defect: ${second.run.defects[0].text}`;
  if (second.diagnostics.some(({ kind }) => kind === 'NeverDeallocated')) return 'something is never deallocated';
  const [before, after] = [figures(first), figures(second)];
  const at = before.findIndex((line, index) => line !== after[index]);
  if (at < 0 && before.length === after.length) return '';
  return `line ${at}:\n    ${before[at]?.slice(0, 400)}\n    ${after[at]?.slice(0, 400)}`;
}

const count = { passed: 0, failed: 0, skipped: 0 };
const corpus = graphsIn(join(shared, 'corpus'));
if (corpus.length === 0) ++count.skipped;
const graphs = [...corpus, ...graphsIn(join(root, 'web/public/samples'))];
const begun = performance.now();
let pair = 0;
for (const file of graphs) {
  const text = readFileSync(file, 'utf8');
  for (const policy of deciding) {
    const title = `${basename(file)} ${policy}`;
    if (pair++ % Number(flags.slice) !== 0 || !filters.every((part) => title.includes(part))) continue;
    const problem = difference(text, policy);
    if (problem === '') {
      ++count.passed;
    } else {
      ++count.failed;
      console.log(`FAILED ${title}\n    ${problem}`);
    }
  }
}
console.log(`${graphs.length} graphs, ${Math.round((performance.now() - begun) / 1000)} s`);
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed > 0 ? 1 : 0);
