// Byte equality: the WebAssembly engine must answer every golden case with the bytes that the native program prints.
//
//   node tests/wasm/run_golden.mjs [--native build/dev/bin/tessera] [--engine web/public/engine] [name part...]
//
// Cases: tests/golden/**/*.mlir, each run with the options of its `//! key: value` lines, once per policy of a list
// (per known policy when it names none); one of them with every choice of every option; and the model graphs in
// $TESSERA_SHARED/corpus or ../shared/corpus, when there are any, with the default options, and (one call for each
// graph) under every policy with either preset and every score of the beam. Every case is asked twice of the same
// instance, so that what the engine remembers cannot change an answer, and every answer is as docs/schema says. The
// last line is "N passed, N failed, N
// skipped".

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { problemOf } from '../../web/test/fixtures/schemas.mjs';
import { mlirFiles, optionSets } from './golden_cases.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    native: { type: 'string', default: join(root, 'build/dev/bin/tessera') },
    engine: { type: 'string', default: join(root, 'web/public/engine') },
  },
});
const shared = process.env.TESSERA_SHARED ?? join(root, '../shared');

async function makeLab() {
  const { default: create } = await import(pathToFileURL(join(flags.engine, 'tessera_lab.js')).href);
  return create({
    wasmBinary: readFileSync(join(flags.engine, 'tessera_lab.wasm')),
    print: () => {},
    printErr: () => {},
  });
}

async function makeEngine(name = 'tessera') {
  const log = [];
  const { default: create } = await import(pathToFileURL(join(flags.engine, `${name}.js`)).href);
  const wasmBinary = readFileSync(join(flags.engine, `${name}.wasm`));
  const engine = await create({ wasmBinary, print: () => {}, printErr: (line) => log.push(line) });
  return { engine, log };
}

// Throws when an answer is no JSON, or not what the schema says.
function expectSchema(schema, answer) {
  const problem = problemOf(schema, JSON.parse(answer.toString()));
  if (problem !== '') throw new Error(problem);
}

function runNative(file, options) {
  return callNative(['call', 'run', file, JSON.stringify(options)]);
}

function callNative(command, input = '') {
  const done = spawnSync(flags.native, command, {
    input: Buffer.from(input),
    encoding: 'buffer',
    maxBuffer: 1 << 30,
    timeout: 300_000,
  });
  if (done.error) throw new Error(`native: ${done.error.message}`);
  if (done.signal) throw new Error(`native ended by ${done.signal}: ${done.stderr.toString().slice(-500)}`);
  if (done.stdout.length === 0)
    throw new Error(`native printed nothing (exit ${done.status}): ${done.stderr.toString().slice(-500)}`);
  // The program ends its output with a line break, which is not part of the answer.
  const end = done.stdout.at(-1) === 10 ? -1 : undefined;
  return done.stdout.subarray(0, end);
}

function describeDifference(native, wasm) {
  let at = 0;
  while (at < native.length && at < wasm.length && native[at] === wasm[at]) ++at;
  const around = (bytes) => JSON.stringify(bytes.subarray(Math.max(0, at - 60), at + 60).toString());
  return [
    `first difference at byte ${at} (native ${native.length} bytes, wasm ${wasm.length})`,
    `native ${around(native)}`,
    `wasm   ${around(wasm)}`,
  ].join('\n    ');
}

const count = { passed: 0, failed: 0, skipped: 0 };
function fail(name, why) {
  ++count.failed;
  console.log(`FAILED ${name}\n    ${why}`);
}
function finish() {
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  process.exit(count.failed > 0 ? 1 : 0);
}

for (const needed of [flags.native, join(flags.engine, 'tessera.js'), join(flags.engine, 'tessera.wasm')]) {
  if (!existsSync(needed)) {
    fail(relative(root, needed), 'is not built');
    finish();
  }
}

const wanted = (name) => filters.length === 0 || filters.some((part) => name.includes(part));
const golden = mlirFiles(join(root, 'tests/golden'));
if (golden.length === 0) fail('tests/golden', 'holds no .mlir case');
let instance = await makeEngine();
const catalog = JSON.parse(instance.engine.catalog());
const policies = catalog.policies.map((policy) => policy.id);
const known = new Set(catalog.options.map((option) => option.id));
const cases = golden.flatMap((file) =>
  optionSets(readFileSync(file, 'utf8'), policies, known).map((options) => ({
    file,
    options,
    name: relative(root, file),
  })),
);
const sweep = golden.find((file) => !/\/fail_[^/]*$/.test(file));
for (const option of sweep ? catalog.options : []) {
  const values = { boolean: [true, false], integer: [option.min, option.max], number: [option.min, option.max] };
  for (const value of values[option.type] ?? option.choices.map((choice) => choice.id)) {
    cases.push({ file: sweep, options: { [option.id]: value }, name: relative(root, sweep) });
  }
}
const corpus = mlirFiles(join(shared, 'corpus'));
if (corpus.length === 0) ++count.skipped;
cases.push(...corpus.map((file) => ({ file, options: {}, name: `corpus/${relative(join(shared, 'corpus'), file)}` })));

const time = { native: 0, wasm: 0 };

// Every policy with every preset; the beam with every score, too.
function allRuns() {
  const choices = (id) => catalog.options.find((option) => option.id === id)?.choices.map((choice) => choice.id) ?? [];
  const runs = policies.flatMap((policy) => choices('preset').map((preset) => ({ policy, preset })));
  runs.push(...choices('layout-score').map((score) => ({ policy: 'Beam', 'layout-score': score })));
  return runs;
}

// The parts of a comparison that are each a run's report, by the run; the rest counts as one more.
function compareAll(name, native, wasm, runs) {
  if (native.equals(wasm)) return void (count.passed += runs.length);
  const [left, right] = [native, wasm].map((bytes) =>
    JSON.parse(bytes.toString()).runs.map((run) => Buffer.from(JSON.stringify(run))),
  );
  let different = 0;
  runs.forEach((run, i) => {
    if (left[i]?.equals(right[i])) return void ++count.passed;
    ++different;
    fail(`${name} ${JSON.stringify(run)}`, describeDifference(left[i] ?? Buffer.alloc(0), right[i] ?? Buffer.alloc(0)));
  });
  if (different === 0) fail(name, describeDifference(native, wasm));
}
for (const { file, options, name } of cases) {
  const title = `${name} ${JSON.stringify(options)}`;
  if (!wanted(title)) continue;
  try {
    const text = readFileSync(file, 'utf8');
    const t0 = performance.now();
    const native = runNative(file, options);
    const t1 = performance.now();
    const wasm = Buffer.from(instance.engine.run(text, JSON.stringify(options)));
    const t2 = performance.now();
    const again = Buffer.from(instance.engine.run(text, JSON.stringify(options)));
    time.native += t1 - t0;
    time.wasm += t2 - t1;
    expectSchema('report', wasm);
    if (!native.equals(wasm)) fail(title, describeDifference(native, wasm));
    else if (!again.equals(wasm))
      fail(title, `asked again, wasm answers otherwise: ${describeDifference(wasm, again)}`);
    else ++count.passed;
  } catch (error) {
    fail(title, [error.message, ...instance.log.slice(-5)].join('\n    '));
    instance = await makeEngine(); // an aborted instance must not be used again
  }
}

const runs = allRuns();
for (const file of corpus) {
  const name = `corpus/${relative(join(shared, 'corpus'), file)} compared`;
  if (!wanted(name)) continue;
  try {
    const request = JSON.stringify({ runs });
    const t0 = performance.now();
    const native = callNative(['call', 'compare', file, request]);
    const t1 = performance.now();
    const wasm = Buffer.from(instance.engine.compare(readFileSync(file, 'utf8'), request));
    time.native += t1 - t0;
    time.wasm += performance.now() - t1;
    expectSchema('compare', wasm);
    compareAll(name, native, wasm, runs);
  } catch (error) {
    fail(name, [error.message, ...instance.log.slice(-5)].join('\n    '));
    instance = await makeEngine();
  }
}

for (const [name, schema] of [
  ['version', 'catalog#Version'],
  ['catalog', 'catalog'],
]) {
  if (!wanted(name)) continue;
  try {
    const native = callNative([name]);
    const wasm = Buffer.from(instance.engine[name]());
    expectSchema(schema, wasm);
    if (native.equals(wasm)) ++count.passed;
    else fail(name, describeDifference(native, wasm));
  } catch (error) {
    fail(name, error.message);
  }
}

// Layouts: native and wasm give the same bytes.
const lab = await makeLab();
for (const request of [
  '{"shape":[2,3,64,128],"dtype":"f32","grid":[2,4],"cursor":[1,1,6,100]}',
  '{"shape":[53,63],"dtype":"bfp_bf4","tiled":true,"grid":[3,2],"window":64}',
  '{"view":"ttnn","shape":[64,256],"dtype":"bf16","tiled":true,"grid":[2,8]}',
  '{"view":"ttnn","shape":[50000,50000],"dtype":"bf16","tiled":true,"memory":"interleaved","buffer":"dram",' +
    '"cursor":[49999,3]}',
  '{"shape":[1000000000,1000000000],"grid":[1,1]}',
  '{"shape":[2,3],"grid":[1000000000,1]}',
]) {
  const title = `layout ${request}`;
  if (!wanted(title)) continue;
  try {
    const native = callNative(['layout', '-'], request);
    const wasm = Buffer.from(lab.layout(request));
    expectSchema('layout', wasm);
    if (native.equals(wasm)) ++count.passed;
    else fail(title, describeDifference(native, wasm));
  } catch (error) {
    fail(title, [error.message, ...instance.log.slice(-5)].join('\n    '));
    instance = await makeEngine();
  }
}

// What executes graphs and plans gives the same bytes.
const executor = await makeEngine('tessera_full');
for (const sample of ['mlp', 'conv-relu']) {
  const file = join(root, `web/public/samples/${sample}.mlir`);
  for (const [name, schema, call] of [
    ['check-passes', 'passes#PassChecks', 'checkPasses'],
    ['execute-plan', 'passes#PlanExecution', 'executePlan'],
  ]) {
    const title = `${name} ${sample}`;
    if (!wanted(title)) continue;
    const native = callNative(['call', name, file, '{"policy":"Greedy"}']);
    const wasm = Buffer.from(executor.engine[call](readFileSync(file, 'utf8'), '{"policy":"Greedy"}'));
    expectSchema(schema, wasm);
    if (native.equals(wasm)) ++count.passed;
    else fail(title, describeDifference(native, wasm));
  }
}

// The other calls answer as their schemas say, whatever they are given.
const text = golden.length > 0 ? readFileSync(golden[0], 'utf8') : '';
for (const [name, schema, call] of [
  ['lint', 'common#Lint', (e) => e.lint(text)],
  ['lint of broken text', 'common#Lint', (e) => e.lint('func.func @f( {{{ %0 = \u0000\uFFFD')],
  ['run with broken options', 'report', (e) => e.run(text, '{"policy": 7, "nothing": [}')],
  ['compare', 'compare', (e) => e.compare(text, '{"runs":[{},{}]}')],
  ['compare with broken runs', 'compare', (e) => e.compare(text, '[[')],
  ['passes', 'passes', (e) => e.passes(text, '{"ir":true}')],
  ['regret', 'regret', (e) => e.regret(text, '{}')],
  ['regret with broken text', 'regret', (e) => e.regret('func.func @f(', '{}')],
  ['checks of passes', 'passes#PassChecks', () => executor.engine.checkPasses(text, '{}')],
  ['execution of a plan', 'passes#PlanExecution', () => executor.engine.executePlan(text, '{}')],
  ['decision trace of broken text', 'decision_trace', (e) => e.decisionTrace('{')],
  ['export', 'export', (e) => e.export(text, '{}', 'trace-events')],
  ['catalog of the lab', 'catalog#LabCatalog', () => lab.catalog()],
  ['layout with a broken request', 'layout', () => lab.layout('{"shape":[2,')],
]) {
  if (!wanted(name)) continue;
  try {
    expectSchema(schema, call(instance.engine));
    ++count.passed;
  } catch (error) {
    fail(name, [error.message, ...instance.log.slice(-5)].join('\n    '));
    instance = await makeEngine();
  }
}
console.log(
  `${cases.length} cases, ${corpus.length} graphs under ${runs.length} settings: ` +
    `native ${Math.round(time.native)} ms (with start-up), wasm ${Math.round(time.wasm)} ms`,
);
finish();
