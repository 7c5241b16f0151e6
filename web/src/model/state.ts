// Everything the page shows follows from one immutable AppState; `reduce` is the only way to the next one.

import type { DecisionTraceAnswer } from './generated/decision_trace';
import type { CertificateCheck, RegretResult } from './exact';
import type { Options, OptionValue } from './option_values';
import type { PassCheck, PassesResult, PlanExecution } from './passes';
import type { HandEditAnswer } from './hand_edit';
import { kNoHistory, kPolicy, kReoptimize, type PlanHistory, type PlanInUse } from './plan';
import type { Catalog, CompiledAnswer, Report } from './report';
import { findInRows, type RowKey } from './rows';
import type { Overdue } from './overdue';
import type { OpenedLog } from './opened_log';
import { kNoPolicy, type PolicyLab } from './policy_lab';
import type { OpenedProfile, ProfileAnswer } from './profile';
import type { TourPlace } from './tour_place';
import { policiesWith } from './traits';
import type { Advice, Applied, Change } from './changes';
import type { OpTrials } from './trials';
import type { Diagnostic, LintResult } from './report';

export interface SampleInfo {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly description: string;
  readonly ops: number;
}

export type Origin =
  | { readonly kind: 'empty' }
  | { readonly kind: 'sample'; readonly id: string }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'link'; readonly name: string } // of the file it was made of; ''
  | { readonly kind: 'typed' };

export interface OpenedTrace {
  readonly name: string; // of the file
  readonly answer: DecisionTraceAnswer;
}

export interface Source {
  readonly text: string;
  readonly origin: Origin;
  readonly loads: number; // how often the text was replaced from outside of the editor
}

export interface VisitedGraph {
  readonly title: string;
  readonly text: string;
}

// What is asked of the engine beside the run, with its last answer: null before there is one.
export interface Asked<T> {
  readonly value: T | null;
  readonly busy: boolean; // an answer is on its way
}

export interface Answers {
  readonly comparison: readonly Report[]; // one per compared run
  readonly handEdit: HandEditAnswer; // of the present run
  readonly compiled: CompiledAnswer; // of a graph that carries layouts
  readonly regret: RegretResult; // of a run and the optimum; of which run: `regretOf`
  readonly profile: ProfileAnswer; // the opened profile, beside the present run where there is one
  readonly passes: PassesResult; // the graph after each pass
  readonly passChecks: readonly PassCheck[]; // of the text and options in `passes`
  readonly execution: PlanExecution; // likewise
}
export type AnswerName = keyof Answers;

export type Tab = 'schedule' | 'map' | 'why' | 'source';
export type Theme = 'system' | 'light' | 'dark';

export interface ViewSettings {
  readonly sourceOpen: boolean;
  readonly whyOpen: boolean | null; // null: by the width of the window
  readonly split: number | null; // share of the table in table + map; null: the default
  readonly whole: boolean; // the map shows all of L1, unused parts too
  readonly planned: boolean; // the map shows addresses planned ahead, not the runtime's
  readonly memory: 'l1' | 'dram'; // that the map shows
  readonly dram: boolean; // the schedule has a column for traffic with DRAM
  readonly filters: readonly string[]; // of the schedule: ids of view/row_filter.ts
  readonly regret: boolean; // the schedule has a column for the regret of every op
  readonly tab: Tab; // narrow screens show one at a time
  readonly main: string; // id of a view of app/views.ts; any other stands for the first
  readonly step: number | null; // of the stepper; null: it is folded; -1: that of the selected op, or the first
}

export interface Notice {
  readonly id: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly detail: string;
}

export interface AppState {
  readonly catalog: Catalog | null;
  readonly samples: readonly SampleInfo[];
  readonly source: Source;
  readonly visited: readonly VisitedGraph[]; // in this visit, samples apart, the latest last
  readonly options: Options; // only what differs from the defaults
  readonly plan: PlanInUse | null; // carried out in place of a policy's
  readonly planHistory: PlanHistory; // of changes by hand
  readonly engine: 'starting' | 'ready' | 'failed';
  readonly running: boolean;
  readonly overdue: Overdue | null; // of what the engine is doing
  readonly durationMs: number | null;
  readonly report: Report | null; // the last one with a run
  readonly reportOf: number; // Source.loads of the text that `report` is of
  readonly stale: boolean; // the text has errors, so `report` is of an earlier text
  readonly diagnostics: readonly Diagnostic[];
  readonly droppedDiagnostics: number;
  readonly compareRuns: readonly Options[] | null; // what each compared run sets; null: every policy
  readonly answers: { readonly [K in AnswerName]: Asked<Answers[K]> };
  readonly regretOf: Report | null; // the run that answers.regret speaks of
  readonly freeRegret: RegretResult | null; // of the same run without the forced layouts; null: none, or not known yet
  readonly proofProblem: string; // why there is no optimum of the present run, ''
  readonly trials: ReadonlyMap<string, OpTrials>; // forced layouts that were tried, by op
  readonly advice: Advice | null; // single changes that were tried
  readonly applied: Applied | null; // the last of them that was applied
  readonly forcedBefore: readonly string[]; // earlier values of the option of forced layouts, the latest last
  readonly certificate: CertificateCheck | null; // of the run in answers.regret
  readonly openedLog: OpenedLog | null; // of the compiler's passes
  readonly openedProfile: OpenedProfile | null; // of the device
  readonly openedTrace: OpenedTrace | null; // a decision trace of the compiler, in place of the run's
  readonly policyLab: PolicyLab;
  readonly selected: number; // row of report.run, -1 = none
  readonly wanted: RowKey | null; // the selection to make when a run arrives
  readonly query: string;
  readonly view: ViewSettings;
  readonly theme: Theme;
  readonly tour: TourPlace | null;
  readonly notices: readonly Notice[];
  readonly linkFrozen: boolean; // the address holds a link we could not read: keep it until the user changes something
  readonly nextNotice: number;
}

const kUnasked = { value: null, busy: false };

export const initialState: AppState = {
  catalog: null,
  samples: [],
  source: { text: '', origin: { kind: 'empty' }, loads: 0 },
  visited: [],
  options: {},
  plan: null,
  planHistory: kNoHistory,
  engine: 'starting',
  running: false,
  overdue: null,
  durationMs: null,
  report: null,
  reportOf: -1,
  stale: false,
  diagnostics: [],
  droppedDiagnostics: 0,
  compareRuns: null,
  answers: {
    comparison: kUnasked,
    handEdit: kUnasked,
    compiled: kUnasked,
    regret: kUnasked,
    profile: kUnasked,
    passes: kUnasked,
    passChecks: kUnasked,
    execution: kUnasked,
  },
  regretOf: null,
  freeRegret: null,
  proofProblem: '',
  trials: new Map(),
  advice: null,
  applied: null,
  forcedBefore: [],
  certificate: null,
  openedLog: null,
  openedProfile: null,
  openedTrace: null,
  policyLab: kNoPolicy,
  selected: -1,
  wanted: null,
  query: '',
  view: {
    sourceOpen: false,
    whyOpen: null,
    split: null,
    whole: false,
    planned: false,
    memory: 'l1',
    dram: false,
    filters: [],
    regret: false,
    tab: 'schedule',
    main: 'schedule',
    step: null,
  },
  theme: 'system',
  tour: null,
  notices: [],
  linkFrozen: false,
  nextNotice: 1,
};

// A value of null ends the request without an answer: the one before stays.
type Answered = {
  readonly [K in AnswerName]: { readonly type: 'answered'; readonly what: K; readonly value: Answers[K] | null };
}[AnswerName];

export type Action =
  | { readonly type: 'catalog'; readonly catalog: Catalog }
  | { readonly type: 'engine-failed' }
  | { readonly type: 'samples'; readonly samples: readonly SampleInfo[] }
  // from outside of the editor
  | {
      readonly type: 'load';
      readonly text: string;
      readonly origin: Origin;
      readonly keepForced?: boolean;
      readonly report?: Report; // made ahead of time, of this text and the present options
    }
  | { readonly type: 'edit'; readonly text: string } // typed in the editor
  | { readonly type: 'option'; readonly id: string; readonly value: OptionValue }
  | { readonly type: 'options'; readonly options: Options }
  // the layout of an op's result; '': released
  | { readonly type: 'force'; readonly name: string; readonly layout: string }
  | { readonly type: 'undo-force' }
  // `step`: a change by hand, which can be undone
  | { readonly type: 'plan'; readonly plan: PlanInUse | null; readonly step?: boolean }
  | { readonly type: 'policy'; readonly policy: Partial<PolicyLab> }
  | { readonly type: 'plan-undo' }
  | { readonly type: 'plan-redo' }
  | { readonly type: 'tried'; readonly name: string; readonly trials: OpTrials }
  | { readonly type: 'advised'; readonly advice: Advice }
  | { readonly type: 'apply-change'; readonly change: Change }
  | { readonly type: 'undo-change' }
  | { readonly type: 'run-started' }
  | { readonly type: 'overdue'; readonly overdue: Overdue | null }
  // draft: a better answer is on its way
  | { readonly type: 'run-done'; readonly report: Report; readonly ms: number; readonly draft?: boolean }
  | { readonly type: 'run-ended' } // without a report: stopped or failed
  | { readonly type: 'lint-done'; readonly lint: LintResult }
  | { readonly type: 'compare'; readonly runs: readonly Options[] | null }
  | { readonly type: 'compare-optimum' } // the present run beside policy Exact
  | { readonly type: 'asked'; readonly what: AnswerName; readonly forget?: boolean } // forget: the answer before it
  | Answered
  | { readonly type: 'regret-of'; readonly of: Report | null; readonly regret: RegretResult }
  | { readonly type: 'free-regret'; readonly regret: RegretResult }
  | { readonly type: 'proof-ended'; readonly problem: string } // without a result: outdated (''), or it failed
  | { readonly type: 'certificate'; readonly check: CertificateCheck }
  | { readonly type: 'log'; readonly log: OpenedLog | null }
  | { readonly type: 'profile'; readonly profile: OpenedProfile | null }
  | { readonly type: 'trace-opened'; readonly opened: OpenedTrace | null }
  | { readonly type: 'select'; readonly row: number }
  // selects that op and, unless the view is to stay, shows it in the schedule
  | { readonly type: 'find'; readonly key: RowKey; readonly stay?: boolean }
  | { readonly type: 'want'; readonly key: RowKey | null }
  | { readonly type: 'query'; readonly query: string }
  | { readonly type: 'view'; readonly view: Partial<ViewSettings> }
  | { readonly type: 'theme'; readonly theme: Theme }
  | { readonly type: 'tour'; readonly place: TourPlace | null }
  | { readonly type: 'notice'; readonly severity: Notice['severity']; readonly text: string; readonly detail?: string }
  | { readonly type: 'dismiss'; readonly id: number }
  | { readonly type: 'freeze-link' };

export function keyOfRow(report: Report | null, row: number): RowKey | null {
  const found = report?.run?.rows[row];
  return found === undefined ? null : { name: found.name, label: found.label, row };
}

export function findRow(report: Report, key: RowKey): number {
  return findInRows(report.run?.rows ?? [], key);
}

// What the engine is asked with: the defaults are the engine's own.
export function effectiveOption(state: AppState, id: string): OptionValue | null {
  const own = state.options[id];
  return own ?? defaultOption(state, id);
}

// The engine's own default. A graph that carries layouts is taken as written, unless they are to be taken out.
export function defaultOption(state: AppState, id: string): OptionValue | null {
  const written = policiesWith(state.catalog, 'as-it-stands')[0];
  if (id === kPolicy && carriesLayouts(state) && state.options[kReoptimize] !== true && written !== undefined)
    return written.id;
  return state.catalog?.options.find((option) => option.id === id)?.default ?? null;
}

export function carriesLayouts({ report, reportOf, source }: AppState): boolean {
  return report !== null && reportOf === source.loads && report.input.layouts;
}

export function effectivePolicy(state: AppState): string {
  return String(effectiveOption(state, 'policy') ?? '');
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

// Larger graphs take long to prove: their optimum is looked for when somebody looks at what comes of it.
export const kMostProvenRows = 2000;

// How many rows the present run has, if its optimum waits for somebody to ask for it; else 0.
export function rowsUnproven(state: AppState): number {
  const rows = state.report?.run?.rows.length ?? 0;
  const asked = state.answers.regret.busy || state.regretOf === state.report || state.proofProblem !== '';
  const wanted = state.view.main === 'optimum' || state.view.regret;
  return rows > kMostProvenRows && !asked && !wanted ? rows : 0;
}

// What is known about the optimum of the run that the page shows; null while it is being looked for.
export function presentRegret(state: AppState): RegretResult | null {
  return state.regretOf === state.report ? state.answers.regret.value : null;
}
