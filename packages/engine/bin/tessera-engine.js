#!/usr/bin/env node
// tessera-engine run FILE [--policy P] [--device D] [--OPTION VALUE ...] [what to print]: as the native program's
// `tessera run`, with the report as JSON unless another output is named. Standard output is the same, byte for byte.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';

import { createEngine } from '../node.js';

const kFine = 0;
const kMistakesInInput = 1;
const kWrongCall = 2;
const kMostBytes = 256 * 2 ** 20; // of a source; the engine refuses more
const kOutputs = {
  '--json': 'report',
  '--mlir': 'mlir',
  '--plan-out': 'plan',
  '--overrides': 'overrides',
  '--trace-events': 'trace-events',
  '--decision-trace': 'decision-trace',
  '--certificate': 'certificate',
  '--model-explorer': 'model-explorer',
};
const kAsText = ['mlir', 'overrides']; // end with a line break of their own
const kUsage = `usage: tessera-engine run FILE [--policy P] [--device D] [--OPTION VALUE ...]
                      [${Object.keys(kOutputs).join(' | ')}]
       tessera-engine lint FILE
       tessera-engine catalog | version

FILE holds TTIR, TTNN or StableHLO as MLIR text, or a graph as JSON; - reads standard input.
Exit codes: ${kFine} fine, ${kMistakesInInput} the input or the run has defects (see standard error),
${kWrongCall} usage.
`;

class WrongCall extends Error {}

// Everything up to one byte more than the engine takes.
function readSource(path) {
  const chunks = [];
  let file;
  try {
    file = path === '-' ? 0 : openSync(path);
    for (let left = kMostBytes + 1; left > 0;) {
      const chunk = Buffer.allocUnsafe(Math.min(left, 2 ** 20));
      const count = readSome(file, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      left -= count;
    }
    if (path !== '-') closeSync(file);
  } catch {
    throw new WrongCall(`cannot read \`${path}\``);
  }
  return Buffer.concat(chunks);
}

// A pipe at its end, or with nothing in it yet, answers with an error code in place of 0 bytes.
function readSome(file, chunk) {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (error) {
      if (error.code === 'EOF') return 0;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

// All of it, although a pipe takes part of a long text at a time.
function print(file, text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

// A value of the command line as the type that the catalog names.
function valueOf({ id, type, choices }, text) {
  const wrong = (expected) => new WrongCall(`\`${text}\` is no value of --${id}: ${expected}`);
  if (type === 'choice' && !choices.some((choice) => choice.id === text))
    throw wrong(choices.map((choice) => choice.id).join(', '));
  if (type === 'boolean' && text !== 'true' && text !== 'false') throw wrong('true or false');
  if (type === 'boolean') return text === 'true';
  if (type !== 'integer' && type !== 'number') return text;
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(text)) throw wrong('a number');
  return Number(text);
}

function readArguments(words, known) {
  const call = { file: '', what: 'report', options: {} };
  for (let at = 0; at < words.length; at++) {
    const word = /^-[a-z]/i.test(words[at]) ? `-${words[at]}` : words[at];
    if (word in kOutputs) call.what = kOutputs[word];
    else if (word.startsWith('--')) {
      const [, id, inside] = /^--([^=]*)(?:=(.*))?$/s.exec(word);
      const info = known.get(id);
      if (info === undefined) throw new WrongCall(`unknown option \`${id}\``);
      const text = inside ?? words[++at];
      if (text === undefined) throw new WrongCall(`\`${word}\` needs a value`);
      call.options[id] = valueOf(info, text);
      // Naming the analysis asks for it, as on the compiler's command line.
      if (id === 'memory-layout-analysis-policy') call.options['memory-layout-analysis-enabled'] = true;
    } else if (call.file !== '') throw new WrongCall('more than one file');
    else call.file = word;
  }
  if (call.file === '') throw new WrongCall('no file given');
  return call;
}

function tell(file, { diagnostics, droppedDiagnostics }) {
  const name = file === '-' ? '<stdin>' : file;
  for (const { line, column, severity, message, notes } of diagnostics) {
    print(2, `${name}:${line}:${column}: ${severity}: ${message}\n`);
    for (const note of notes) print(2, `  note: ${note}\n`);
  }
  if (droppedDiagnostics > 0) print(2, `not shown: ${droppedDiagnostics} more\n`);
}

const hasErrors = ({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error');

function run(engine, words) {
  const known = new Map(engine.catalog().options.map((option) => [option.id, option]));
  const { file, what, options } = readArguments(words, known);
  const source = readSource(file);
  const text = engine.json('run', source, JSON.stringify(options));
  const report = JSON.parse(text);
  tell(file, report);
  if (what === 'report') print(1, `${text}\n`);
  if (report.run === null) return kMistakesInInput;
  if (what !== 'report') {
    const { content } = engine.export(source, what, options);
    if (content === null) throw new WrongCall(`a run of the policy ${report.run.policy.id} has no ${what}`);
    print(1, kAsText.includes(what) ? content : `${content}\n`);
  }
  for (const { checker, rule, text: said } of report.run.defects)
    print(2, `defect found by the ${checker} checker: ${rule}: ${said}\n`);
  return hasErrors(report) || report.run.defects.length > 0 ? kMistakesInInput : kFine;
}

function lint(engine, words) {
  const { file } = readArguments(words, new Map());
  const found = engine.lint(readSource(file));
  tell(file, found);
  return hasErrors(found) ? kMistakesInInput : kFine;
}

async function main([command, ...words]) {
  if (command === 'help' || [command, ...words].some((word) => word === '--help' || word === '-h')) {
    print(1, kUsage);
    return kFine;
  }
  const commands = {
    run,
    lint,
    catalog: (engine) => (print(1, `${engine.json('catalog')}\n`), kFine),
    version: (engine) => (print(1, `${engine.json('version')}\n`), kFine),
  };
  if (!Object.hasOwn(commands, command ?? ''))
    throw new WrongCall(command === undefined ? 'no command given' : `unknown command \`${command}\``);
  return commands[command](await createEngine(), words);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof WrongCall) print(2, `tessera-engine: ${error.message}\n\n${kUsage}`);
  else print(2, `tessera-engine: ${error.message}\n`);
  process.exitCode = error instanceof WrongCall ? kWrongCall : kMistakesInInput;
}
