// Everything the page shows follows from one immutable AppState; `reduce` is the only way to the next one.

import type { DecisionTraceAnswer } from './beam_trace';
import type { CertificateCheck, RegretResult } from './exact';
import { kForcedOption, withForced, withoutNumbered } from './forced';
import type { PassCheck, PassesResult } from './passes';
import type { Catalog, Diagnostic, LintResult, Report } from './report';

export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;

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
  | { readonly kind: 'link' }
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

// An op, found again after another run: rows move when reshards and spills come and go.
export interface RowKey {
  readonly name: string;
  readonly label: string;
  readonly row: number;
}

export type Tab = 'schedule' | 'map' | 'why' | 'source';
// What the middle of the page shows.
export type MainView = 'schedule' | 'compare' | 'steps' | 'passes' | 'beam' | 'optimum';
export const kMainViews: readonly { readonly id: MainView; readonly title: string; readonly help: string }[] = [
  { id: 'schedule', title: 'Schedule', help: 'Every op in order, where its result lives, and L1 over time' },
  { id: 'compare', title: 'Compare', help: 'Several policies or devices side by side' },
  { id: 'steps', title: 'Steps', help: 'How the chains came about, one step at a time' },
  { id: 'beam', title: 'Beam', help: 'Candidates of every op, where each comes from, and what had to leave L1' },
  { id: 'optimum', title: 'Optimum', help: 'How far this run is from the proven optimum, and what the optimum does instead' },
  { id: 'passes', title: 'Passes', help: 'What each pass did to the graph, and where its ops went' },
];
export type Theme = 'system' | 'light' | 'dark';

export interface ViewSettings {
  readonly sourceOpen: boolean | null; // null: by the width of the window
  readonly split: number | null; // share of the table in table + map; null: the default
  readonly whole: boolean; // the map shows all of L1, unused parts too
  readonly planned: boolean; // the map shows addresses planned ahead, not the runtime's
  readonly regret: boolean; // the schedule has a column for the regret of every op
  readonly tab: Tab; // narrow screens show one at a time
  readonly main: MainView;
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
  readonly options: Options; // only what differs from the defaults
  readonly engine: 'starting' | 'ready' | 'failed';
  readonly running: boolean;
  readonly durationMs: number | null;
  readonly report: Report | null; // the last one with a run
  readonly stale: boolean; // the text has errors, so `report` is of an earlier text
  readonly diagnostics: readonly Diagnostic[];
  readonly droppedDiagnostics: number;
  readonly compareRuns: readonly Options[] | null; // what each compared run sets; null: every policy
  readonly comparison: readonly Report[] | null; // of the last comparison, one report per run
  readonly comparing: boolean;
  readonly stepsReport: Report | null; // of a run with the option `trace`, while its steps are looked at
  readonly tracing: boolean;
  readonly regret: RegretResult | null; // of the last run that was held against the optimum
  readonly regretOf: Report | null; // the run that it speaks of
  readonly freeRegret: RegretResult | null; // of the same run without the layouts that are forced; null: none are, or not known yet
  readonly proving: boolean;
  readonly proofProblem: string; // why there is no optimum of the present run, ''
  readonly forcedBefore: readonly string[]; // earlier values of the option of forced layouts, the latest last
  readonly certificate: CertificateCheck | null; // of the run in `regret`
  readonly passes: PassesResult | null; // of the last run looked at pass by pass
  readonly passing: boolean;
  readonly passChecks: readonly PassCheck[] | null; // of the text and options in `passes`; null before they were asked for
  readonly checkingPasses: boolean;
  readonly openedTrace: OpenedTrace | null; // a decision trace of the compiler, in place of the run's
  readonly selected: number; // row of report.run, -1 = none
  readonly wanted: RowKey | null; // the selection to make when a run arrives
  readonly query: string;
  readonly view: ViewSettings;
  readonly theme: Theme;
  readonly notices: readonly Notice[];
  readonly linkFrozen: boolean; // the address holds a link we could not read: keep it until the user changes something
  readonly nextNotice: number;
}

export const initialState: AppState = {
  catalog: null,
  samples: [],
  source: { text: '', origin: { kind: 'empty' }, loads: 0 },
  options: {},
  engine: 'starting',
  running: false,
  durationMs: null,
  report: null,
  stale: false,
  diagnostics: [],
  droppedDiagnostics: 0,
  compareRuns: null,
  comparison: null,
  comparing: false,
  stepsReport: null,
  tracing: false,
  regret: null,
  regretOf: null,
  freeRegret: null,
  proving: false,
  proofProblem: '',
  forcedBefore: [],
  certificate: null,
  passes: null,
  passing: false,
  passChecks: null,
  checkingPasses: false,
  openedTrace: null,
  selected: -1,
  wanted: null,
  query: '',
  view: { sourceOpen: null, split: null, whole: false, planned: false, regret: false, tab: 'schedule', main: 'schedule' },
  theme: 'system',
  notices: [],
  linkFrozen: false,
  nextNotice: 1,
};

export type Action =
  | { readonly type: 'catalog'; readonly catalog: Catalog }
  | { readonly type: 'engine-failed' }
  | { readonly type: 'samples'; readonly samples: readonly SampleInfo[] }
  | { readonly type: 'load'; readonly text: string; readonly origin: Origin; readonly keepForced?: boolean } // from outside of the editor
  | { readonly type: 'edit'; readonly text: string } // typed in the editor
  | { readonly type: 'option'; readonly id: string; readonly value: OptionValue }
  | { readonly type: 'options'; readonly options: Options }
  | { readonly type: 'force'; readonly name: string; readonly layout: string } // the layout of an op's result; '': released
  | { readonly type: 'undo-force' }
  | { readonly type: 'run-started' }
  | { readonly type: 'run-done'; readonly report: Report; readonly ms: number; readonly draft?: boolean } // draft: a better answer is on its way
  | { readonly type: 'run-ended' } // without a report: stopped or failed
  | { readonly type: 'lint-done'; readonly lint: LintResult }
  | { readonly type: 'compare'; readonly runs: readonly Options[] | null }
  | { readonly type: 'compare-optimum' } // the present run beside policy Exact
  | { readonly type: 'compare-started' }
  | { readonly type: 'compare-ended'; readonly reports: readonly Report[] | null }
  | { readonly type: 'steps-started' }
  | { readonly type: 'steps-ended'; readonly report: Report | null }
  | { readonly type: 'regret-started' }
  | { readonly type: 'regret-ended'; readonly regret: RegretResult; readonly of: Report | null }
  | { readonly type: 'free-regret'; readonly regret: RegretResult }
  | { readonly type: 'proof-ended'; readonly problem: string } // without a result: outdated (''), or it failed
  | { readonly type: 'certificate'; readonly check: CertificateCheck }
  | { readonly type: 'passes-started' }
  | { readonly type: 'passes-ended'; readonly passes: PassesResult | null }
  | { readonly type: 'check-started' }
  | { readonly type: 'check-ended'; readonly checks: readonly PassCheck[] | null }
  | { readonly type: 'trace-opened'; readonly opened: OpenedTrace | null }
  | { readonly type: 'select'; readonly row: number }
  | { readonly type: 'find'; readonly key: RowKey } // selects that op and shows it in the schedule
  | { readonly type: 'want'; readonly key: RowKey | null }
  | { readonly type: 'query'; readonly query: string }
  | { readonly type: 'view'; readonly view: Partial<ViewSettings> }
  | { readonly type: 'theme'; readonly theme: Theme }
  | { readonly type: 'notice'; readonly severity: Notice['severity']; readonly text: string; readonly detail?: string }
  | { readonly type: 'dismiss'; readonly id: number }
  | { readonly type: 'freeze-link' };

const kMaxNotices = 4;

export function reduce(state: AppState, action: Action): AppState {
  switch (action.type) {
    case 'catalog':
      return { ...state, catalog: action.catalog, engine: 'ready' };
    case 'engine-failed':
      return { ...state, engine: 'failed', running: false };
    case 'samples':
      return { ...state, samples: action.samples };
    case 'load':
      return {
        ...state,
        source: { text: action.text, origin: action.origin, loads: state.source.loads + 1 },
        ...(action.keepForced === true ? {} : forgetForced(state, action.text)),
        linkFrozen: false,
        wanted: null,
        selected: -1,
        query: '',
      };
    case 'edit':
      if (action.text === state.source.text) return state;
      return {
        ...state,
        source: { ...state.source, text: action.text, origin: { kind: action.text === '' ? 'empty' : 'typed' } },
        linkFrozen: false,
      };
    case 'option':
      return { ...state, options: withOption(state, action.id, action.value), linkFrozen: false, ...(action.id === kForcedOption ? { forcedBefore: rememberForced(state) } : {}) };
    case 'options':
      return { ...state, options: action.options };
    case 'force':
      return reduce(state, { type: 'option', id: kForcedOption, value: withForced(state.options[kForcedOption], action.name, action.layout) });
    case 'undo-force': {
      const before = state.forcedBefore.at(-1);
      return before === undefined ? state : { ...state, options: withOption(state, kForcedOption, before), forcedBefore: state.forcedBefore.slice(0, -1), linkFrozen: false };
    }
    case 'run-started':
      return { ...state, running: true };
    case 'run-done':
      return { ...withReport(state, action.report, action.ms), running: action.draft === true };
    case 'run-ended':
      return { ...state, running: false };
    case 'lint-done':
      return { ...state, diagnostics: action.lint.diagnostics, droppedDiagnostics: action.lint.droppedDiagnostics };
    case 'compare':
      return { ...state, compareRuns: action.runs, comparison: null };
    case 'compare-optimum': {
      const present = effectiveOption(state, 'policy');
      return { ...state, compareRuns: [present === null ? {} : { policy: present }, { policy: 'Exact' }], comparison: null, view: { ...state.view, main: 'compare', tab: 'schedule' } };
    }
    case 'compare-started':
      return { ...state, comparing: true };
    case 'compare-ended':
      return { ...state, comparing: false, comparison: action.reports ?? state.comparison };
    case 'steps-started':
      return { ...state, tracing: true, stepsReport: null };
    case 'steps-ended':
      return { ...state, tracing: false, stepsReport: action.report };
    case 'regret-started':
      return { ...state, proving: true, proofProblem: '', certificate: null };
    case 'regret-ended':
      return { ...state, proving: false, proofProblem: '', regret: action.regret, regretOf: action.of, freeRegret: null };
    case 'free-regret':
      return { ...state, freeRegret: action.regret };
    case 'proof-ended':
      return { ...state, proving: false, proofProblem: action.problem };
    case 'certificate':
      return { ...state, certificate: action.check };
    case 'passes-started':
      return { ...state, passing: true };
    case 'passes-ended':
      return { ...state, passing: false, passes: action.passes ?? state.passes, passChecks: null };
    case 'check-started':
      return { ...state, checkingPasses: true, passChecks: null };
    case 'check-ended':
      return { ...state, checkingPasses: false, passChecks: action.checks };
    case 'trace-opened':
      return { ...state, openedTrace: action.opened, view: { ...state.view, main: 'beam', ...(action.opened === null ? {} : { tab: 'schedule' as const }) } };
    case 'find':
      return { ...state, selected: state.report === null ? -1 : findRow(state.report, action.key), wanted: null, view: { ...state.view, main: 'schedule' } };
    case 'select':
      return { ...state, selected: clampRow(state.report, action.row), wanted: null };
    case 'want':
      return { ...state, wanted: action.key };
    case 'query':
      return { ...state, query: action.query };
    case 'view':
      return { ...state, view: { ...state.view, ...action.view } };
    case 'theme':
      return { ...state, theme: action.theme };
    case 'notice':
      return withNotice(state, action.severity, action.text, action.detail ?? '');
    case 'dismiss':
      return { ...state, notices: state.notices.filter((notice) => notice.id !== action.id) };
    case 'freeze-link':
      return { ...state, linkFrozen: true };
  }
}

// An option at its default is not kept, so that links stay short and follow new defaults.
function withOption(state: AppState, id: string, value: OptionValue): Options {
  const info = state.catalog?.options.find((option) => option.id === id);
  const { [id]: _, ...others } = state.options;
  return info !== undefined && info.default === value ? others : { ...others, [id]: value };
}

const kMostUndo = 50;

function rememberForced(state: AppState): readonly string[] {
  return [...state.forcedBefore, String(state.options[kForcedOption] ?? '')].slice(-kMostUndo);
}

// Another text than the one that the layouts were forced in: its '%12' is another op.
function forgetForced(state: AppState, text: string): Partial<AppState> {
  if (state.source.text === text || state.options[kForcedOption] === undefined) return { forcedBefore: [] };
  return { forcedBefore: [], options: withOption(state, kForcedOption, withoutNumbered(state.options[kForcedOption])) };
}

function withReport(state: AppState, report: Report, ms: number): AppState {
  const common = {
    ...state,
    running: false,
    durationMs: ms,
    diagnostics: report.diagnostics,
    droppedDiagnostics: report.droppedDiagnostics,
  };
  if (report.run === null) return { ...common, stale: state.report !== null };
  const key = state.wanted ?? keyOfRow(state.report, state.selected);
  return { ...common, report, stale: false, wanted: null, selected: key === null ? -1 : findRow(report, key) };
}

function withNotice(state: AppState, severity: Notice['severity'], text: string, detail: string): AppState {
  const others = state.notices.filter((notice) => notice.text !== text);
  const notice: Notice = { id: state.nextNotice, severity, text, detail };
  return { ...state, notices: [...others, notice].slice(-kMaxNotices), nextNotice: state.nextNotice + 1 };
}

function clampRow(report: Report | null, row: number): number {
  const count = report?.run?.rows.length ?? 0;
  if (count === 0 || row < 0) return -1;
  return Math.min(Math.trunc(row), count - 1);
}

export function keyOfRow(report: Report | null, row: number): RowKey | null {
  const found = report?.run?.rows[row];
  return found === undefined ? null : { name: found.name, label: found.label, row };
}

// The row with the same label and name, else the same name, else the same label; of several the nearest; -1 when gone.
export function findRow(report: Report, key: RowKey): number {
  const rows = report.run?.rows ?? [];
  const tests: ((index: number) => boolean)[] = [
    (index) => rows[index]!.name === key.name && rows[index]!.label === key.label,
    (index) => key.name !== '' && rows[index]!.name === key.name,
    (index) => key.label !== '' && rows[index]!.label === key.label,
  ];
  for (const test of tests) {
    let best = -1;
    for (let index = 0; index < rows.length; index++) {
      if (test(index) && (best < 0 || Math.abs(index - key.row) < Math.abs(best - key.row))) best = index;
    }
    if (best >= 0) return best;
  }
  return -1;
}

// What the engine is asked with: the defaults are the engine's own.
export function effectiveOption(state: AppState, id: string): OptionValue | null {
  const own = state.options[id];
  if (own !== undefined) return own;
  return state.catalog?.options.find((option) => option.id === id)?.default ?? null;
}

// The runs to compare: those the user put together, else every policy the engine has.
export function comparedRuns(state: AppState): readonly Options[] {
  return state.compareRuns ?? (state.catalog?.policies ?? []).map((policy) => ({ policy: policy.id }));
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

// What is known about the optimum of the run that the page shows; null while it is being looked for.
export function presentRegret(state: AppState): RegretResult | null {
  return state.regretOf === state.report ? state.regret : null;
}
