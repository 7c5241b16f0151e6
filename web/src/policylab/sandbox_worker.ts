/// <reference lib="webworker" />
// Runs a policy that a person wrote, in an interpreter compiled to WebAssembly: the policy sees the problem, the
// language and console.log, and nothing of the page, the network or the storage. Its time and memory are limited.

import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';

import {
  kUsualLimits,
  type PolicyError,
  type SandboxAnswer,
  type SandboxLimits,
  type SandboxProblem,
  type SandboxRequest,
} from '../model/policy_lab';

declare const self: DedicatedWorkerGlobalScope;

const kFile = 'policy.js';
const kMostLines = 500; // of the log
const kMostColumns = 2000;
const kMostPlanBytes = 64 * 1024 * 1024;

// In the sandbox, behind the policy: calls it and writes its plan down. Numbers that JSON has no word for would turn
// into null without a word.
const kCall = `(problem) => {
  if (typeof decide !== 'function') throw new TypeError('there is no function decide(problem)');
  const plan = decide(problem);
  const kind = plan === null ? 'null' : Array.isArray(plan) ? 'an array' : plan instanceof Promise ? 'a promise'
    : typeof plan === 'object' ? '' : typeof plan === 'undefined' ? 'nothing' : String(plan);
  if (kind !== '') throw new TypeError('decide(problem) returned ' + kind.slice(0, 100) + ', not a plan');
  return JSON.stringify(plan, (key, value) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    throw new TypeError('the plan has ' + value + ' as ' + key);
  });
}`;

let module: Promise<QuickJSWASMModule> | null = null;

function loadModule(): Promise<QuickJSWASMModule> {
  module ??= newQuickJSWASMModuleFromVariant(variant);
  return module;
}

// One line of the log.
function logText(context: QuickJSContext, parts: readonly QuickJSHandle[]): string {
  const words = parts.map((part) => {
    const value = context.dump(part) as unknown;
    if (typeof value === 'string') return value;
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  });
  return words.join(' ').slice(0, kMostColumns);
}

function addConsole(context: QuickJSContext, log: string[]): void {
  const write = context.newFunction('log', (...parts) => {
    if (log.length < kMostLines) log.push(logText(context, parts));
    else if (log.length === kMostLines) log.push('… the rest is left out');
  });
  const console = context.newObject();
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) context.setProp(console, name, write);
  context.setProp(context.global, 'console', console);
  console.dispose();
  write.dispose();
}

function readError(error: unknown, limits: SandboxLimits): PolicyError {
  const { name = '', message = String(error), stack = '' } = (error ?? {}) as Record<string, unknown>;
  const place = new RegExp(`${kFile.replace('.', '\\.')}:(\\d+)(?::(\\d+))?`).exec(String(stack));
  const text = String(message);
  const said = /interrupted/.test(text)
    ? `decide(problem) took more than ${limits.milliseconds / 1000} s and was stopped`
    : /out of memory/.test(text)
      ? `the policy took more than ${Math.round(limits.bytes / (1024 * 1024))} MB of memory and was stopped`
      : name === ''
        ? text
        : `${String(name)}: ${text}`;
  return { message: said.slice(0, kMostColumns), line: Number(place?.[1] ?? 0), column: Number(place?.[2] ?? 0) };
}

// An interpreter that has read the problem and waits for a policy.
interface Ready {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly problem: QuickJSHandle;
  end: number; // of its time
}
type Decided = Omit<SandboxAnswer, 'id' | 'ms'>;

let given: SandboxProblem = { problem: 'null', limits: kUsualLimits };
let ready: Promise<Ready | PolicyError> | null = null;

// Throws away what the policy before it may have left behind: every run has an interpreter of its own.
async function prepare({ problem, limits }: SandboxProblem): Promise<Ready | PolicyError> {
  const runtime = (await loadModule()).newRuntime();
  runtime.setMemoryLimit(limits.bytes);
  const context = runtime.newContext();
  const parse = context.unwrapResult(context.evalCode('JSON.parse'));
  const text = context.newString(problem);
  const parsed = context.callFunction(parse, context.undefined, text);
  text.dispose();
  parse.dispose();
  if (parsed.error !== undefined) return readError(context.dump(parsed.error), limits);
  const prepared: Ready = { runtime, context, problem: parsed.value, end: Infinity };
  runtime.setInterruptHandler(() => performance.now() > prepared.end);
  return prepared;
}

async function decide(code: string): Promise<Decided> {
  const { limits } = given;
  const log: string[] = [];
  ready ??= prepare(given);
  const prepared = await ready;
  ready = null;
  if ('message' in prepared) return { plan: null, error: prepared, log };
  const { runtime, context, problem } = prepared;
  prepared.end = performance.now() + limits.milliseconds;
  const failed = (error: QuickJSHandle): Decided => {
    const said = readError(context.dump(error), limits);
    error.dispose();
    return { plan: null, error: said, log };
  };
  addConsole(context, log);
  const defined = context.evalCode(code, kFile);
  if (defined.error !== undefined) return failed(defined.error);
  defined.value.dispose();
  const call = context.unwrapResult(context.evalCode(kCall, 'call.js'));
  const result = context.callFunction(call, context.undefined, problem);
  call.dispose();
  if (result.error !== undefined) return failed(result.error);
  const plan = context.getString(result.value);
  result.value.dispose();
  problem.dispose();
  context.dispose();
  runtime.dispose();
  if (plan.length > kMostPlanBytes)
    return { plan: null, error: { message: 'the plan is larger than 64 MB', line: 0, column: 0 }, log };
  return { plan, error: null, log };
}

async function answer({ id, code }: SandboxRequest): Promise<void> {
  const begun = performance.now();
  const decided = await decide(code).catch((error: unknown): Decided => {
    const message = `the interpreter stopped: ${error instanceof Error ? error.message : String(error)}`;
    return { plan: null, error: { message, line: 0, column: 0 }, log: [] };
  });
  self.postMessage({ id, ms: performance.now() - begun, ...decided });
  if (decided.error === null) prepareSoon(); // for the next policy; after an error the page ends this worker
}

function prepareSoon(): void {
  setTimeout(() => {
    ready ??= prepare(given);
    ready.catch(() => (ready = null)); // the next request says what is wrong
  }, 0);
}

self.onmessage = ({ data }: MessageEvent<SandboxRequest | SandboxProblem | 'load'>): void => {
  if (data === 'load') return void loadModule().catch(() => undefined); // likewise
  if ('code' in data) return void answer(data);
  given = data;
  ready = null;
  prepareSoon();
};
