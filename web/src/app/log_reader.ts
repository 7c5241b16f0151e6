// Reads logs of the compiler's passes, of any length: the worker is fed piece by piece, and only what is looked at is
// read again. The files stay where they are.

import type { EngineClient } from '../engine/client';
import type { OpenedLog } from '../model/opened_log';
import type { Action } from '../model/state';
import type { DroppedFile } from './drop';
import { kMaxTextBytes } from './load';
import { followedOps, locationOps } from '../passes/locations';

const kPiece = 4 * 1024 * 1024; // bytes read at a time
const kHead = 1024 * 1024; // bytes that are looked at to tell a log
const kMarker = /^\/\/ -----\/\/ IR Dump /m;
const kMostFollowed = 256 * 1024 * 1024; // bytes of dumps that are read for one location

const beginsLikeLog = async (file: Blob): Promise<boolean> => kMarker.test(await file.slice(0, kHead).text());

// A folder of --mlir-print-ir-tree-dir as one log: its files are named "0_1_ttnn-layout.mlir" after the pass and its
// place among the others, and their folder after the op, "func_func_main".
export async function joinTree(files: readonly DroppedFile[]): Promise<File | null> {
  const dumps = files.flatMap(({ path, file }) => {
    const parts = path.split('/').filter((part) => part !== '');
    const named = /^((?:\d+_)+)(.+)\.mlir$/.exec(parts.at(-1) ?? '');
    if (named === null) return [];
    const order = named[1]!.split('_').slice(0, -1).map(Number);
    const [, operation = 'builtin_module', symbol = ''] =
      /^(func_func|builtin_module)_?(.*)$/.exec(parts.at(-2) ?? '') ?? [];
    return [{ order, pass: named[2]!, operation: operation.replace('_', '.'), symbol, file }];
  });
  const earlier = (a: readonly number[], b: readonly number[]): number => {
    for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
    return b.length - a.length; // passes of a nested pipeline come before what follows the pipeline
  };
  dumps.sort((a, b) => earlier(a.order, b.order));
  if (dumps.length === 0) return null;
  const pieces = dumps.flatMap(({ pass, operation, symbol, file }) => [
    `// -----// IR Dump After ${pass} (${pass}) ('${operation}' operation: @${symbol}) //----- //\n`,
    file,
    '\n',
  ]);
  return new File(pieces, `${dumps.length} dumps of passes`);
}

export class LogReader {
  private client_: EngineClient | null = null;
  private file_: File | null = null;
  private opened_: OpenedLog | null = null;
  private asked_ = 0; // the newest request

  constructor(
    private readonly makeClient: () => EngineClient,
    private readonly dispatch: (action: Action) => void,
  ) {}

  // True when the file is a log: it is shown, and the state that it amounts to is run.
  async take(file: File): Promise<boolean> {
    if (file.size <= kMaxTextBytes && !(await beginsLikeLog(file))) return false;
    const text = await this.open(file);
    if (text !== null && text !== '') this.dispatch({ type: 'load', text, origin: { kind: 'file', name: file.name } });
    return text !== null;
  }

  async takeFolder(files: readonly DroppedFile[]): Promise<void> {
    const log = await joinTree(files);
    if (log !== null) return void (await this.take(log));
    const text = 'The folder has no dumps of --mlir-print-ir-tree-dir.';
    this.dispatch({ type: 'notice', severity: 'error', text });
  }

  // The text of the state that the log amounts to; '' when it has none, null when it is no log.
  private async open(file: File): Promise<string | null> {
    const mine = ++this.asked_;
    this.client_?.end();
    const client = (this.client_ = this.makeClient());
    this.file_ = file;
    this.tell({ name: file.name, bytes: file.size, read: 0, answer: null, chosen: -1, texts: null, followed: null });
    for (let at = 0; at < file.size; at += kPiece) {
      const bytes = new Uint8Array(await file.slice(at, at + kPiece).arrayBuffer());
      const fed = await client.logFeed(bytes);
      if (mine !== this.asked_) return '';
      if (fed.kind !== 'done') return this.fail('the engine stopped');
      this.tell({ ...this.opened_!, read: Math.min(file.size, at + kPiece) });
    }
    const outcome = await client.logEnd();
    if (mine !== this.asked_) return '';
    if (outcome.kind !== 'done') return this.fail('the engine stopped');
    const answer = outcome.value;
    if (answer.dumps.length === 0) return this.fail('');
    this.tell({ ...this.opened_!, read: file.size, answer });
    const first = answer.passes.findIndex(({ changed, before }) => changed && before >= 0);
    void this.choose(Math.max(first, 0));
    return answer.state < 0 ? '' : this.text(answer.state);
  }

  // The state before and after a pass.
  async choose(pass: number): Promise<void> {
    const answer = this.opened_?.answer;
    const run = answer?.passes[pass];
    if (answer == null || run === undefined) return;
    const mine = ++this.asked_;
    this.tell({ ...this.opened_!, chosen: pass, texts: null });
    const before = run.before >= 0 ? run.before : this.previous(pass);
    const texts = { before: await this.text(before), after: await this.text(run.after) };
    if (mine === this.asked_) this.tell({ ...this.opened_!, texts });
  }

  // The ops that carry a location, after every pass that changed something.
  async follow(location: string): Promise<void> {
    const answer = this.opened_?.answer;
    if (answer == null) return;
    const mine = ++this.asked_;
    const steps = [];
    let bytes = 0;
    for (const [pass, run] of answer.passes.entries()) {
      if (!run.changed || run.after < 0) continue;
      const dump = answer.dumps[run.after]!;
      bytes += dump.end - dump.begin;
      if (bytes > kMostFollowed) break;
      const ops = locationOps(await this.text(run.after)).get(location) ?? [];
      if (mine !== this.asked_) return;
      steps.push({ pass, ops });
    }
    this.tell({ ...this.opened_!, followed: { location, steps: followedOps(steps) } });
  }

  // The state of the same op that was dumped last before a pass.
  private previous(pass: number): number {
    const { passes } = this.opened_!.answer!;
    const { operation, symbol } = passes[pass]!;
    for (let at = pass - 1; at >= 0; at--)
      if (passes[at]!.operation === operation && passes[at]!.symbol === symbol && passes[at]!.after >= 0)
        return passes[at]!.after;
    return -1;
  }

  private async text(index: number): Promise<string> {
    const dump = this.opened_?.answer?.dumps[index];
    if (dump === undefined || this.file_ === null || this.client_ === null) return '';
    const bytes = new Uint8Array(await this.file_.slice(dump.begin, dump.end).arrayBuffer());
    const outcome = await this.client_.logDump(bytes);
    return outcome.kind === 'done' ? outcome.value.text : '';
  }

  private fail(reason: string): null {
    this.opened_ = null;
    this.dispatch({ type: 'log', log: null });
    if (reason !== '')
      this.dispatch({ type: 'notice', severity: 'error', text: `The log could not be read: ${reason}.` });
    return null;
  }

  private tell(log: OpenedLog): void {
    this.opened_ = log;
    this.dispatch({ type: 'log', log });
  }
}
