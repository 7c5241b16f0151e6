// Buttons that choose a policy.

import { html, type TemplateResult } from 'lit';

import type { PolicyInfo } from '../model/traits';
import type { Action } from '../model/state';

export function policyButtons(policies: readonly PolicyInfo[], send: (action: Action) => void): TemplateResult[] {
  return policies.map(
    ({ id }) =>
      html`<button class="btn" @click=${() => send({ type: 'option', id: 'policy', value: id })}>Use ${id}</button>`,
  );
}
