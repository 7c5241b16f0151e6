// Runs a study in the background: one worker knows the study, others do its runs. What is finished stays finished: a
// study that was stopped goes on where it was.

import type { Options } from '../model/option_values';
import type { ProblemAnswer } from '../model/generated/problem_answer';
import type { Study, StudyArguments } from '../model/generated/study';
import { kMostStudyBytes, type StudyFile } from './study_files';
import type { StudyData } from './study_model';
import { makeSandbox, planOf, type LabPolicy } from './study_policy';
import { StudyWorker } from './study_worker';

export interface StudyAsked {
  readonly arguments: Partial<Pick<StudyArguments, 'policies' | 'devices' | 'axes'>>;
  readonly lab: LabPolicy | null;
}

// A run as the study's module lists it.
export interface ListedRun {
  readonly key: string;
  readonly path: string;
  readonly graph: string;
  readonly policy: string;
  readonly group: number;
  readonly options: Options;
}

export interface StudyState {
  readonly phase: 'idle' | 'reading' | 'running' | 'stopped' | 'done';
  readonly done: number;
  readonly total: number; // runs; of files while they are read
  readonly leftMs: number; // estimated; -1: not known
  readonly mistake: string; // why there is no study
  readonly skipped: readonly string[]; // files that hold no graph, with the reason
}

const kIdle: StudyState = { phase: 'idle', done: 0, total: 0, leftMs: -1, mistake: '', skipped: [] };
const kRefreshMs = 1000;
const kTimeLimitMs = 120_000;
const kStopped = 'stopped';
// The engine of the page keeps a processor of its own.
const workerCount = (): number => Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

interface Begun {
  readonly mistake: string;
  readonly runs: readonly ListedRun[];
}

export class StudyRunner extends EventTarget {
  state: StudyState = kIdle;
  data: StudyData | null = null;
  runs: readonly ListedRun[] = [];
  readonly plans = new Map<string, unknown>(); // of the lab's policy, by key of the run
  private desk_: StudyWorker | null = null;
  private deskCalls_: Promise<unknown> = Promise.resolve();
  private workers_ = new Set<StudyWorker>();
  private readonly finished_ = new Set<string>(); // keys
  private files_ = new Map<string, StudyFile>();
  private lab_: LabPolicy | null = null;
  private mine_ = 0; // the newest start; an older one ends
  private began_ = 0;
  private refreshing_ = false;

  private tell(state: Partial<StudyState>): void {
    this.state = { ...this.state, ...state };
    this.dispatchEvent(new Event('change'));
  }

  fileOf(path: string): StudyFile | undefined {
    return this.files_.get(path);
  }

  // A study that was made before: it is shown until another one runs.
  show(data: StudyData, runs: readonly ListedRun[], files: readonly StudyFile[]): void {
    this.data = data;
    this.runs = runs;
    this.files_ = new Map(files.map((file) => [file.path, file]));
    this.tell({ phase: 'idle' });
  }

  async start(files: readonly StudyFile[], asked: StudyAsked): Promise<void> {
    const mine = ++this.mine_;
    this.endWorkers();
    this.lab_ = asked.lab;
    this.files_ = new Map(files.map((file) => [file.path, file]));
    this.tell({ ...kIdle, phase: 'reading', total: files.length });
    const graphs = await this.describe(files, mine);
    if (mine !== this.mine_) return;
    const outside = asked.lab === null ? [] : [{ name: asked.lab.name, hash: await this.hashOf(asked.lab.code) }];
    const request = { arguments: { ...asked.arguments, outside, timeLimit: kTimeLimitMs }, graphs, build: 'page' };
    const begun = (await this.desk('studyBegin', JSON.stringify(request))) as Begun;
    if (mine !== this.mine_) return;
    if (begun.mistake !== '' || graphs.length === 0)
      return this.tell({ phase: 'done', mistake: begun.mistake || 'None of the files holds a graph.' });
    this.runs = begun.runs;
    await this.work(mine);
  }

  // Ends what is running; what is finished is kept.
  stop(): void {
    if (this.state.phase !== 'running' && this.state.phase !== 'reading') return;
    const read = this.state.phase === 'reading';
    ++this.mine_;
    this.endWorkers();
    this.tell({ phase: read ? 'idle' : 'stopped', leftMs: -1 });
    if (!read) void this.refresh();
  }

  resume(): Promise<void> {
    return this.work(++this.mine_);
  }

  async file(name: string): Promise<string> {
    const page =
      name === 'study.html' ? await (await fetch(new URL('study-report.html', document.baseURI))).text() : '';
    const answer = (await this.desk('studyFile', name, page)) as { readonly text: string | null };
    return answer.text ?? '';
  }

  private endWorkers(): void {
    for (const worker of this.workers_) worker.end(kStopped);
    this.workers_.clear();
  }

  // Calls of the desk wait for each other; when it died, what it knew is gone.
  private desk(...call: Parameters<StudyWorker['call']>): Promise<unknown> {
    const answer = this.deskCalls_.then(() => {
      if (this.desk_?.alive !== true) {
        this.desk_ = new StudyWorker();
        this.finished_.clear();
      }
      return this.desk_.call(...call);
    });
    this.deskCalls_ = answer.catch(() => {});
    return answer;
  }

  private async hashOf(text: string): Promise<string> {
    return ((await this.desk('studyGraph', 'policy.js', text)) as { readonly hash: string }).hash;
  }

  private async describe(files: readonly StudyFile[], mine: number): Promise<readonly unknown[]> {
    const graphs: unknown[] = [];
    const skip = (file: StudyFile, why: string): void =>
      this.tell({ skipped: [...this.state.skipped, `${file.path}: ${why}`] });
    for (const [index, file] of files.entries()) {
      if (mine !== this.mine_) return [];
      this.tell({ done: index });
      const text = await file.load().catch(() => null);
      if (text === null) skip(file, 'cannot be read');
      else if (text.length > kMostStudyBytes) skip(file, 'is too large for the page');
      else {
        const found = (await this.desk('studyGraph', file.path, text)) as { readonly graph: boolean };
        if (found.graph) graphs.push({ ...found, path: file.path });
        else skip(file, 'holds no graph');
      }
    }
    return graphs;
  }

  private async work(mine: number): Promise<void> {
    const missing = this.runs.filter(({ key }) => !this.finished_.has(key));
    const byGroup = new Map<number, ListedRun[]>();
    for (const run of missing) byGroup.set(run.group, [...(byGroup.get(run.group) ?? []), run]);
    const groups = [...byGroup.values()];
    const total = this.runs.length;
    const before = total - missing.length;
    this.began_ = performance.now();
    this.tell({ phase: 'running', done: before, total, leftMs: -1, mistake: '' });
    const done = (): void => {
      const now = this.state.done + 1;
      const spent = performance.now() - this.began_;
      this.tell({ done: now, leftMs: now - before < 8 ? -1 : (spent / (now - before)) * (total - now) });
      void this.refreshLater(mine);
    };
    const lanes = Math.min(workerCount(), groups.length);
    await Promise.all(Array.from({ length: lanes }, () => this.lane(groups, mine, done)));
    if (mine !== this.mine_) return;
    this.endWorkers();
    await this.refresh();
    if (mine === this.mine_) this.tell({ phase: 'done', leftMs: -1 });
  }

  // Does one group after the other, with a worker and, for the lab's policy, a sandbox of its own.
  private async lane(groups: (readonly ListedRun[])[], mine: number, done: () => void): Promise<void> {
    const sandbox = makeSandbox();
    let worker: StudyWorker | null = null;
    for (let group = groups.shift(); group !== undefined && mine === this.mine_; group = groups.shift()) {
      const text =
        (await this.files_
          .get(group[0]!.path)
          ?.load()
          .catch(() => null)) ?? null;
      for (const run of group) {
        if (mine !== this.mine_) break;
        if (worker?.alive !== true) this.workers_.add((worker = new StudyWorker()));
        await this.doRun(run, text, worker, sandbox, mine);
        if (mine !== this.mine_) break;
        this.finished_.add(run.key);
        done();
      }
    }
    sandbox.end();
    if (worker !== null) {
      worker.end(kStopped);
      this.workers_.delete(worker);
    }
  }

  private async doRun(
    run: ListedRun,
    text: string | null,
    worker: StudyWorker,
    sandbox: ReturnType<typeof makeSandbox>,
    mine: number,
  ): Promise<void> {
    if (text === null) return void (await this.desk('studyFail', run.key, 'refused', 'cannot be read any more'));
    const late = `took longer than ${kTimeLimitMs / 1000} s`;
    const limit = setTimeout(() => worker.end(late), kTimeLimitMs);
    try {
      const plan = this.lab_?.name === run.policy ? await this.decide(run, text, worker, sandbox) : undefined;
      const kept = await worker.call('studyRun', run.graph, text, JSON.stringify({ ...run, plan }));
      if (mine === this.mine_) await this.desk('studyKeep', run.key, JSON.stringify(kept));
    } catch (error) {
      if (mine !== this.mine_) return;
      const reason = error instanceof Error ? error.message : String(error);
      const status = worker.alive ? 'refused' : reason === late ? 'time limit' : 'crashed';
      await this.desk('studyFail', run.key, status, reason);
    } finally {
      clearTimeout(limit);
    }
  }

  private async decide(
    run: ListedRun,
    text: string,
    worker: StudyWorker,
    sandbox: ReturnType<typeof makeSandbox>,
  ): Promise<unknown> {
    const { problem, diagnostics } = (await worker.call('problem', text, JSON.stringify(run.options))) as ProblemAnswer;
    if (problem === null) throw new Error(diagnostics.find(({ severity }) => severity === 'error')?.message ?? '');
    const plan = await planOf(sandbox, this.lab_!.code, problem);
    this.plans.set(run.key, plan);
    return plan;
  }

  private async refreshLater(mine: number): Promise<void> {
    if (this.refreshing_) return;
    this.refreshing_ = true;
    await new Promise((resolve) => setTimeout(resolve, kRefreshMs));
    this.refreshing_ = false;
    if (mine === this.mine_ && this.state.phase === 'running') await this.refresh();
  }

  private async refresh(): Promise<void> {
    const { study, costs } = (await this.desk('study')) as { readonly study: Study; readonly costs: readonly number[] };
    this.data = { study, costs };
    this.tell({});
  }
}
