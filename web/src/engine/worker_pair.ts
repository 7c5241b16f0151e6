// The workers of the engine: one that is asked, and a spare that is warm by the time it is needed. The spare may do a
// run ahead of time, so that what it finds out about the graph is there when it takes over.

import type { FromWorker, StartMessage, ToWorker } from './protocol';

export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

// What a run is asked.
export interface RunRequest {
  readonly text: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export type PartMessage = Extract<FromWorker, { type: 'part' }>;
export type AnswerMessage = Extract<FromWorker, { type: 'answer' }>;

// Of the active worker, and of one that was detached and has not come back.
export interface PairEvents {
  readonly began: (id: number) => void;
  readonly part: (message: PartMessage) => void;
  readonly answer: (message: AnswerMessage) => void;
  readonly died: (reason: string, log: readonly string[]) => void;
  readonly detachedAnswer: (message: AnswerMessage) => void;
  readonly detachedDied: () => void;
}

const kWarmUpId = 0; // of no job

export class WorkerPair {
  private active_: WorkerLike;
  private spare_: WorkerLike | null = null;
  private detached_: WorkerLike | null = null; // still busy with a call while the former spare is active
  private ready_ = false;
  private wanted_: RunRequest | null = null; // the run that a spare should have done
  private done_: RunRequest | null = null; // by the present spare

  constructor(
    private readonly make: () => WorkerLike,
    private readonly start: StartMessage,
    private readonly kindOf: (request: RunRequest) => string, // a run of one kind warms a worker for the others
    private readonly events: PairEvents,
    private readonly module: Promise<WebAssembly.Module | null> | null = null, // for all workers
  ) {
    this.active_ = this.startWorker();
  }

  post(message: ToWorker): void {
    this.active_.postMessage(message);
  }

  // The spare has started and done its run.
  get spareReady(): boolean {
    return this.ready_;
  }

  // Makes sure that a spare is there or on its way; a detached worker will be one.
  ensureSpare(): void {
    if (this.spare_ !== null || this.detached_ !== null) return;
    this.done_ = null;
    this.spare_ = this.startWorker();
  }

  // Makes sure that the spare has done this run, or one of its kind.
  warmSpare(wanted: RunRequest | null): void {
    this.wanted_ = wanted;
    if (this.detached_ !== null) return;
    if (this.spare_ === null) this.ensureSpare();
    else if (this.ready_) this.warmUp(this.spare_);
  }

  // Ends the active worker; the spare takes its place.
  replaceActive(): void {
    discard(this.active_);
    this.promoteSpare();
  }

  // The active worker goes on with its call, and the spare takes its place.
  detachActive(): void {
    this.detached_ = this.active_;
    this.promoteSpare();
  }

  // The detached worker is the spare from now on: it has just done a run of the kind.
  attach(): void {
    this.spare_ = this.detached_;
    this.detached_ = null;
    this.done_ = this.wanted_;
    this.ready_ = true;
  }

  endDetached(): void {
    if (this.detached_ !== null) discard(this.detached_);
    this.detached_ = null;
  }

  end(): void {
    this.endDetached();
    discard(this.active_);
    if (this.spare_ !== null) discard(this.spare_);
    this.dropSpare();
  }

  private dropSpare(): void {
    this.spare_ = null;
    this.ready_ = false;
  }

  private promoteSpare(): void {
    this.active_ = this.spare_ ?? this.startWorker();
    this.dropSpare();
  }

  private startWorker(): WorkerLike {
    const worker = this.make();
    worker.onmessage = (event) => this.receive(worker, event.data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.died(worker, event.message || 'the engine worker could not be started', []);
    };
    worker.postMessage(this.start);
    void this.module?.then((module) => worker.postMessage({ type: 'module', module }));
    return worker;
  }

  private warmUp(spare: WorkerLike): void {
    const { wanted_: wanted, done_: done } = this;
    this.ready_ = wanted === null || (done !== null && this.kindOf(done) === this.kindOf(wanted));
    if (this.ready_ || wanted === null) return;
    this.done_ = wanted;
    const args = [wanted.text, JSON.stringify(wanted.options)];
    spare.postMessage({ type: 'call', id: kWarmUpId, call: 'run', args, quiet: true });
  }

  private receive(worker: WorkerLike, message: FromWorker): void {
    if (message.type === 'dead') return this.died(worker, message.reason, message.log);
    if (worker === this.spare_) {
      if (message.type === 'ready') this.warmUp(worker);
      else if (message.type === 'answer') this.ready_ = true;
    } else if (message.type === 'began') {
      if (worker === this.active_) this.events.began(message.id);
    } else if (message.type === 'part') {
      if (worker === this.active_ || worker === this.detached_) this.events.part(message);
    } else if (message.type === 'answer') {
      if (worker === this.detached_) this.events.detachedAnswer(message);
      else if (worker === this.active_) this.events.answer(message);
    }
  }

  private died(worker: WorkerLike, reason: string, log: readonly string[]): void {
    if (worker === this.detached_) this.events.detachedDied();
    else if (worker === this.active_) this.events.died(reason, log);
    else if (worker === this.spare_) {
      worker.terminate();
      this.dropSpare();
    }
  }
}

function discard(worker: WorkerLike): void {
  worker.onmessage = null;
  worker.onerror = null;
  worker.terminate();
}
