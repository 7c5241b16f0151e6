// The views in the middle of the page, in the order of their buttons. A new view is its element, its folder
// in `WEB_VIEWS` (scripts/check_includes.py) and an entry here; one that asks the engine for something has a line in
// `Answers` (model/state.ts) as well.

import { html, type TemplateResult } from 'lit';

import type { Plan } from '../model/generated/plan';
import { comparedRuns, runRequests } from '../model/compared_runs';
import { compiledRuns } from '../model/compiled';
import type { Outcome } from '../engine/client';
import { kForcedOption } from '../model/forced';
import { presentEdit } from '../model/hand_edit';
import { askedRun } from '../model/plan';
import { kCalibration } from '../model/profile';
import type { Run } from '../model/report';
import {
  carriesLayouts,
  effectiveOption,
  effectivePolicy,
  presentRegret,
  type Action,
  type AppState,
} from '../model/state';
import { hasTrait } from '../model/traits';
import { capSlider } from './cap_slider';
import { question, type Question } from './question';
import { loadStepper, stepperPane, tracesSteps } from './stepper_pane';

export interface Page {
  readonly state: AppState;
  readonly run: Run;
  readonly narrow: boolean;
  readonly themeKey: string; // changes with the colours: what is drawn on a canvas is drawn again
  readonly send: (action: Action) => void;
}

export interface View {
  readonly id: string; // in links
  readonly title: string;
  readonly help: string;
  readonly load: (state: AppState) => Promise<unknown>; // defines its element
  readonly render: (page: Page) => TemplateResult;
  readonly alone?: (state: AppState) => TemplateResult | null; // what it shows without a run; null: nothing
  readonly question?: Question; // asked while the view is shown, after every change of text or options
  readonly tracesRun?: (state: AppState) => boolean; // the main run carries the option `trace` for it
}

const schedule: View = {
  id: 'schedule',
  title: 'Schedule',
  help: 'Every op in order, where its result lives, and L1 over time',
  load: loadStepper, // the schedule itself is there from the start: app.ts imports it
  render: ({ state, run, narrow, themeKey, send }) =>
    html`<tessera-schedule
        class=${state.stale ? 'stale' : ''}
        ?compact=${narrow}
        .run=${run}
        .device=${state.report?.device ?? null}
        .selected=${state.selected}
        .query=${state.query}
        .split=${state.view.split}
        .whole=${state.view.whole}
        ?planned=${state.view.planned}
        .memory=${state.view.memory}
        ?dram=${state.view.dram}
        .filters=${state.view.filters}
        .regret=${presentRegret(state)}
        ?heat=${state.view.regret}
        ?proving=${state.answers.regret.busy}
        .loads=${state.source.loads}
        .show=${state.view.tab === 'map' ? 'map' : narrow ? 'table' : 'both'}
        .themeKey=${themeKey}
        >${capSlider(state)}</tessera-schedule
      >${stepperPane(state, send)}`,
  tracesRun: tracesSteps,
};

const graph: View = {
  id: 'graph',
  title: 'Graph',
  help: 'The whole net with each L1 chain as one node, and what moves between them',
  load: () => import('../graph/graph'),
  render: ({ state, run, themeKey }) =>
    html`<tessera-graph .run=${run} .selected=${state.selected} .themeKey=${themeKey}></tessera-graph>`,
};

const compare: View = {
  id: 'compare',
  title: 'Compare',
  help: 'Several policies or devices side by side',
  load: () => import('../compare/compare'),
  render: ({ state, themeKey }) =>
    html`<tessera-compare
      .catalog=${state.catalog}
      .base=${state.options}
      .runs=${comparedRuns(state)}
      .reports=${state.answers.comparison.value}
      .busy=${state.answers.comparison.busy}
      .selected=${state.report?.run?.rows[state.selected]?.name ?? ''}
      .policy=${effectivePolicy(state)}
      .plan=${state.plan}
      .themeKey=${themeKey}
    ></tessera-compare>`,
  question: question({
    what: 'comparison',
    failure: 'The runs could not be compared.',
    dependsOn: (state) => JSON.stringify(comparedRuns(state)),
    ask: async (state, client) =>
      mapped(
        await client.compare(state.source.text, runRequests(state.options, comparedRuns(state), state.plan)),
        ({ runs }) => runs,
      ),
  }),
};

const compiled: View = {
  id: 'compiled',
  title: 'As compiled',
  help: 'The plan that the compiler wrote, its distance to the proven optimum, and the ops that lose most',
  load: () => import('../compiled/compiled'),
  render: ({ state }) =>
    html`<tessera-compiled
      .answer=${state.answers.compiled.value}
      ?busy=${state.answers.compiled.busy}
      ?carries=${carriesLayouts(state)}
    ></tessera-compiled>`,
  question: question({
    what: 'compiled',
    forget: true,
    failure: 'The graph could not be re-optimized.',
    applies: carriesLayouts,
    dependsOn: carriesLayouts,
    ask: async (state, client) => {
      const runs = compiledRuns(state);
      if (runs === null) return { kind: 'superseded' };
      const compared = await client.compare(state.source.text, runs);
      if (compared.kind !== 'done') return compared;
      const overrides = await client.exportFile(state.source.text, runs.at(-1)!, 'overrides');
      return mapped(overrides, ({ content }) => ({ reports: compared.value.runs, overrides: content ?? '' }));
    },
  }),
};

const beam: View = {
  id: 'beam',
  title: 'Beam',
  help: 'Candidates of every op, where each comes from, and what had to leave L1',
  load: () => import('../beam/beam'),
  render: ({ state, themeKey }) => beamView(state, themeKey),
  // With the main run, not beside it: a second run would double the time to a moved slider's picture.
  tracesRun: (state) => state.openedTrace === null && hasTrait(state.catalog, effectivePolicy(state), 'beam-trace'),
};

// Also without a run, when a decision trace was opened.
export function beamView(state: AppState, themeKey: string): TemplateResult {
  return html`<tessera-beam
    .report=${state.report}
    .opened=${state.openedTrace}
    .selected=${state.selected}
    ?busy=${state.running}
    .catalog=${state.catalog}
    .options=${state.options}
    .policy=${effectivePolicy(state)}
    .themeKey=${themeKey}
  ></tessera-beam>`;
}

// Its answer is looked for after every run, whatever is looked at: prover.ts.
const optimum: View = {
  id: 'optimum',
  title: 'Optimum',
  help: 'How far this run is from the proven optimum, and what the optimum does instead',
  load: () => import('../optimum/optimum'),
  render: ({ state, run }) =>
    html`<tessera-optimum
      .result=${state.answers.regret.value}
      ?outdated=${state.regretOf !== state.report}
      .run=${run}
      .free=${state.freeRegret}
      .forced=${effectiveOption(state, kForcedOption)}
      .report=${state.report}
      .trials=${state.trials}
      ?undoable=${state.forcedBefore.length > 0}
      .problem=${state.proofProblem}
      .certificate=${state.certificate}
      .catalog=${state.catalog}
      ?busy=${state.answers.regret.busy}
      >${capSlider(state)}</tessera-optimum
    >`,
};

const passes: View = {
  id: 'passes',
  title: 'Passes',
  help: 'What each pass did to the graph, and where its ops went',
  load: () => import('../passes/passes'),
  render: ({ state }) =>
    html`<tessera-passes
      .result=${state.answers.passes.value}
      .checks=${state.answers.passChecks.value}
      .execution=${state.answers.execution.value}
      ?busy=${state.answers.passes.busy}
      ?checking=${state.answers.passChecks.busy}
      ?executing=${state.answers.execution.busy}
    ></tessera-passes>`,
  question: question({
    what: 'passes',
    failure: 'The passes could not be listed.',
    ask: (state, client) => client.passes(state.source.text, askedRun(state)),
  }),
};

const handEdit: View = {
  id: 'handedit',
  title: 'By hand',
  help: 'Change every layout, conversion and move of the present plan, from what is legal',
  load: () => import('../handedit/handedit'),
  render: ({ state, run }) =>
    html`<tessera-handedit
      .edit=${presentEdit(state, state.answers.handEdit.value)}
      ?busy=${state.answers.handEdit.busy}
      .run=${run}
      .problems=${planProblems(state)}
      .history=${state.planHistory}
      .selected=${state.selected}
      ?written=${hasTrait(state.catalog, effectivePolicy(state), 'as-it-stands') && carriesLayouts(state)}
    ></tessera-handedit>`,
  question: question({
    what: 'handEdit',
    failure: 'What is legal could not be listed.',
    applies: (state) => !(hasTrait(state.catalog, effectivePolicy(state), 'as-it-stands') && carriesLayouts(state)),
    dependsOn: effectivePolicy,
    ask: async (state, client) => {
      const problem = await client.problem(state.source.text, state.options);
      if (problem.kind !== 'done') return problem;
      const of = askedRun(state);
      const file = await client.exportFile(state.source.text, of, 'plan');
      return mapped(file, ({ content }) =>
        problem.value.problem === null || content === null
          ? null
          : { problem: problem.value.problem, plan: JSON.parse(content) as Plan, of },
      );
    },
  }),
};

// What is illegal in the plan in use.
function planProblems({ plan, diagnostics }: AppState): AppState['diagnostics'] {
  return plan === null ? [] : diagnostics.filter(({ kind }) => kind.startsWith('Plan'));
}

export const kPolicyView = 'policylab';

const policylab: View = {
  id: kPolicyView,
  title: 'Policy lab',
  help: 'Write a policy of your own, run it here, and on all samples against the others',
  load: () => import('../policylab/policylab'),
  render: ({ state, run }) =>
    html`<tessera-policylab
      .lab=${state.policyLab}
      .problems=${planProblems(state)}
      .time=${state.plan === null || state.running ? -1 : run.totals.time}
    ></tessera-policylab>`,
};

export const kStudyView = 'study';

const study: View = {
  id: kStudyView,
  title: 'Study',
  help: 'Many graphs under many policies: drop files or a folder, or look at the samples',
  load: () => import('../study/study'),
  render: ({ state }) => studyView(state),
  alone: (state) => studyView(state),
};

function studyView(state: AppState): TemplateResult {
  return html`<tessera-study
    .samples=${state.samples}
    .catalog=${state.catalog}
    .code=${state.policyLab.code}
  ></tessera-study>`;
}

const log: View = {
  id: 'log',
  title: 'Log',
  help: 'Every pass of a log that the compiler wrote, and what it changed',
  load: () => import('../passes/pass_log'),
  render: ({ state }) => logView(state),
  alone: (state) => (state.openedLog === null ? null : logView(state)),
};

function logView(state: AppState): TemplateResult {
  return html`<tessera-pass-log .log=${state.openedLog}></tessera-pass-log>`;
}

const measured: View = {
  id: 'measured',
  title: 'Measured',
  help: 'Times of a profile of the device beside the predicted ones',
  load: () => import('../measured/measured'),
  render: ({ state, run }) => measuredView(state, run),
  alone: (state) => (state.openedProfile === null ? null : measuredView(state, null)),
  question: question({
    what: 'profile',
    alone: true,
    failure: 'The profile could not be read.',
    dependsOn: ({ openedProfile, report }) => [openedProfile, report],
    ask: async (state) => (await import('./profile_asker')).askProfile(state),
  }),
};

function measuredView(state: AppState, run: Run | null): TemplateResult {
  return html`<tessera-measured
    .profile=${state.openedProfile}
    .answer=${state.openedProfile === null ? null : state.answers.profile.value}
    ?busy=${state.answers.profile.busy}
    .run=${run}
    .calibration=${state.options[kCalibration] ?? ''}
    .catalog=${state.catalog}
  ></tessera-measured>`;
}

export const kViews: readonly View[] = [
  ...[schedule, graph, compare, compiled, beam, optimum, passes, log],
  ...[handEdit, policylab, measured, study],
];

// A link may name a view that is not there: the first one is shown.
export function viewOf(state: AppState): View {
  return kViews.find(({ id }) => id === state.view.main) ?? schedule;
}

function mapped<A, B>(outcome: Outcome<A>, map: (value: A) => B): Outcome<B> {
  return outcome.kind === 'done' ? { ...outcome, value: map(outcome.value) } : outcome;
}
