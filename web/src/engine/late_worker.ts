// A worker that starts when its time has come: what it is told before waits.

import type { FromWorker, ToWorker } from './protocol';
import type { WorkerLike } from './worker_pair';

export class LateWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  private worker_: WorkerLike | null = null;
  private waiting_: ToWorker[] = [];
  private ended_ = false;

  constructor(begin: Promise<unknown>, make: () => WorkerLike) {
    void begin.then(() => setTimeout(() => this.start(make), 0)); // a task of its own
  }

  postMessage(message: ToWorker): void {
    if (this.worker_ === null) this.waiting_.push(message);
    else this.worker_.postMessage(message);
  }

  terminate(): void {
    this.ended_ = true;
    this.waiting_ = [];
    this.worker_?.terminate();
  }

  private start(make: () => WorkerLike): void {
    if (this.ended_) return;
    const worker = (this.worker_ = make());
    worker.onmessage = (event) => this.onmessage?.(event);
    worker.onerror = (event) => this.onerror?.(event);
    for (const message of this.waiting_.splice(0)) worker.postMessage(message);
  }
}
