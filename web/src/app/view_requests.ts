// What only one view needs (a comparison, a trace, the passes) is asked for while that view is looked at, so that the
// main report stays small and comes first.

import type { EngineClient, Outcome } from '../engine/client';
import type { CertificateCheck } from '../model/exact';
import type { Action, AnswerName, Answers, AppState } from '../model/state';
import { askedRun } from '../model/plan';
import { failureText } from './failure';
import type { Question, QuestionOf } from './question';
import { viewOf } from './views';

const kPauseMs = 200; // after the last change

const equal = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((one, at) => one === b[at]) : a === b;

const aboutOf = ({ dependsOn }: Question, state: AppState): readonly unknown[] => [
  state.source.text,
  askedRun(state),
  ...[dependsOn?.(state)].flat(),
];

const hasSubject = ({ alone }: Question, state: AppState): boolean => alone === true || state.source.text.trim() !== '';

export class ViewRequests {
  private timer_ = 0;
  private asked_ = 0; // the newest request of any view; an older one's answer is dropped
  private readonly about_ = new Map<AnswerName, readonly unknown[]>(); // what the answers are about

  constructor(
    private readonly client: EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  follow(before: AppState, after: AppState, inputsChanged: boolean): void {
    const { question } = viewOf(after);
    if (question === undefined || after.catalog === null) return;
    const opened = before.view.main !== after.view.main || before.catalog === null;
    const moreChanged = !equal(question.dependsOn?.(before), question.dependsOn?.(after));
    if (!opened && !inputsChanged && !moreChanged) return;
    window.clearTimeout(this.timer_);
    // A view that is opened does not begin with what was true of another graph or run, and does not ask for what it
    // has; one that is looked at keeps its picture until the next is there.
    const { what } = question;
    const outdated = opened && !equal(this.about_.get(what), aboutOf(question, after));
    if (opened && !outdated && after.answers[what].value !== null) return;
    this.timer_ = window.setTimeout(() => void this.askQuestion(question), kPauseMs);
    if (outdated && hasSubject(question, after))
      queueMicrotask(() => this.dispatch({ type: 'asked', what, forget: true }));
  }

  private async askQuestion<K extends AnswerName>(question: QuestionOf<K> & Question): Promise<void> {
    const state = this.state();
    if (!hasSubject(question, state)) return;
    const { what } = question;
    this.dispatch({ type: 'asked', what, forget: question.forget === true });
    if (question.applies?.(state) === false) return this.answered(what, null);
    const outcome = await this.newest<Answers[K] | null>(
      (question as QuestionOf<K>).ask(state, this.client),
      question.failure,
    );
    if (outcome?.kind === 'done') this.about_.set(what, aboutOf(question, state));
    if (outcome !== null) this.answered(what, outcome.kind === 'done' ? outcome.value : null);
  }

  private answered<K extends AnswerName>(what: K, value: Answers[K] | null): void {
    this.dispatch({ type: 'answered', what, value } as Action);
  }

  // Asked for by a button. The checker is part of the page and shares no code with the engine; it comes when it is
  // needed.
  async checkCertificate(): Promise<void> {
    const { source } = this.state();
    const options = askedRun(this.state());
    const report = (check: CertificateCheck): void => {
      if (this.state().source.text === source.text && askedRun(this.state()) === options)
        this.dispatch({ type: 'certificate', check });
    };
    report({ kind: 'checking' });
    const outcome = await this.client.exportFile(source.text, options, 'certificate');
    if (outcome.kind === 'failed') return report({ kind: 'none', reason: outcome.reason });
    if (outcome.kind !== 'done') return report({ kind: 'none', reason: 'The check was stopped.' });
    if (outcome.value.content === null) return report({ kind: 'none', reason: 'This run has no certificate.' });
    const { checkCertificate } = await import('../certificate/check');
    const verdict = checkCertificate(outcome.value.content);
    report({
      kind: 'checked',
      valid: verdict.valid,
      reason: verdict.reason,
      cost: Number(verdict.cost ?? -1n),
      lowerBound: Number(verdict.lowerBound ?? -1n),
    });
  }

  // Asked for by a button, of an engine that is loaded for it: it executes the graph and takes longer than the rest.
  async checkPasses(): Promise<void> {
    const { source, options } = this.state();
    this.dispatch({ type: 'asked', what: 'passChecks', forget: true });
    const { moduleClient } = await import('../engine/module_client');
    const outcome = await moduleClient('tessera_full').checkPasses(source.text, options);
    if (outcome.kind === 'superseded') return;
    const current = this.state().source.text === source.text && this.state().options === options;
    this.answered('passChecks', outcome.kind === 'done' && current ? outcome.value.checks : null);
    if (outcome.kind === 'failed') this.reportFailure('The passes could not be checked.', outcome);
  }

  // Asked for by a button, of an engine that is loaded for it.
  async executePlan(): Promise<void> {
    const before = this.state();
    const asked = askedRun(before);
    this.dispatch({ type: 'asked', what: 'execution', forget: true });
    const { moduleClient } = await import('../engine/module_client');
    const outcome = await moduleClient('tessera_full').executePlan(before.source.text, asked);
    if (outcome.kind === 'superseded') return;
    const current = this.state().source.text === before.source.text && askedRun(this.state()) === asked;
    this.answered('execution', outcome.kind === 'done' && current ? outcome.value : null);
    if (outcome.kind === 'failed') this.reportFailure('The plan could not be executed.', outcome);
  }

  // The outcome, or null when a newer request has been made in the meantime: its answer will come.
  private async newest<T>(answer: Promise<Outcome<T>>, failure: string): Promise<Outcome<T> | null> {
    const mine = ++this.asked_;
    const outcome = await answer;
    if (outcome.kind === 'failed') this.reportFailure(failure, outcome);
    return mine === this.asked_ ? outcome : null;
  }

  private reportFailure(text: string, outcome: { reason: string; log: readonly string[] }): void {
    this.dispatch({
      type: 'notice',
      severity: 'error',
      text: failureText(outcome, this.state().source, text),
      detail: [outcome.reason, ...outcome.log].join('\n'),
    });
  }
}
