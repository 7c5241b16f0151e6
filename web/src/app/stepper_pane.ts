// The stepper under the schedule: a line while it is folded; its code comes when it is first opened.

import { html, type TemplateResult } from 'lit';

import { effectivePolicy, type Action, type AppState } from '../model/state';
import { hasTrait } from '../model/traits';
import { icons } from '../view/icons';

export async function loadStepper({ view }: AppState): Promise<void> {
  if (view.step !== null) await import('../steps/stepper');
}

// The steps of these policies are in the trace of a run.
export function tracesSteps(state: AppState): boolean {
  const policy = effectivePolicy(state);
  return (
    state.view.step !== null &&
    state.plan === null &&
    (hasTrait(state.catalog, policy, 'chain-trace') || hasTrait(state.catalog, policy, 'beam-trace'))
  );
}

export function stepperPane(state: AppState, send: (action: Action) => void): TemplateResult {
  const { step } = state.view;
  if (step === null)
    return html`<button
      class="steps"
      aria-expanded="false"
      data-tip="What the policy did, one step at a time: candidates, chains, spills, price rounds"
      @click=${() => send({ type: 'view', view: { step: -1 } })}
    >
      ${icons.up} Step by step
    </button>`;
  return html`<tessera-stepper
    .report=${state.report}
    .catalog=${state.catalog}
    .step=${step}
    .selected=${state.selected}
    ?waiting=${tracesSteps(state) && state.report?.options['trace'] !== true}
  ></tessera-stepper>`;
}
