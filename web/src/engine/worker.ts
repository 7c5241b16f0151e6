/// <reference lib="webworker" />
// Owns one instance of the engine. Whatever the engine throws ends the instance: the page replaces the worker.

import { compileOnce } from './module';
import { splitAnswer } from './split';
import type { CallMessage, CrashMessage, FromWorker, StartMessage, ToWorker } from './protocol';

type Engine = Readonly<Record<string, (...args: (string | Uint8Array)[]) => string>>;
type Instantiated = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
interface Settings {
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm?: (imports: WebAssembly.Imports, done: Instantiated) => object;
}
type Factory = (settings: Settings) => Promise<Engine>;

declare const self: DedicatedWorkerGlobalScope;

const kKeptLogLines = 64;
const log: string[] = [];
let engine: Promise<Engine> | null = null;
let acceptsCrash = false;
let crash: CrashMessage | null = null;
let dead = false;
let giveModule: (module: WebAssembly.Module | null) => void;
const compiled = new Promise<WebAssembly.Module | null>((resolve) => (giveModule = resolve));

function post(message: FromWorker): void {
  self.postMessage(message);
}

function remember(line: string): void {
  log.push(String(line).slice(0, 2000));
  if (log.length > kKeptLogLines) log.shift();
}

function die(id: number, error: unknown): void {
  dead = true;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  post({ type: 'dead', id, reason: reason.slice(0, 2000), log: [...log] });
}

// The code comes from the page where it compiled it; the engine's own loader fetches it elsewhere.
async function start({ engineUrl, awaitsModule }: StartMessage): Promise<Engine> {
  const [glue, code] = await Promise.all([
    import(/* @vite-ignore */ engineUrl) as Promise<{ default: Factory }>,
    awaitsModule ? compiled : null,
  ]);
  const settings = { print: remember, printErr: remember };
  if (code === null) return glue.default(settings);
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports: WebAssembly.Imports, done: Instantiated): object => {
      WebAssembly.instantiate(code, imports).then((instance) => done(instance, code), reject);
      return {};
    };
    glue.default({ ...settings, instantiateWasm }).then(resolve, reject);
  });
}

function fail(how: CrashMessage['how']): never {
  while (how === 'hang') performance.now();
  if (how === 'memory') remember('out of memory: the limit is 2048 MiB'); // as wasm/pool_allocator.cpp says it
  throw new WebAssembly.RuntimeError('unreachable (asked for by a test)');
}

async function answer(message: CallMessage): Promise<void> {
  if (dead || engine === null) return;
  try {
    const instance = await engine;
    post({ type: 'began', id: message.id });
    const begun = performance.now();
    if (crash?.call === message.call) fail(crash.how);
    const call = instance[message.call];
    if (call === undefined) throw new Error(`the engine has no function ${message.call}`);
    const json = call(...message.args);
    const ms = performance.now() - begun;
    if (message.quiet === true) return post({ type: 'answer', id: message.id, json: 'null', ms });
    const frame = splitAnswer(json, (part) => post({ type: 'part', id: message.id, part }));
    post({ type: 'answer', id: message.id, json: frame, ms });
  } catch (error) {
    die(message.id, error);
  }
}

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const message = event.data;
  switch (message.type) {
    case 'start':
      acceptsCrash = message.test;
      engine = start(message);
      engine.then(
        () => post({ type: 'ready' }),
        (error: unknown) => die(-1, error),
      );
      break;
    case 'module':
      giveModule(message.module);
      break;
    case 'compile':
      void compileOnce(message.url).then((module) => post({ type: 'compiled', module }));
      break;
    case 'call':
      void answer(message);
      break;
    case 'crash':
      if (acceptsCrash) crash = message;
      break;
  }
};
