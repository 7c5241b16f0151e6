// Said above a picture that is of an earlier text.

import { html, nothing, type TemplateResult } from 'lit';

import { formatInteger } from '../model/format';
import type { AppState } from '../model/state';
import { isAboutForced } from '../model/trials';
import './forced_note';

export function staleNote(state: AppState, goTo: (line: number, column: number) => void): TemplateResult {
  const errors = state.diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  if (first !== undefined && errors.every(isAboutForced))
    return html`<tessera-forced-note .state=${state}></tessera-forced-note>`;
  return html`<p class="stalenote">
    <b>${formatInteger(errors.length)} ${errors.length === 1 ? 'error' : 'errors'}</b> in the text. What you see is the
    last version that could be read.
    ${
      first === undefined
        ? nothing
        : html`<button class="link" @click=${() => goTo(first.line, first.column)}>Go to line ${first.line}</button>`
    }
  </p>`;
}
