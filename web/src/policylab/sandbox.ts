// The page's side of the sandbox: one policy at a time, in a worker that is ended when it does not answer in time.

import {
  kUsualLimits,
  type SandboxAnswer,
  type SandboxLimits,
  type SandboxProblem,
  type SandboxRequest,
} from '../model/policy_lab';

const kGraceMs = 1500; // beyond the limit, for loading the interpreter and for writing the plan

export interface SandboxWorker {
  postMessage(message: SandboxRequest | SandboxProblem | 'load'): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<SandboxAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export class Sandbox {
  private worker_: SandboxWorker | null = null;
  private nextId_ = 1;
  private end_: ((answer: SandboxAnswer) => void) | null = null; // of the present run
  private limit_: ReturnType<typeof setTimeout> | undefined;
  private sent_ = ''; // the problem that the worker has

  constructor(
    private readonly makeWorker: () => SandboxWorker,
    private readonly limits: SandboxLimits = kUsualLimits,
  ) {}

  // Loads the interpreter ahead of the first run.
  warm(): void {
    this.worker().postMessage('load');
  }

  // Lets the interpreter read a problem ahead of the run that decides it.
  prepare(problem: string): void {
    if (this.end_ === null) this.send(problem);
  }

  private send(problem: string): SandboxWorker {
    const worker = this.worker();
    if (this.sent_ !== problem) worker.postMessage({ problem, limits: this.limits });
    this.sent_ = problem;
    return worker;
  }

  run(code: string, problem: string): Promise<SandboxAnswer> {
    this.stop('another run began');
    const id = this.nextId_++;
    const worker = this.send(problem);
    return new Promise((resolve) => {
      this.end_ = (answer) => {
        clearTimeout(this.limit_);
        this.end_ = null;
        resolve(answer);
      };
      const { milliseconds } = this.limits;
      this.limit_ = setTimeout(
        () => this.stop(`decide(problem) took more than ${milliseconds / 1000} s and was stopped`),
        milliseconds + kGraceMs,
      );
      worker.postMessage({ id, code });
    });
  }

  // Ends the present run, and its worker with it.
  stop(reason: string): void {
    if (this.end_ === null) return;
    const end = this.end_;
    this.drop();
    end({ id: -1, plan: null, error: { message: reason, line: 0, column: 0 }, log: [], ms: 0 });
  }

  // Like stop, for good.
  end(): void {
    this.stop('ended');
    this.drop();
  }

  private drop(): void {
    this.worker_?.terminate();
    this.worker_ = null;
    this.sent_ = '';
  }

  private worker(): SandboxWorker {
    if (this.worker_ !== null) return this.worker_;
    const worker = this.makeWorker();
    worker.onmessage = ({ data }) => {
      const problem = this.sent_;
      this.end_?.(data);
      if (data.error === null) return;
      this.drop(); // what the policy left behind cannot be told
      this.send(problem);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop(`the sandbox stopped: ${event.message}`);
    };
    this.worker_ = worker;
    return worker;
  }
}
