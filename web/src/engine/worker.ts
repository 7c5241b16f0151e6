/// <reference lib="webworker" />
// Owns one instance of the engine. Whatever the engine throws ends the instance: the page replaces the worker.

import type { Call, CallMessage, FromWorker, ToWorker } from './protocol';

type Engine = Readonly<Record<string, (...args: (string | Uint8Array)[]) => string>>;
type Factory = (settings: { print: (line: string) => void; printErr: (line: string) => void }) => Promise<Engine>;

declare const self: DedicatedWorkerGlobalScope;

const kKeptLogLines = 64;
const log: string[] = [];
let engine: Promise<Engine> | null = null;
let acceptsCrash = false;
let crashAt: Call | null = null;
let dead = false;

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

async function start(engineUrl: string): Promise<Engine> {
  const module = (await import(/* @vite-ignore */ engineUrl)) as { default: Factory };
  return module.default({ print: remember, printErr: remember });
}

async function answer(message: CallMessage): Promise<void> {
  if (dead || engine === null) return;
  try {
    const instance = await engine;
    const begun = performance.now();
    if (crashAt === message.call) throw new WebAssembly.RuntimeError('unreachable (asked for by a test)');
    const call = instance[message.call];
    if (call === undefined) throw new Error(`the engine has no function ${message.call}`);
    const json = call(...message.args);
    post({ type: 'answer', id: message.id, json, ms: performance.now() - begun });
  } catch (error) {
    die(message.id, error);
  }
}

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const message = event.data;
  switch (message.type) {
    case 'start':
      acceptsCrash = message.test;
      engine = start(message.engineUrl);
      engine.then(
        () => post({ type: 'ready' }),
        (error: unknown) => die(-1, error),
      );
      break;
    case 'call':
      void answer(message);
      break;
    case 'crash':
      if (acceptsCrash) crashAt = message.call;
      break;
  }
};
