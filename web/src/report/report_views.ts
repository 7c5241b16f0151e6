// The views of a report that need no engine. Each but the first comes in a chunk of its own, when it is first shown.

import { html, type TemplateResult } from 'lit';

import type { Options } from '../model/option_values';
import type { Report, Run } from '../model/report';
import type { Looking } from './report_state';

export interface ReportScene {
  readonly report: Report;
  readonly run: Run;
  readonly compared: readonly Report[]; // with the report itself; fewer than two: there is nothing to compare
  readonly looking: Looking;
  readonly narrow: boolean;
  readonly themeKey: string;
}

export interface ReportView {
  readonly id: string; // in the attribute `view`
  readonly title: string;
  readonly only?: 'narrow'; // beside the schedule where there is room
  readonly has?: (report: Report, compared: readonly Report[]) => boolean;
  readonly load?: () => Promise<unknown>;
  readonly render: (scene: ReportScene) => TemplateResult;
}

function schedule({ report, run, looking, narrow, themeKey }: ReportScene, show: string): TemplateResult {
  const { selected, query, view } = looking;
  return html`<tessera-schedule
    alone
    ?compact=${narrow}
    .run=${run}
    .device=${report.device}
    .selected=${selected}
    .query=${query}
    .split=${view.split}
    .whole=${view.whole}
    ?planned=${view.planned}
    .memory=${view.memory}
    ?dram=${view.dram}
    .filters=${view.filters}
    .show=${show}
    .themeKey=${themeKey}
  ></tessera-schedule>`;
}

function why({ report, run, looking }: ReportScene): TemplateResult {
  return html`<tessera-why
    alone
    role="group"
    aria-label="Why"
    .run=${run}
    .device=${report.device}
    .report=${report}
    .selected=${looking.selected}
    ?planned=${looking.view.planned}
  ></tessera-why>`;
}

export const kReportViews: readonly ReportView[] = [
  {
    id: 'schedule',
    title: 'Schedule',
    render: (scene) => schedule(scene, scene.narrow ? 'table' : 'both'),
  },
  { id: 'map', title: 'L1 map', render: (scene) => schedule(scene, 'map') },
  { id: 'why', title: 'Why', only: 'narrow', render: why },
  {
    id: 'steps',
    title: 'Steps',
    load: () => import('../steps/stepper'),
    render: (scene) =>
      html`${schedule(scene, scene.narrow ? 'table' : 'both')}<tessera-stepper
          alone
          .report=${scene.report}
          .step=${scene.looking.view.step ?? -1}
          .selected=${scene.looking.selected}
        ></tessera-stepper>`,
  },
  {
    id: 'graph',
    title: 'Graph',
    load: () => import('../graph/graph'),
    render: ({ run, looking, themeKey }) =>
      html`<tessera-graph .run=${run} .selected=${looking.selected} .themeKey=${themeKey}></tessera-graph>`,
  },
  {
    id: 'compare',
    title: 'Compare',
    has: (_, compared) => compared.length > 1,
    load: () => import('../compare/compare'),
    render: ({ run, compared, looking, themeKey }) =>
      html`<tessera-compare
        alone
        .runs=${compared.map(settingsOf)}
        .reports=${compared}
        .selected=${run.rows[looking.selected]?.name ?? ''}
        .themeKey=${themeKey}
      ></tessera-compare>`,
  },
];

export { why as whyPanel };

function settingsOf({ options }: Report): Options {
  return { policy: String(options['policy'] ?? ''), device: String(options['device'] ?? '') };
}
