// The one way from a state to the next.

import { kForcedOption, withForced, withoutNumbered } from './forced';
import type { Options, OptionValue } from './option_values';
import { kOrderOption } from './op_order';
import { kFunction, kNoHistory, kPolicy, kReoptimize, type PlanInUse, planOptions, withStep } from './plan';
import type { Report } from './report';
import {
  carriesLayouts,
  defaultOption,
  effectiveOption,
  findRow,
  keyOfRow,
  type Action,
  type AnswerName,
  type AppState,
  type Notice,
  type Origin,
} from './state';
import { hasTrait, provingPolicy } from './traits';
import type { OpenedLog } from './opened_log';

// Another log is opened: it is shown, and not again while more of it is read.
const begins = (before: OpenedLog | null, log: OpenedLog): boolean =>
  before === null || (before.answer !== null && log.answer === null);

const kMaxNotices = 4;
const kMostUndo = 50;

type Loading = Omit<Extract<Action, { type: 'load' }>, 'type' | 'report'>;
type Reducers = { readonly [T in Action['type']]: (state: AppState, action: Extract<Action, { type: T }>) => AppState };

const kReducers: Reducers = {
  // The engine and what it is asked
  catalog: (state, { catalog }) => ({ ...state, catalog, engine: 'ready' }),
  'engine-failed': (state) => ({ ...state, engine: 'failed', running: false }),
  advised: (state, { advice }) => (advice.of === state.report ? { ...state, advice } : state),
  'apply-change': (state, { change }) => {
    const { id, value, op: name, layout, title } = change;
    const next =
      id !== '' ? reduce(state, { type: 'option', id, value }) : reduce(state, { type: 'force', name, layout });
    return { ...next, applied: { title, before: state.options } };
  },
  'undo-change': (state) =>
    state.applied === null
      ? state
      : { ...reduce(state, { type: 'options', options: state.applied.before }), applied: null, linkFrozen: false },
  'run-started': (state) => ({ ...state, running: true }),
  tour: (state, { place }) => ({ ...state, tour: place }),
  overdue: (state, { overdue }) => ({ ...state, overdue }),
  'run-done': (state, { report, ms, draft }) => ({ ...withReport(state, report, ms), running: draft === true }),
  'run-ended': (state) => ({ ...state, running: false }),
  'lint-done': (state, { lint }) => ({
    ...state,
    diagnostics: lint.diagnostics,
    droppedDiagnostics: lint.droppedDiagnostics,
  }),
  asked: (state, { what, forget }) => ({
    ...state,
    answers: {
      ...state.answers,
      [what]: { value: forget === true ? null : state.answers[what].value, busy: true },
      ...(forget === true ? withoutChecks(state, what) : {}),
    },
    ...(what === 'regret' ? { proofProblem: '', certificate: null } : {}),
  }),
  answered: (state, { what, value }) => ({
    ...state,
    answers: {
      ...state.answers,
      [what]: { value: value ?? state.answers[what].value, busy: false },
      ...withoutChecks(state, what),
    },
  }),
  'regret-of': (state, { of, regret }) => ({
    ...reduce(state, { type: 'answered', what: 'regret', value: regret }),
    proofProblem: '',
    regretOf: of,
    freeRegret: null,
  }),
  'free-regret': (state, { regret }) => ({ ...state, freeRegret: regret }),
  'proof-ended': (state, { problem }) => ({
    ...reduce(state, { type: 'answered', what: 'regret', value: null }),
    proofProblem: problem,
  }),
  certificate: (state, { check }) => ({ ...state, certificate: check }),

  // The text
  samples: (state, { samples }) => ({ ...state, samples }),
  load: (state, { report, ...load }) => {
    const loaded = withText(state, load);
    return report === undefined ? loaded : withReport(loaded, report, null);
  },
  edit: (state, { text }) =>
    text === state.source.text
      ? state
      : {
          ...state,
          source: { ...state.source, text, origin: { kind: text === '' ? 'empty' : 'typed' } },
          linkFrozen: false,
        },

  // Options
  option: (state, { id, value }) => ({
    ...state,
    options: withOption(state, id, value),
    linkFrozen: false,
    ...(id === kPolicy ? { plan: null, planHistory: kNoHistory } : {}),
    ...(id === kForcedOption ? { forcedBefore: rememberForced(state) } : {}),
  }),
  options: (state, { options }) => ({ ...state, options }),
  force: (state, { name, layout }) => {
    const value = withForced(state.options[kForcedOption], name, layout);
    return reduce(state, { type: 'option', id: kForcedOption, value });
  },
  'undo-force': (state) => {
    const before = state.forcedBefore.at(-1);
    if (before === undefined) return state;
    return {
      ...state,
      options: withOption(state, kForcedOption, before),
      forcedBefore: state.forcedBefore.slice(0, -1),
      linkFrozen: false,
    };
  },

  plan: (state, { plan, step }) => ({
    ...state,
    plan,
    planHistory: step === true ? withStep(state.planHistory, state.plan) : kNoHistory,
    options: plan === null || step === true ? state.options : optionsFor(state, plan),
    linkFrozen: false,
  }),
  policy: (state, { policy }) => ({
    ...state,
    policyLab: { ...state.policyLab, ...policy },
    linkFrozen: policy.code === undefined ? state.linkFrozen : false,
  }),
  'plan-undo': (state) => {
    const { before, after } = state.planHistory;
    const plan = before.at(-1);
    if (plan === undefined) return state;
    return { ...state, plan, planHistory: { before: before.slice(0, -1), after: [...after, state.plan] } };
  },
  'plan-redo': (state) => {
    const { before, after } = state.planHistory;
    const plan = after.at(-1);
    if (plan === undefined) return state;
    return { ...state, plan, planHistory: { before: [...before, state.plan], after: after.slice(0, -1) } };
  },

  tried: (state, { name, trials }) =>
    trials.of === state.report ? { ...state, trials: new Map(state.trials).set(name, trials) } : state,

  // What is looked at
  compare: (state, { runs }) => ({ ...withoutComparison(state), compareRuns: runs }),
  'compare-optimum': (state) => {
    const present = effectiveOption(state, 'policy');
    const proving = provingPolicy(state.catalog);
    return {
      ...withoutComparison(state),
      compareRuns: [present === null ? {} : { policy: present }, proving === null ? {} : { policy: proving.id }],
      view: { ...state.view, main: 'compare', tab: 'schedule' },
    };
  },
  'trace-opened': (state, { opened }) => ({
    ...state,
    openedTrace: opened,
    view: { ...state.view, main: 'beam', ...(opened === null ? {} : { tab: 'schedule' as const }) },
  }),
  profile: (state, { profile }) => ({
    ...state,
    openedProfile: profile,
    view: { ...state.view, ...(profile === null ? {} : { main: 'measured', tab: 'schedule' as const }) },
  }),
  log: (state, { log }) => ({
    ...state,
    openedLog: log,
    view: log !== null && begins(state.openedLog, log) ? { ...state.view, main: 'log', tab: 'schedule' } : state.view,
  }),
  find: (state, { key, stay }) => ({
    ...state,
    selected: state.report === null ? -1 : findRow(state.report, key),
    wanted: null,
    view: stay === true ? state.view : { ...state.view, main: 'schedule' },
  }),
  select: (state, { row }) => ({ ...state, selected: clampRow(state.report, row), wanted: null }),
  want: (state, { key }) => ({ ...state, wanted: key }),
  query: (state, { query }) => ({ ...state, query }),
  view: (state, { view }) => ({ ...state, view: { ...state.view, ...view } }),
  theme: (state, { theme }) => ({ ...state, theme }),
  notice: (state, { severity, text, detail }) => withNotice(state, severity, text, detail ?? ''),
  dismiss: (state, { id }) => ({ ...state, notices: state.notices.filter((notice) => notice.id !== id) }),
  'freeze-link': (state) => ({ ...state, linkFrozen: true }),
};

export function reduce<T extends Action['type']>(state: AppState, action: Extract<Action, { type: T }>): AppState {
  const reducer: (state: AppState, action: Extract<Action, { type: T }>) => AppState = kReducers[action.type as T];
  return reducer(state, action);
}

const kMostVisited = 12; // graphs
const kMostVisitedText = 64 * 1024 * 1024; // characters of all of them

// Graphs that were dropped, fetched or came with a link; samples are there anyway.
function withVisited(visited: AppState['visited'], text: string, origin: Origin): AppState['visited'] {
  if (origin.kind === 'sample' || origin.kind === 'empty' || text.trim() === '') return visited;
  const name = 'name' in origin ? origin.name : 'url' in origin ? (origin.url.split('/').at(-1) ?? '') : '';
  const title = name === '' ? 'Pasted graph' : name;
  let all = [...visited.filter((one) => one.text !== text), { title, text }].slice(-kMostVisited);
  while (all.reduce((sum, one) => sum + one.text.length, 0) > kMostVisitedText) all = all.slice(1);
  return all;
}

function withoutComparison(state: AppState): AppState {
  return { ...state, answers: { ...state.answers, comparison: { ...state.answers.comparison, value: null } } };
}

// An option at its default is not kept, so that links stay short and follow new defaults.
function withOption(state: AppState, id: string, value: OptionValue): Options {
  const { [id]: _, ...kept } = state.options;
  const { [kReoptimize]: __, ...written } = kept;
  // What is taken as written has nothing taken out of it.
  const others = id === kPolicy && hasTrait(state.catalog, value, 'as-it-stands') ? written : kept;
  return defaultOption({ ...state, options: others }, id) === value ? others : { ...others, [id]: value };
}

// The policy of a plan counts only where it says whether a graph is taken as written.
function optionsFor(state: AppState, plan: PlanInUse): Options {
  const { [kPolicy]: policy, ...others } = planOptions(plan);
  const counts = policy !== undefined && carriesLayouts(state);
  return { ...state.options, ...others, ...(counts ? { [kPolicy]: policy } : {}) };
}

function rememberForced(state: AppState): readonly string[] {
  return [...state.forcedBefore, String(state.options[kForcedOption] ?? '')].slice(-kMostUndo);
}

// Another text than the one that the layouts were forced in and the function and order chosen in: its '%12' is another
// op.
function forgetForced(state: AppState, text: string): Partial<AppState> {
  const { [kFunction]: chosen, [kOrderOption]: order, ...options } = state.options;
  const forced = options[kForcedOption];
  if (state.source.text === text || (forced ?? chosen ?? order) === undefined) return { forcedBefore: [] };
  if (forced === undefined) return { forcedBefore: [], options };
  return { forcedBefore: [], options: withOption({ ...state, options }, kForcedOption, withoutNumbered(forced)) };
}

// What was found by executing belongs to the passes that it was found about.
function withoutChecks({ answers }: AppState, what: AnswerName): Partial<AppState['answers']> {
  if (what !== 'passes') return {};
  return { passChecks: { ...answers.passChecks, value: null }, execution: { ...answers.execution, value: null } };
}

function withText(state: AppState, { text, origin, keepForced }: Loading): AppState {
  return {
    ...state,
    applied: null,
    source: { text, origin, loads: state.source.loads + 1 },
    visited: withVisited(state.visited, text, origin),
    ...(keepForced === true ? {} : { ...forgetForced(state, text), plan: null }),
    planHistory: kNoHistory,
    linkFrozen: false,
    wanted: null,
    selected: -1,
    query: '',
  };
}

function withReport(state: AppState, report: Report, ms: number | null): AppState {
  const common = {
    ...state,
    running: false,
    durationMs: ms,
    diagnostics: report.diagnostics,
    droppedDiagnostics: report.droppedDiagnostics,
  };
  if (report.run === null) return withoutRun(common);
  const key = state.wanted ?? keyOfRow(state.report, state.selected);
  const reportOf = state.source.loads;
  return {
    ...common,
    report,
    reportOf,
    ...stillKnown(state, report),
    stale: false,
    wanted: null,
    selected: key === null ? -1 : findRow(report, key),
  };
}

// What was tried holds for the same run with its trace, too, which some views ask for.
function stillKnown({ report: before, advice, trials }: AppState, report: Report): Pick<AppState, 'advice' | 'trials'> {
  const asked = ({ options, input }: Report): string => JSON.stringify({ ...options, trace: null, bytes: input.bytes });
  const known =
    before !== null && asked(before) === asked(report) && before.run?.totals.time === report.run?.totals.time;
  return {
    advice: known && advice?.of === before && !advice.busy ? { ...advice, of: report } : advice,
    trials: known
      ? new Map([...trials].filter(([, { busy }]) => !busy).map(([name, tried]) => [name, { ...tried, of: report }]))
      : new Map(),
  };
}

// While a text is edited its last good run stays, dimmed; the run of another text says nothing about this one.
function withoutRun(state: AppState): AppState {
  if (state.reportOf === state.source.loads) return { ...state, stale: state.report !== null };
  return { ...state, report: null, stale: false, selected: -1 };
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
