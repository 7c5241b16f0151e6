// The page's side of the engine: promises over a worker that may die. One call is in the worker at a time; of the kinds
// in kLatestWins only the newest call waits. A worker that dies or is stopped is replaced by the spare, which is
// already warm; while a slider moves, the two take turns.

import type { LabAnswer } from '../model/generated/layout';
import type { CompareAnswer } from '../model/generated/compare';
import type { DecisionTraceAnswer } from '../model/generated/decision_trace';
import type { DumpText, PassLogAnswer } from '../model/generated/pass_log';
import type { ProblemAnswer } from '../model/generated/problem_answer';
import type { ProfileAnswer } from '../model/generated/profile';
import type { RegretResult } from '../model/exact';
import type { PassChecks, PassesResult, PlanExecution } from '../model/passes';
import type { Catalog, CompareResult, ExportedFile, Report } from '../model/report';
import type { LintResult } from '../model/report';
import type { RunAsked } from '../model/option_values';
import { workloadOptions } from '../model/traits';
import type { Overdue } from '../model/overdue';
import { readComparison, readReport, type WireReport } from '../model/wire';
import { Patience, Watchdog } from './patience';
import type { Call, CrashMessage } from './protocol';
import { Joiner, type Part } from './split';
import { WorkerPair, type AnswerMessage, type PartMessage, type RunRequest, type WorkerLike } from './worker_pair';

interface Running {
  readonly job: Job;
  readonly joiner: Joiner; // of the parts of its answer
  readonly since: number;
  outdatedAt: number | null;
}

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T; readonly ms: number }
  | { readonly kind: 'superseded' } // a newer call of the same kind took its place
  | { readonly kind: 'stopped' } // the user stopped it
  | { readonly kind: 'failed'; readonly reason: string; readonly log: readonly string[] };

interface Job {
  readonly request: RunRequest | null; // of a run
  readonly repeated?: boolean; // a worker was silent about it
  readonly id: number;
  readonly call: Call;
  readonly args: readonly (string | Uint8Array)[];
  readonly settle: (outcome: Outcome<unknown>) => void;
  readonly read: (json: unknown) => unknown;
  readonly quiet?: boolean; // nobody reads the answer
}

export interface ClientSettings {
  readonly engineUrl: string;
  readonly test: boolean;
  readonly makeWorker: () => WorkerLike;
  readonly module?: Promise<WebAssembly.Module | null>; // the engine's code, compiled once; null: it cannot be
  // A call that a newer one of its kind outdates is cut off when it has run for this long, spare or not.
  readonly patienceMs?: number;
  readonly silenceMs?: number; // after which a worker that does not say that it began is replaced
  readonly overdue?: (overdue: Overdue | null) => void; // null: that is over
  readonly graceMs?: number; // time in which it may still end by itself once it is outdated
}

// Exports are not among them: what a view exports for itself must not take the place of a file that somebody saves.
const kLatestWins: ReadonlySet<Call> = new Set<Call>([
  'lint',
  'run',
  'compare',
  'passes',
  'checkPasses',
  'regret',
  'layout',
  'decisionTrace',
  'profile',
  'executePlan',
]);
// A run is asked for because something changed: what a view asked before is asked again after it, and must not delay
// it.
const kOutdatedByRun: ReadonlySet<Call> = new Set<Call>(['compare', 'passes']);
const kPatienceMs = 1500;
const kGraceMs = 40; // a new slider value stops the run before it within 50 ms
const kSilenceMs = 30_000; // a slow host may need as long to hand out the engine
const kFailedStartsAllowed = 3;
const kKindsKept = 8;
const kQuickMs = 250; // runs of this length may end beside the run that outdates them

export class EngineClient {
  private readonly workers_: WorkerPair;
  private queue_: Job[] = [];
  private watch_: ReturnType<typeof setTimeout> | undefined;
  private silence_: ReturnType<typeof setTimeout> | undefined;
  private running_: Running | null = null;
  private readonly patience_ = new Patience();
  private readonly watchdog_: Watchdog;
  // An outdated run that will soon be done, on a worker that is the spare after it: while a slider moves, its picture
  // is shown.
  private trailing_: { running: Running; limit: ReturnType<typeof setTimeout> } | null = null;
  private workload_: readonly string[] = []; // ids of the options that decide how long a run takes
  private took_ = new Map<string, number>(); // kind of run -> ms of the last one, from asking to the answer
  private nextId_ = 1;
  private resting_ = false; // the engine does not start: nothing is tried before somebody asks again
  private failedStarts_ = 0; // in a row, without an answer in between
  private crash_: CrashMessage | null = null; // asked for by a test, and not met yet

  constructor(private readonly settings: ClientSettings) {
    const { engineUrl, test, makeWorker, module = null } = settings;
    this.watchdog_ = new Watchdog((overdue) => settings.overdue?.(overdue));
    const start = { type: 'start', engineUrl, test, awaitsModule: module !== null } as const;
    const events = {
      began: (id: number) => {
        if (this.current_?.job.id === id) this.begun(this.current_.job);
      },
      part: ({ id, part }: PartMessage) => this.receivePart(id, part),
      answer: (message: AnswerMessage) => this.receive(message),
      died: (reason: string, log: readonly string[]) => this.died(reason, log),
      detachedAnswer: (message: AnswerMessage) => this.receiveTrailing(message),
      detachedDied: () => this.endTrailing({ kind: 'superseded' }),
    };
    this.workers_ = new WorkerPair(makeWorker, start, (request) => this.kindOf(request), events, module);
  }

  private get current_(): Running | null {
    return this.running_;
  }
  private set current_(running: Running | null) {
    this.running_ = running;
    this.watchdog_.reset();
  }

  // A worker that has done such a run stands by.
  get spareReady(): boolean {
    return this.workers_.spareReady;
  }

  catalog(): Promise<Outcome<Catalog>> {
    return this.ask('catalog', [], (json) => {
      const catalog = json as Catalog;
      this.workload_ = workloadOptions(catalog);
      this.patience_.catalog = catalog;
      return catalog;
    });
  }
  lint(text: string): Promise<Outcome<LintResult>> {
    return this.ask('lint', [text], (json) => json as LintResult);
  }
  run(text: string, options: RunAsked): Promise<Outcome<Report>> {
    return this.ask('run', [text, JSON.stringify(options)], (json) => readReport(json as WireReport), {
      text,
      options,
    });
  }
  // A run whose report is of no interest: what the engine keeps of it helps with the next one.
  rehearse(text: string, options: RunAsked): Promise<Outcome<null>> {
    return this.ask('run', [text, JSON.stringify(options)], () => null, { text, options }, true);
  }
  compare(text: string, runs: readonly RunAsked[]): Promise<Outcome<CompareResult>> {
    return this.ask('compare', [text, JSON.stringify({ runs })], (json) => readComparison(json as CompareAnswer));
  }

  decisionTrace(text: string): Promise<Outcome<DecisionTraceAnswer>> {
    return this.ask('decisionTrace', [text], (json) => json as DecisionTraceAnswer);
  }
  exportFile(text: string, options: RunAsked, what: string): Promise<Outcome<ExportedFile>> {
    return this.ask('export', [text, JSON.stringify(options), what], (json) => json as ExportedFile);
  }

  passes(text: string, options: RunAsked): Promise<Outcome<PassesResult>> {
    return this.ask('passes', [text, JSON.stringify({ ...options, ir: true })], (json) => json as PassesResult);
  }
  checkPasses(text: string, options: RunAsked): Promise<Outcome<PassChecks>> {
    return this.ask('checkPasses', [text, JSON.stringify(options)], (json) => json as PassChecks);
  }
  regret(text: string, options: RunAsked): Promise<Outcome<RegretResult>> {
    return this.ask('regret', [text, JSON.stringify(options)], (json) => json as RegretResult);
  }
  problem(text: string, options: RunAsked): Promise<Outcome<ProblemAnswer>> {
    return this.ask('problem', [text, JSON.stringify(options)], (json) => json as ProblemAnswer);
  }
  logFeed(bytes: Uint8Array): Promise<Outcome<unknown>> {
    return this.ask('logFeed', [bytes], (json) => json);
  }
  logEnd(): Promise<Outcome<PassLogAnswer>> {
    return this.ask('logEnd', [], (json) => json as PassLogAnswer);
  }
  logDump(bytes: Uint8Array): Promise<Outcome<DumpText>> {
    return this.ask('logDump', [bytes], (json) => json as DumpText);
  }
  profile(csv: string, request: string): Promise<Outcome<ProfileAnswer>> {
    return this.ask('profile', [csv, request], (json) => json as ProfileAnswer);
  }
  executePlan(text: string, options: RunAsked): Promise<Outcome<PlanExecution>> {
    return this.ask('executePlan', [text, JSON.stringify(options)], (json) => json as PlanExecution);
  }
  layout(request: string): Promise<Outcome<LabAnswer>> {
    return this.ask('layout', [request], (json) => json as LabAnswer);
  }

  // An overdue call gets as long again.
  wait(): void {
    this.watchdog_.wait();
  }

  // Asks another worker what is under way.
  repeat(): void {
    const running = this.current_;
    if (running !== null) this.askAnother(running.job);
  }

  // Ends what is running at once, with everything that waits.
  stop(): void {
    const jobs = this.dropJobs();
    this.workers_.replaceActive();
    for (const job of jobs) job.settle({ kind: 'stopped' });
  }

  // Like stop, for good: the workers are gone, and the client is of no use any more.
  end(): void {
    const jobs = this.dropJobs();
    clearTimeout(this.watch_);
    this.workers_.end();
    for (const job of jobs) job.settle({ kind: 'stopped' });
  }

  private dropJobs(): Job[] {
    this.endTrailing({ kind: 'stopped' });
    const jobs = [...(this.current_ ? [this.current_.job] : []), ...this.queue_];
    this.queue_ = [];
    this.current_ = null;
    return jobs;
  }

  // Makes sure that a started worker waits, and that it has done this run, or one that differs in a slider's value;
  // called when the page is idle.
  warmSpare(request: RunRequest | null = null): void {
    this.workers_.warmSpare(request);
  }

  // Tests only; the worker ignores it unless the page was opened with ?test=1. The next call of the kind whose answer
  // somebody waits for meets it, whichever worker gets that call.
  crashNext(call: Call, how: CrashMessage['how'] = 'die'): void {
    this.crash_ = { type: 'crash', call, how };
  }

  private ask<T>(
    call: Call,
    args: readonly (string | Uint8Array)[],
    read: (json: unknown) => T,
    request: RunRequest | null = null,
    quiet = false,
  ): Promise<Outcome<T>> {
    return new Promise((resolve) => {
      const settle = resolve as (outcome: Outcome<unknown>) => void;
      const job: Job = { request, id: this.nextId_++, call, args, settle, read, quiet };
      if (kLatestWins.has(call)) this.supersede(job);
      else this.queue_.push(job);
      this.pump();
    });
  }

  // The job takes the place of those that it outdates.
  private supersede(newest: Job): void {
    const { call } = newest;
    const outdates = (job: Job): boolean => job.call === call || (call === 'run' && kOutdatedByRun.has(job.call));
    const outdated = this.queue_.filter(outdates);
    this.queue_ = [...this.queue_.filter((job) => !outdates(job)), newest];
    for (const job of outdated) job.settle({ kind: 'superseded' });
    const running = this.current_;
    if (running === null || !outdates(running.job)) return;
    running.outdatedAt ??= performance.now();
    this.watchOutdated();
  }

  private watchOutdated(): void {
    clearTimeout(this.watch_);
    if (!this.cutOutdated()) this.watch_ = setTimeout(() => this.watchOutdated(), this.settings.graceMs ?? kGraceMs);
  }

  // Ends the running call if nobody waits for its answer any more: at once when it ran for long, else after its grace
  // when a spare stands by. Without one it may go on until the spare is ready: starting a worker and then waiting for
  // it would gain nothing. True when there is nothing left to do.
  private cutOutdated(): boolean {
    const running = this.current_;
    if (running === null || running.outdatedAt === null) return true;
    const now = performance.now();
    const impatient = now - running.since > (this.settings.patienceMs ?? kPatienceMs);
    if (!impatient && now - running.outdatedAt < (this.settings.graceMs ?? kGraceMs)) return false;
    if (!impatient && !this.workers_.spareReady) {
      this.workers_.ensureSpare();
      return false;
    }
    if (!impatient && this.isQuickMove(running.job)) {
      this.trail(running);
    } else {
      this.current_ = null;
      this.workers_.replaceActive();
      running.job.settle({ kind: 'superseded' });
      this.workers_.ensureSpare();
    }
    this.pump();
    return true;
  }

  // A slider moves: the run before, this one and the one that waits differ in a value alone, and the one before was
  // quick.
  private isQuickMove({ request }: Job): boolean {
    const next = this.queue_.find(({ call }) => call === 'run')?.request ?? null;
    return (
      request !== null &&
      next !== null &&
      (this.took_.get(this.kindOf(request)) ?? Infinity) < kQuickMs &&
      this.kindOf(next) === this.kindOf(request)
    );
  }

  // The spare takes over at once; the run before it gets a moment more.
  private trail(running: Running): void {
    const limit = setTimeout(() => this.endTrailing({ kind: 'superseded' }), kQuickMs);
    this.trailing_ = { running, limit };
    this.current_ = null;
    this.workers_.detachActive();
  }

  private endTrailing(outcome: Outcome<never>): void {
    if (this.trailing_ === null) return;
    const { running, limit } = this.trailing_;
    this.trailing_ = null;
    clearTimeout(limit);
    this.workers_.endDetached();
    running.job.settle(outcome);
  }

  private receiveTrailing(message: AnswerMessage): void {
    if (this.trailing_ === null) return;
    const { running, limit } = this.trailing_;
    if (message.id !== running.job.id) return;
    clearTimeout(limit);
    this.trailing_ = null;
    this.workers_.attach();
    running.job.settle(readAnswer(message, running));
  }

  private pump(): void {
    if (this.current_ !== null) return;
    const job = this.queue_.shift();
    if (job === undefined) return;
    if (this.resting_) this.workers_.replaceActive();
    this.resting_ = false;
    this.current_ = { job, joiner: new Joiner(), since: performance.now(), outdatedAt: null };
    if (this.crash_?.call === job.call && !job.quiet) this.workers_.post(this.crash_);
    this.workers_.post({
      type: 'call',
      id: job.id,
      call: job.call,
      args: job.args,
      ...(job.quiet ? { quiet: true } : {}),
    });
    this.listen(this.current_);
  }

  private receivePart(id: number, part: Part): void {
    const running = [this.current_, this.trailing_?.running].find((one) => one?.job.id === id);
    running?.joiner.add(part);
  }

  // A worker that does not even begin is replaced, and its call is repeated, once.
  private listen(running: Running): void {
    clearTimeout(this.silence_);
    this.silence_ = setTimeout(() => {
      if (this.current_ !== running) return;
      if (running.job.repeated === true) return this.died('the engine worker does not answer', []);
      this.askAnother({ ...running.job, repeated: true });
    }, this.settings.silenceMs ?? kSilenceMs);
  }

  private askAnother(job: Job): void {
    this.current_ = null;
    this.queue_.unshift(job);
    this.workers_.replaceActive();
    this.pump();
  }

  private begun({ call, args, quiet }: Job): void {
    clearTimeout(this.silence_);
    if (this.crash_?.call === call && !quiet) this.crash_ = null;
    this.watchdog_.begin(call, this.patience_.limit(call, args));
  }

  private receive(message: AnswerMessage): void {
    const running = this.current_;
    if (running === null || running.job.id !== message.id) return;
    this.current_ = null;
    clearTimeout(this.silence_);
    this.failedStarts_ = 0;
    this.noteTime(running);
    this.patience_.note(running.job.call, running.job.args, message.ms);
    const outcome = readAnswer(message, running);
    // Drawing is a task of its own.
    if (running.joiner.used) setTimeout(() => running.job.settle(outcome), 0);
    else running.job.settle(outcome);
    this.pump();
  }

  private noteTime({ job, since }: Running): void {
    if (job.request === null) return;
    if (this.took_.size > kKindsKept) this.took_.clear();
    this.took_.set(this.kindOf(job.request), performance.now() - since);
  }

  private died(reason: string, log: readonly string[]): void {
    const running = this.current_;
    this.current_ = null;
    this.failedStarts_++;
    const givingUp = this.failedStarts_ >= kFailedStartsAllowed;
    this.resting_ = givingUp;
    const waiting = givingUp ? this.queue_ : [];
    if (givingUp) this.queue_ = [];
    else this.workers_.replaceActive();
    const failure: Outcome<unknown> = { kind: 'failed', reason, log };
    running?.job.settle(failure);
    for (const job of waiting) job.settle(failure);
    this.pump();
  }

  // Runs of one kind differ in a slider's value: they take about as long, and what a worker keeps of one helps with
  // the next.
  private kindOf({ text, options }: RunRequest): string {
    return JSON.stringify([this.workload_.map((id) => options[id] ?? null), text]);
  }
}

function readAnswer({ json, ms }: AnswerMessage, { job, joiner }: Running): Outcome<unknown> {
  try {
    return { kind: 'done', value: job.read(joiner.join(json)), ms };
  } catch (error) {
    return {
      kind: 'failed',
      reason: `the engine’s answer cannot be read: ${String(error)}`,
      log: [json.slice(0, 200)],
    };
  }
}
