// Tests the npm packages as their users have them: packed, installed into an empty folder, used from there.
//
//   node packages/test.mjs [--native build/dev/bin/tessera] [--engine web/public/engine]
//
// The last line is "N passed, N failed, N skipped".

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { mlirFiles, optionSets } from '../tests/wasm/golden_cases.mjs';
import { elementManifest, kManifest } from './manifest.mjs';
import { kOut, pack } from './pack.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const tools = join(root, 'packages/tools/node_modules/.bin');
const { values: flags } = parseArgs({
  options: {
    native: { type: 'string', default: join(root, 'build/dev/bin/tessera') },
    engine: { type: 'string', default: join(root, 'web/public/engine') },
  },
});
const native = resolve(flags.native);
const count = { passed: 0, failed: 0, skipped: 0 };

async function test(name, body) {
  const begun = performance.now();
  try {
    await body();
    ++count.passed;
    console.log(`ok      ${name} (${Math.round(performance.now() - begun)} ms)`);
  } catch (error) {
    ++count.failed;
    const said = [error.stack ?? error, error.stdout, error.stderr].filter(Boolean).join('\n');
    console.log(`FAILED  ${name}\n    ${String(said).split('\n').slice(0, 30).join('\n    ')}`);
  }
}

function equal(actual, expected, what) {
  if (actual === expected) return;
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) ++at;
  const around = (text) => JSON.stringify(String(text).slice(Math.max(0, at - 60), at + 60));
  throw new Error(`${what} differs at ${at}:\n  expected ${around(expected)}\n  got      ${around(actual)}`);
}

// An empty project with the tarballs in it.
function install(name, tarballs) {
  const folder = join(kOut, 'consumers', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const flagsOfInstall = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flagsOfInstall, ...tarballs], { cwd: folder, encoding: 'utf8' });
  return folder;
}

const run = (program, words, options = {}) =>
  spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 30, timeout: 120_000, ...options });

const tarballs = pack({ engine: resolve(flags.engine) });

// ES modules alone; a wasm file has no types.
const kTypeCheck = [
  '--no-color',
  '--profile',
  'esm-only',
  '--exclude-entrypoints',
  './engine/tessera.wasm',
  './embed/*',
  './engine/*',
];

for (const [name, tarball] of Object.entries(tarballs)) {
  await test(`${name}: publint finds nothing`, () => {
    const folder = join(kOut, 'stage', name);
    const said = execFileSync(join(tools, 'publint'), ['--strict', folder], { encoding: 'utf8' });
    if (!/All good!/i.test(said) || /suggestion|warning|error/i.test(said)) throw new Error(said);
  });
  await test(`${name}: the types are found as they are meant to be`, () => {
    const said = execFileSync(join(tools, 'attw'), [tarball, ...kTypeCheck], { encoding: 'utf8' });
    if (!said.includes('(ESM)')) throw new Error(said); // problems are an exit code
  });
  await test(`${name}: licences of bundled parts are told`, () => {
    const said = readFileSync(join(kOut, 'stage', name, 'THIRD_PARTY.md'), 'utf8');
    if (!said.includes('MIT') || said.length < 2000) throw new Error(said);
  });
}

await test('tessera-playground: its Custom Elements Manifest names what types and document name', async () => {
  const files = execFileSync('tar', ['-tzf', tarballs['tessera-playground']], { encoding: 'utf8' });
  if (!files.includes('package/custom-elements.json')) throw new Error(files);
  const text = readFileSync(kManifest, 'utf8');
  equal(text, await elementManifest(), 'made anew (node packages/manifest.mjs)');
  const [{ attributes, events, members }] = JSON.parse(text).modules[0].declarations;
  const namesOf = (list) => list.map(({ name }) => name).sort();
  const types = readFileSync(join(root, 'web/src/embed/api.ts'), 'utf8');
  const declared = (name) => {
    const [, block] = new RegExp(`interface ${name} [^{]*{\\n([^}]*)}`).exec(types);
    return [...block.matchAll(/^ {2}(?:readonly )?'?([\w-]+)'?[(:]/gm)].map(([, one]) => one).sort();
  };
  equal(namesOf(members).join(), declared('TesseraPlaygroundElement').join(), 'properties and methods');
  equal(namesOf(events).join(), declared('TesseraPlaygroundEvents').join(), 'events');
  const [, table] = /\n\| attribute .*?\n((?:\|.*\n)+)/.exec(readFileSync(join(root, 'docs/embedding.md'), 'utf8'));
  const told = [...table.matchAll(/^\| (`[^|]*?) +\|/gm)].flatMap(([, words]) => words.match(/\w+/g)).sort();
  equal(namesOf(attributes).join(), told.join(), 'attributes');
  const bare = [...attributes, ...events, ...members].filter(({ description }) => !(description?.length > 10));
  equal(namesOf(bare).join(), '', 'without a description');
});

const folder = install('engine', [tarballs['tessera-engine']]);
writeFileSync(
  join(folder, 'index.mjs'),
  "export { createEngine } from 'tessera-engine';\nexport { createWorkerEngine } from 'tessera-engine/worker';\n",
);
const { createEngine, createWorkerEngine } = await import(pathToFileURL(join(folder, 'index.mjs')).href);
const command = join(folder, 'node_modules/.bin/tessera-engine'); // what npx starts
const golden = mlirFiles(join(root, 'tests/golden'));

await test('tessera-engine: every golden case as native', async () => {
  const engine = await createEngine();
  const { policies, options } = engine.catalog();
  const known = new Set(options.map(({ id }) => id));
  if (golden.length < 100) throw new Error(`only ${golden.length} golden cases`);
  for (const file of golden) {
    const bytes = readFileSync(file);
    const [asked] = optionSets(bytes.toString(), [policies[0].id], known);
    const words = Object.entries(asked).flatMap(([id, value]) => [`--${id}`, String(value)]);
    const { stdout } = run(native, ['run', file, '--json', ...words]);
    equal(`${engine.json('run', bytes, JSON.stringify(asked))}\n`, stdout, relative(root, file));
  }
});

await test('tessera-engine: the command line answers as the native one', () => {
  const sample = join(root, 'web/public/samples/mlp.mlir');
  const broken = golden.find((file) => file.includes('/fail_'));
  const calls = [
    ['run', sample],
    ['run', sample, '--policy=Beam', '--device', 'p150', '--beam-width', '4'],
    ['run', sample, '-tensor-l1-usage-cap=0.5', '--mlir'],
    ['run', sample, '--overrides'],
    ['run', sample, '--plan-out'],
    ['run', sample, '--memory-layout-analysis-policy', 'BFInterleaved', '--json'],
    ['run', broken],
    ['run', sample, '--policy', 'none'],
    ['run', join(folder, 'missing.mlir')],
    ['version'],
  ];
  for (const words of calls) {
    const ours = run(command, words, { cwd: folder });
    const outputs = ['--mlir', '--overrides', '--plan-out', '--json'];
    const json = words[0] === 'run' && !words.some((word) => outputs.includes(word)) ? ['--json'] : [];
    const theirs = run(native, [...words, ...json]);
    equal(ours.stdout, theirs.stdout, words.join(' '));
    equal(String(ours.status), String(theirs.status), `exit code of ${words.join(' ')}`);
    if (theirs.status !== 0 && ours.stderr === '') throw new Error(`${words.join(' ')} says nothing`);
  }
});

await test('tessera-engine: standard input, and a reader that stops reading', () => {
  const sample = join(root, 'web/public/samples/mlp.mlir');
  const { stdout } = run('npx', ['--no', 'tessera-engine', 'run', '-'], { cwd: folder, input: readFileSync(sample) });
  equal(stdout, run(native, ['run', sample, '--json']).stdout, 'run -');
  const piped = run('bash', ['-c', `${command} run ${sample} | head -c 10`], { cwd: folder });
  equal(piped.stdout, stdout.slice(0, 10), 'the first bytes');
  equal(piped.stderr, '', 'standard error');
});

await test('tessera-engine: in a worker, which can be ended', async () => {
  const engine = createWorkerEngine();
  const text = readFileSync(join(root, 'web/public/samples/mlp.mlir'), 'utf8');
  const options = { policy: 'Greedy' };
  const here = await createEngine();
  equal(
    await engine.json('run', text, JSON.stringify(options)),
    here.json('run', text, JSON.stringify(options)),
    'run',
  );
  const { runs } = await engine.compare(text, [options, { policy: 'Beam' }]);
  equal(String(runs.length), '2', 'compared runs');
  const wrong = await engine.lint('func.func @f(%a: tensor<').then(({ diagnostics }) => diagnostics.length);
  if (wrong === 0) throw new Error('no diagnostic');
  const waiting = engine.regret(text);
  engine.terminate();
  const end = await waiting.then(
    () => 'answered',
    (error) => error.message,
  );
  equal(end, 'the engine was terminated', 'what waited');
});

await test('tessera-engine: types in a strict project', () => {
  const source = [
    "import { createEngine, type Report } from 'tessera-engine';",
    "import { createWorkerEngine } from 'tessera-engine/worker';",
    'const engine = await createEngine();',
    "const report: Report = engine.run('', { policy: 'Greedy' });",
    'const time: number | undefined = report.run?.totals.time;',
    "const later: Promise<Report> = createWorkerEngine().run('');",
    '// @ts-expect-error: no such kind of file',
    "engine.export('', 'nothing');",
    'export { time, later };',
  ];
  writeFileSync(join(folder, 'use.mts'), `${source.join('\n')}\n`);
  const words = '--noEmit --strict --target es2022 --lib es2023,dom --types'.split(' ');
  for (const [module, resolution] of Object.entries({ nodenext: 'nodenext', esnext: 'bundler' })) {
    const how = [...words, '', '--module', module, '--moduleResolution', resolution, 'use.mts'];
    execFileSync(join(root, 'web/node_modules/.bin/tsc'), how, { cwd: folder, encoding: 'utf8' });
  }
});

if (!existsSync(native)) console.log(`note: ${relative(root, native)} is not built`);
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed > 0 ? 1 : 0);
