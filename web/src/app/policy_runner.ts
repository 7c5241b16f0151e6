// Runs the policy that a person wrote: asks for the problem, lets the sandbox decide, and hands the plan on like any
// other. With an engine of its own, so that no run waits for it.

import type { EngineClient } from '../engine/client';
import { problemOptions } from '../model/policy_asked';
import { cellOf, type PolicyCell, type PolicyRow, type PolicyTable, type SandboxAnswer } from '../model/policy_lab';
import { kForcedOption } from '../model/forced';
import { asPlan, kFunction, kPolicy, kReoptimize, type PlanInUse } from '../model/plan';
import type { RunAsked } from '../model/option_values';
import type { Action, AppState } from '../model/state';
import { hasTrait, provingPolicy } from '../model/traits';
import { kStart } from '../policylab/starting_policy';
import { Sandbox, type SandboxWorker } from '../policylab/sandbox';
import { loadSample } from './load';

interface Problem {
  readonly json: string; // '' when there is none
  readonly reason: string; // then
  readonly options: unknown; // that it was asked with: the plan repeats them
}

interface Made {
  readonly answer: SandboxAnswer;
  readonly plan: PlanInUse | null;
}

export class PolicyRunner {
  private client_: EngineClient | null = null;
  private sandbox_: Sandbox | null = null;
  private problem_: Promise<Problem> | null = null;
  private problemOf_ = '';
  private runs_ = 0; // the newest request

  constructor(
    private readonly makeClient: () => EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
  ) {}

  // While the view is looked at: everything is loaded when it opens, and the problem asked for when the graph is there.
  follow(before: AppState, after: AppState): void {
    if (after.running || after.report?.run == null) return;
    if (before.view.main === after.view.main && before.report === after.report && before.running === after.running)
      return;
    this.sandbox().warm();
    void this.problem(after.source.text, problemOptions(after)).then(({ json }) => {
      if (json !== '') this.sandbox().prepare(json);
    });
  }

  run(where: 'here' | 'everywhere'): Promise<void> {
    return where === 'here' ? this.runHere() : this.runEverywhere();
  }

  private async runHere(): Promise<void> {
    const state = this.state();
    const mine = ++this.runs_;
    performance.mark('tessera-policy-asked');
    this.dispatch({ type: 'policy', policy: { busy: true } });
    const { answer, plan } = await this.decide(state.source.text, problemOptions(state));
    if (mine !== this.runs_) return;
    this.dispatch({ type: 'policy', policy: { busy: false, answer } });
    if (plan !== null) this.dispatch({ type: 'plan', plan });
  }

  stop(): void {
    this.runs_++;
    this.sandbox_?.stop('stopped');
    this.client_?.stop();
    const { table } = this.state().policyLab;
    this.dispatch({
      type: 'policy',
      policy: { busy: false, table: table === null ? null : { ...table, busy: false } },
    });
  }

  // Over all graphs that were dropped in this visit, the present one, and all samples.
  private async runEverywhere(): Promise<void> {
    const state = this.state();
    const mine = ++this.runs_;
    const policies = (state.catalog?.policies ?? []).filter(({ id }) => !hasTrait(state.catalog, id, 'as-it-stands'));
    const { origin, text } = state.source;
    const known = origin.kind === 'sample' || text.trim() === '' || state.visited.some((one) => one.text === text);
    const edited = known ? [] : [{ title: 'Edited graph', text }];
    const own = [...state.visited, ...edited].map((graph) => ({ title: graph.title, load: async () => graph.text }));
    const samples = state.samples.map((sample) => ({
      title: sample.title,
      load: async (): Promise<string | null> => {
        const loaded = await loadSample(sample);
        return loaded.kind === 'ok' ? loaded.value : null;
      },
    }));
    const graphs = [...own, ...samples];
    const columns = ['Yours', ...policies.map(({ title }) => title)];
    let rows: readonly PolicyRow[] = [];
    const tell = (busy: boolean): void => {
      const table: PolicyTable = { columns, rows, total: graphs.length, busy };
      this.dispatch({ type: 'policy', policy: { busy, table } });
    };
    tell(true);
    for (const graph of graphs) {
      const source = await graph.load();
      const row =
        source === null
          ? null
          : await this.row(
              graph.title,
              source,
              policies.map(({ id }) => id),
            );
      if (mine !== this.runs_) return;
      if (row !== null) rows = [...rows, row];
      tell(graph !== graphs.at(-1));
    }
  }

  private async row(title: string, text: string, policies: readonly string[]): Promise<PolicyRow> {
    const state = this.state();
    // It is not known yet whether the graph carries layouts; to one that does not it means nothing.
    const { [kFunction]: _, [kForcedOption]: __, ...others } = problemOptions(state); // these name what is in one graph
    const asked = text === state.source.text ? problemOptions(state) : others;
    const options = { ...asked, [kReoptimize]: true };
    const { answer, plan } = await this.decide(text, options);
    const own: PolicyCell =
      plan === null
        ? { time: 0, problem: answer.error?.message ?? 'no plan' }
        : await this.time(text, { ...options, plan: plan.plan });
    const compared = await this.client().compare(
      text,
      policies.map((policy) => ({ ...options, [kPolicy]: policy })),
    );
    const reports = compared.kind === 'done' ? compared.value.runs : [];
    const proving = reports[policies.indexOf(provingPolicy(state.catalog)?.id ?? '')]?.run?.exact;
    return {
      title,
      bound: proving?.lowerBound ?? 0,
      proven: proving?.proven === true,
      cells: [own, ...reports.map(cellOf)],
    };
  }

  private async time(text: string, asked: RunAsked): Promise<PolicyCell> {
    const outcome = await this.client().run(text, asked);
    return outcome.kind === 'done' ? cellOf(outcome.value) : { time: 0, problem: 'the run did not end' };
  }

  private async decide(text: string, options: RunAsked): Promise<Made> {
    const problem = await this.problem(text, options);
    const failed = (message: string, log: readonly string[] = [], ms = 0): Made => ({
      answer: { id: -1, plan: null, error: { message, line: 0, column: 0 }, log, ms },
      plan: null,
    });
    if (problem.json === '') return failed(problem.reason);
    const answer = await this.sandbox().run(this.state().policyLab.code ?? kStart, problem.json);
    if (answer.plan === null) return { answer, plan: null };
    const json = JSON.parse(answer.plan) as Readonly<Record<string, unknown>>;
    // What the problem says about itself the plan repeats, whether its author thought of it or not.
    const plan = asPlan({ options: problem.options, ...json });
    if (plan === null)
      return failed('decide(problem) returned no plan: it has no schema 1, or decides nothing', answer.log, answer.ms);
    return { answer: { ...answer, plan: null }, plan };
  }

  private problem(text: string, options: RunAsked): Promise<Problem> {
    const of = `${JSON.stringify(options)}\n${text}`;
    if (this.problem_ !== null && this.problemOf_ === of) return this.problem_;
    this.problemOf_ = of;
    this.problem_ = this.client()
      .problem(text, options)
      .then((outcome): Problem => {
        if (outcome.kind === 'done' && outcome.value.problem !== null)
          return {
            json: JSON.stringify(outcome.value.problem),
            reason: '',
            options: outcome.value.problem.options,
          };
        this.problemOf_ = ''; // asked again next time
        const error =
          outcome.kind === 'done' ? outcome.value.diagnostics.find((d) => d.severity === 'error') : undefined;
        return {
          json: '',
          options: null,
          reason: `there is no problem to decide: ${error?.message ?? 'see the source'}`,
        };
      });
    return this.problem_;
  }

  private client(): EngineClient {
    this.client_ ??= this.makeClient();
    return this.client_;
  }

  private sandbox(): Sandbox {
    this.sandbox_ ??= new Sandbox(
      () =>
        new Worker(new URL('../policylab/sandbox_worker.ts', import.meta.url), {
          type: 'module',
          name: 'policy',
        }) as unknown as SandboxWorker,
    );
    return this.sandbox_;
  }
}
