// The engine of a page: all elements share one, and one worker. Questions wait for each other; a newer one of an
// element takes the place of its older one.

import { EngineClient, type Outcome } from '../engine/client';
import { compileApart } from '../engine/module';
import type { WorkerLike } from '../engine/worker_pair';
import { engineFiles, type EngineFiles } from './base';
import workerUrl from '../engine/worker.ts?worker&url';

const kMostOutdatedMs = 1500; // an answer that nobody waits for may take so long

interface Task {
  readonly owner: object;
  readonly kind: string;
  readonly start: (client: EngineClient) => Promise<void>;
  readonly drop: () => void;
}

let shared: SharedEngine | null = null;

// What is known of the engine's files when it is first asked for counts.
export function sharedEngine(): SharedEngine {
  shared ??= new SharedEngine(engineFiles() ?? { script: '', code: '' });
  return shared;
}

export class SharedEngine {
  private readonly client_: EngineClient;
  private waiting_: Task[] = [];
  private current_: Task | null = null;

  constructor({ script, code }: EngineFiles) {
    const make = (): WorkerLike => makeWorker(new URL(workerUrl, import.meta.url).href);
    this.client_ = new EngineClient({
      engineUrl: script,
      test: false,
      module: compileApart(code, make),
      makeWorker: make,
    });
  }

  ask<T>(owner: object, kind: string, question: (client: EngineClient) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    return new Promise((settle) => {
      const same = (task: Task): boolean => task.owner === owner && task.kind === kind;
      for (const task of this.waiting_.filter(same)) task.drop();
      this.waiting_ = this.waiting_.filter((task) => !same(task));
      this.waiting_.push({
        ...{ owner, kind },
        start: async (client) => settle(await question(client)),
        drop: () => settle({ kind: 'superseded' }),
      });
      if (this.current_ !== null && same(this.current_)) this.endSoon(this.current_);
      void this.pump();
    });
  }

  // Of an element that is gone.
  forget(owner: object): void {
    for (const task of this.waiting_.filter((one) => one.owner === owner)) task.drop();
    this.waiting_ = this.waiting_.filter((task) => task.owner !== owner);
    if (this.current_?.owner === owner) this.endSoon(this.current_);
  }

  private endSoon(task: Task): void {
    setTimeout(() => {
      if (this.current_ === task) this.client_.stop();
    }, kMostOutdatedMs);
  }

  private async pump(): Promise<void> {
    if (this.current_ !== null) return;
    const next = this.waiting_.shift();
    if (next === undefined) return;
    this.current_ = next;
    await next.start(this.client_);
    this.current_ = null;
    void this.pump();
  }
}

// A page may take the element from another host: its browser lets no worker start from there but by a detour.
function makeWorker(address: string): WorkerLike {
  const settings = { type: 'module', name: 'tessera' } as const;
  if (new URL(address).origin === location.origin) return new Worker(address, settings) as unknown as WorkerLike;
  const detour = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(detour), settings) as unknown as WorkerLike;
}
