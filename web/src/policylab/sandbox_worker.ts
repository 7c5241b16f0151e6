/// <reference lib="webworker" />
// Runs a policy that a person wrote, in an interpreter compiled to WebAssembly: the policy sees the problem, the
// language and console.log, and nothing of the page, the network or the storage. Its time and memory are limited.

import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';

import type { PolicyError, SandboxAnswer, SandboxRequest } from '../model/policy_lab';

declare const self: DedicatedWorkerGlobalScope;

const kFile = 'policy.js';
const kMostLines = 500; // of the log
const kMostColumns = 2000;
const kMostPlanBytes = 64 * 1024 * 1024;

// In the sandbox, behind the policy: calls it and writes its plan down. Numbers that JSON has no word for would turn
// into null without a word.
const kCall = `(text) => {
  if (typeof decide !== 'function') throw new TypeError('there is no function decide(problem)');
  const plan = decide(JSON.parse(text));
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

function readError(error: unknown, limits: SandboxRequest['limits']): PolicyError {
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

async function decide(request: SandboxRequest): Promise<Omit<SandboxAnswer, 'id' | 'ms'>> {
  const { code, problem, limits } = request;
  const log: string[] = [];
  const runtime = (await loadModule()).newRuntime();
  runtime.setMemoryLimit(limits.bytes);
  const end = performance.now() + limits.milliseconds;
  runtime.setInterruptHandler(() => performance.now() > end);
  const context = runtime.newContext();
  const failed = (error: QuickJSHandle): Omit<SandboxAnswer, 'id' | 'ms'> => {
    const said = readError(context.dump(error), limits);
    error.dispose();
    return { plan: null, error: said, log };
  };
  addConsole(context, log);
  const defined = context.evalCode(code, kFile);
  if (defined.error !== undefined) return failed(defined.error);
  defined.value.dispose();
  const call = context.unwrapResult(context.evalCode(kCall, 'call.js'));
  const text = context.newString(problem);
  const result = context.callFunction(call, context.undefined, text);
  text.dispose();
  call.dispose();
  if (result.error !== undefined) return failed(result.error);
  const plan = context.getString(result.value);
  result.value.dispose();
  context.dispose();
  runtime.dispose();
  if (plan.length > kMostPlanBytes)
    return { plan: null, error: { message: 'the plan is larger than 64 MB', line: 0, column: 0 }, log };
  return { plan, error: null, log };
}

self.onmessage = (event: MessageEvent<SandboxRequest | 'load'>): void => {
  const request = event.data;
  if (request === 'load') return void loadModule().catch(() => undefined); // the next request says what is wrong
  const begun = performance.now();
  decide(request).then(
    (answer) => self.postMessage({ id: request.id, ms: performance.now() - begun, ...answer }),
    (error: unknown) => {
      const message = `the interpreter stopped: ${error instanceof Error ? error.message : String(error)}`;
      const ms = performance.now() - begun;
      self.postMessage({ id: request.id, ms, plan: null, error: { message, line: 0, column: 0 }, log: [] });
    },
  );
};
