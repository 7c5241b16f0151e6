// Says that the times on the page are calibrated, and with what; shown whatever view is looked at.

import { html, nothing, type TemplateResult } from 'lit';

import { kCalibration, readCalibration } from '../model/profile';
import type { AppState } from '../model/state';

export function calibrationNote(state: AppState, release: () => void): TemplateResult | typeof nothing {
  const factors = readCalibration(state.options[kCalibration]);
  if (factors.length === 0) return nothing;
  return html`<p class="calibration" role="status">
    <b>Calibrated times:</b> <span>${factors.map(([family, factor]) => `${family} × ${factor}`).join(', ')}</span>
    <button class="link" @click=${release}>Back to the model’s own</button>
  </p>`;
}
