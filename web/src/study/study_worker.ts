// A worker with an instance of the study's module: one call at a time, each a promise that fails when the worker dies.

import { compileOnce } from '../engine/module';
import type { Call, FromWorker, ToWorker } from '../engine/protocol';
import { Joiner } from '../engine/split';

const address = (name: string): string => new URL(`engine/${name}`, document.baseURI).href;

let compiled: Promise<WebAssembly.Module | null> | null = null;

interface Waiting {
  readonly done: (answer: unknown) => void;
  readonly failed: (reason: Error) => void;
}

export class StudyWorker {
  private readonly worker_: Worker;
  private waiting_: Waiting | null = null;
  private joiner_ = new Joiner();
  private nextId_ = 1;
  private dead_ = '';

  constructor() {
    compiled ??= compileOnce(address('tessera_full.wasm'));
    this.worker_ = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'study' });
    this.worker_.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    this.worker_.onerror = (event) => {
      event.preventDefault();
      this.die(event.message || 'the worker could not be started');
    };
    this.post({ type: 'start', engineUrl: address('tessera_full.js'), awaitsModule: true, test: false });
    void compiled.then((module) => this.post({ type: 'module', module }));
  }

  get alive(): boolean {
    return this.dead_ === '';
  }

  call(call: Call, ...args: readonly string[]): Promise<unknown> {
    return new Promise((done, failed) => {
      if (!this.alive) return failed(new Error(this.dead_));
      this.waiting_ = { done, failed };
      this.joiner_ = new Joiner();
      this.post({ type: 'call', id: this.nextId_++, call, args });
    });
  }

  // Ends what is running; it fails with the reason.
  end(reason: string): void {
    this.worker_.terminate();
    this.die(reason);
  }

  private die(reason: string): void {
    if (!this.alive) return;
    this.dead_ = reason;
    this.worker_.terminate();
    this.waiting_?.failed(new Error(reason));
    this.waiting_ = null;
  }

  private post(message: ToWorker): void {
    if (this.alive) this.worker_.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if (message.type === 'part') this.joiner_.add(message.part);
    if (message.type === 'dead') this.die([message.reason, ...message.log.slice(-1)].join(': '));
    if (message.type !== 'answer') return;
    const waiting = this.waiting_;
    this.waiting_ = null;
    waiting?.done(this.joiner_.join(message.json));
  }
}
