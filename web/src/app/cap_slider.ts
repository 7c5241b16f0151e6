// How much of L1 a plan may fill: what people try out most, in every view that shows what comes of it.

import { html, type TemplateResult } from 'lit';

import '../beam/knobs';
import { effectivePolicy, type AppState } from '../model/state';

export function capSlider(state: AppState): TemplateResult {
  return html`<tessera-knobs
    slot="tools"
    only="tensor-l1-usage-cap"
    .catalog=${state.catalog}
    .options=${state.options}
    .effective=${state.report?.options ?? {}}
    .policy=${effectivePolicy(state)}
  ></tessera-knobs>`;
}
