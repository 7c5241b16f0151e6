// What the engine costs in Node, as the page calls it. Prints, asserts nothing; scripts/bench runs it.
//
//   node tests/wasm/bench.mjs [--engine web/public/engine] GRAPH...
//
// Per graph and policy, milliseconds of processor time, best of several:
//
//   load     parse and import
//   lower    the passes before the optimizer (the difference of the others)
//   again    a run when only an option of the policy changed: analysis, policy, later passes, simulation, report
//   whole    from text to report
//   per1000  the same for every 1,000 ops of the text
//   MB       the size of the instance's memory after all of it, which never shrinks
//
// Then growth with the graph: a repeated block of 100 to 10,000 ops. Then policy Exact on a text that stays loaded:
//
//   cold     the first run
//   first    runs of which only the cap on L1 differs from the one before, without rounds of pricing L1: what the page
//            shows while a slider moves; the median and the slowest
//   whole    the same with rounds, where the optimum of layouts does not fit
//   regret   what forcing each layout costs, after such a run
//
// and beside it the median of `first` natively, where a bench_exact is built, and how many times as long WebAssembly
// takes. Without graphs: those of $TESSERA_SHARED or ../shared (corpus: TTIR; stablehlo: from JAX and PyTorch).

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: join(root, 'web/public/engine') } },
});
const shared = resolve(process.env.TESSERA_SHARED ?? join(root, '../shared'));
const graphsIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.mlir'))
        .map((name) => join(folder, name))
    : [];
const graphs =
  positionals.length > 0 ? positionals : ['corpus', 'stablehlo'].flatMap((name) => graphsIn(join(shared, name)));
const { default: create } = await import(pathToFileURL(resolve(flags.engine, 'tessera.js')).href);
const wasmBinary = readFileSync(resolve(flags.engine, 'tessera.wasm'));
const makeEngine = () => create({ wasmBinary, print: () => {}, printErr: (line) => console.error(line) });

function milliseconds(work) {
  const begin = process.cpuUsage();
  work();
  const used = process.cpuUsage(begin);
  return (used.user + used.system) / 1000;
}

// A space more makes another text, so that the engine remembers nothing of it.
function measure(engine, text, options, rounds) {
  const best = { load: Infinity, whole: Infinity, again: Infinity };
  const keep = (name, time) => (best[name] = Math.min(best[name], time));
  const given = JSON.stringify(options);
  const ops = JSON.parse(engine.run(text + ' '.repeat(2 * rounds), given)).input.ops;
  for (let i = 0; i < rounds; ++i) {
    keep(
      'load',
      milliseconds(() => engine.lint(text + ' '.repeat(2 * i))),
    );
    keep(
      'whole',
      milliseconds(() => engine.run(text + ' '.repeat(2 * i + 1), given)),
    );
    keep(
      'again',
      milliseconds(() => engine.run(text + ' '.repeat(2 * i + 1), given)),
    );
  }
  return {
    load: best.load,
    lower: Math.max(0, best.whole - best.load - best.again),
    again: best.again,
    whole: best.whole,
    per1000: (best.whole * 1000) / ops,
  };
}

const columns = ['load', 'lower', 'again', 'whole', 'per1000', 'MB'];
const row = (name, figures) => console.log(name.padEnd(56) + figures.map((figure) => figure.padStart(9)).join(''));
const shown = (times, engine) =>
  [...Object.values(times), engine.HEAP8.length / 2 ** 20].map((figure) => figure.toFixed(1));

// Blocks of a matmul, an activation, a residual addition and a softmax.
function repeatedBlocks(ops) {
  const type = 'tensor<512x512xbf16>';
  const lines = [];
  let last = '%x0';
  for (let n = 0; 4 * n + 4 <= ops; ++n) {
    lines.push(
      `  %m${n} = "ttir.matmul"(${last}, %w) <{transpose_a = false, transpose_b = false}> : ` +
        `(${type}, ${type}) -> ${type}`,
      `  %g${n} = "ttir.gelu"(%m${n}) : (${type}) -> ${type}`,
      `  %a${n} = "ttir.add"(%g${n}, ${last}) : (${type}, ${type}) -> ${type}`,
      `  %s${n} = "ttir.softmax"(%a${n}) <{dimension = -1 : si32}> : (${type}) -> ${type}`,
    );
    last = `%s${n}`;
  }
  const head = `func.func @main(%x0: ${type}, %w: ${type}) -> ${type} {`;
  return [head, ...lines, `  return ${last} : ${type}`, '}', ''].join('\n');
}

row('graph, policy', columns);
const policies = JSON.parse((await makeEngine()).catalog())
  .policies.map((policy) => policy.id)
  .filter((id) => id !== 'Exact');
for (const file of graphs) {
  const text = readFileSync(file, 'utf8');
  for (const policy of policies) {
    const engine = await makeEngine();
    row(`${basename(file)} ${policy}`, shown(measure(engine, text, { policy }, 8), engine));
  }
}

for (const policy of ['Beam', 'DFSharding']) {
  row(`\n${policy}, ops`, columns);
  const whole = {};
  for (const ops of [100, 300, 1000, 3000, 10000]) {
    const engine = await makeEngine();
    const times = measure(engine, repeatedBlocks(ops), { policy }, ops > 1000 ? 2 : 8);
    whole[ops] = times.whole;
    row(String(ops), shown(times, engine));
  }
  console.log(`exponent from 1,000 to 10,000 ops: ${Math.log10(whole[10000] / whole[1000]).toFixed(2)}`);
}

// As bench_exact slider: down to half of L1 and up again.
const down = Array.from({ length: 25 }, (_, at) => (98 - 2 * at) / 100);
const caps = [...down, ...[...down].reverse().slice(1), 1];
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

// The newest native build of the same bench; "" when there is none.
function nativeBench() {
  const built = ['release', 'dev', 'rel']
    .map((name) => join(root, 'build', name, 'bin/bench_exact'))
    .filter((path) => existsSync(path));
  return built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? '';
}

const native = nativeBench();
row('\nExact, ms', ['cold', 'first', 'slowest', 'whole', 'slowest', 'regret', 'native', 'ratio', 'MB']);
for (const file of graphs) {
  const engine = await makeEngine();
  const text = readFileSync(file, 'utf8');
  const run = (cap, rounds) =>
    milliseconds(() =>
      engine.run(text, JSON.stringify({ policy: 'Exact', 'tensor-l1-usage-cap': cap, 'exact-rounds': rounds })),
    );
  const cold = run(1, 60);
  const first = caps.map((cap) => run(cap, 0));
  const whole = caps.map((cap) => run(cap, 60));
  const regret = milliseconds(() => engine.regret(text, JSON.stringify({ policy: 'Greedy' })));
  let natively = NaN;
  if (native) {
    const said = execFileSync(native, ['slider', file], { encoding: 'utf8' });
    natively = Number(/first: median +(\d+)/.exec(said)?.[1] ?? NaN);
  }
  const figures = [
    cold,
    median(first),
    Math.max(...first),
    median(whole),
    Math.max(...whole),
    regret,
    natively,
    median(first) / natively,
    engine.HEAP8.length / 2 ** 20,
  ];
  row(
    basename(file),
    figures.map((figure) => (Number.isNaN(figure) ? '-' : figure.toFixed(1))),
  );
}
