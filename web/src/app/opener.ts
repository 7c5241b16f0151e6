// Brings a graph, a plan, a trace or a log into the page, from wherever it comes.

import type { EngineClient } from '../engine/client';
import { looksLikeDecisionTrace } from '../model/beam_trace';
import { readPlanText } from '../model/plan';
import { looksLikeProfile } from '../model/profile';
import type { Action, AppState } from '../model/state';
import { decodeFragment, kStateMark, type SharedState } from '../model/url';
import { kMaxTextBytes, loadFile, loadMade, loadSample, loadUrl, tooLarge, type Loaded } from './load';
import type { LogReader } from './log_reader';

// What the opener needs of the page.
export interface OpenerPage {
  readonly client: EngineClient;
  readonly logs: LogReader;
  readonly state: () => AppState;
  readonly dispatch: (action: Action) => void;
  readonly flush: () => void; // of what was typed in the editor
  readonly openShared: (shared: SharedState) => Promise<void>;
}

export class Opener {
  constructor(private readonly page: OpenerPage) {}

  private notice(severity: 'error' | 'warning' | 'info', text: string): void {
    this.page.dispatch({ type: 'notice', severity, text });
  }

  private take(loaded: Loaded<string>, origin: AppState['source']['origin'], keepForced = false): void {
    if (loaded.kind === 'problem') this.notice('error', loaded.text);
    else if (loaded.value.startsWith(kStateMark)) void this.openState(loaded.value);
    else if (looksLikeDecisionTrace(loaded.value))
      void this.openTrace(
        loaded.value,
        origin.kind === 'file' ? origin.name : origin.kind === 'url' ? origin.url : 'decision trace',
      );
    else if (looksLikeProfile(loaded.value))
      this.page.dispatch({
        type: 'profile',
        profile: { name: (origin.kind === 'file' ? origin.name : 'profile').slice(0, 200), text: loaded.value },
      });
    else if (!this.takePlan(loaded.value)) {
      this.page.dispatch({ type: 'load', text: loaded.value, origin, keepForced });
      // A log tells of another graph: the file itself is shown, or why it cannot be read.
      const behind = origin.kind === 'file' && this.page.state().view.main === 'log';
      if (behind) this.page.dispatch({ type: 'view', view: { main: 'schedule' } });
    }
  }

  // A file that the Export menu made.
  private async openState(text: string): Promise<void> {
    const decoded = await decodeFragment(text.slice(kStateMark.length).trim());
    if (decoded.kind === 'state') await this.page.openShared(decoded.state);
    else this.notice('error', decoded.kind === 'problem' ? decoded.text.replace('link', 'file') : 'The file is empty.');
  }

  // A plan is carried out on the graph that is there.
  private takePlan(text: string): boolean {
    const plan = readPlanText(text);
    if (plan !== null) this.page.dispatch({ type: 'plan', plan });
    return plan !== null;
  }

  async openSample(id: string, keepForced = false): Promise<void> {
    const sample = this.page.state().samples.find((candidate) => candidate.id === id);
    if (sample === undefined) return this.notice('error', `There is no sample “${id.slice(0, 100)}”.`);
    const [loaded, report] = await Promise.all([loadSample(sample), this.mayBeMade() ? loadMade(sample) : null]);
    this.page.flush();
    if (loaded.kind === 'ok' && report !== null && this.mayBeMade())
      this.page.dispatch({ type: 'load', text: loaded.value, origin: { kind: 'sample', id }, keepForced, report });
    else this.take(loaded, { kind: 'sample', id }, keepForced);
  }

  // While the engine is not there yet, its answer without options may be, from when the page was built.
  private mayBeMade(): boolean {
    const { engine, options, plan } = this.page.state();
    return engine === 'starting' && Object.keys(options).length === 0 && plan === null;
  }

  async openUrl(url: string, keepForced = false): Promise<void> {
    this.take(await loadUrl(url), { kind: 'url', url }, keepForced);
  }

  async openFile(file: File): Promise<void> {
    performance.mark('tessera-drop');
    if (await this.page.logs.take(file)) return;
    const loaded = await loadFile(file);
    this.page.flush();
    this.take(loaded, { kind: 'file', name: file.name });
  }

  // Shown beside the graph, which it does not replace: a trace has none.
  async openTrace(text: string, name: string): Promise<void> {
    const outcome = await this.page.client.decisionTrace(text);
    if (outcome.kind === 'done')
      this.page.dispatch({ type: 'trace-opened', opened: { name: name.slice(0, 200), answer: outcome.value } });
    else if (outcome.kind === 'failed')
      this.page.dispatch({
        type: 'notice',
        severity: 'error',
        text: 'The decision trace could not be read.',
        detail: [outcome.reason, ...outcome.log].join('\n'),
      });
  }

  openText(text: string): void {
    if (text.length > kMaxTextBytes) return this.notice('error', tooLarge('The dropped text', text.length));
    if (looksLikeDecisionTrace(text)) return void this.openTrace(text, 'dropped text');
    if (this.takePlan(text)) return;
    this.page.flush();
    this.page.dispatch({ type: 'load', text, origin: { kind: 'typed' } });
  }

  pickFile(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.onchange = () => {
      const file = input.files?.[0];
      if (file !== undefined) void this.openFile(file);
    };
    input.click();
  }
}
