// Which forward function is run, where a file has several.

import { html, nothing, type TemplateResult } from 'lit';

import { plural } from '../model/format';
import { kFunction } from '../model/plan';
import { effectiveOption, type AppState } from '../model/state';

// `choose` is given the value of the option: the first function is its default.
export function functionSelect(state: AppState, choose: (value: string) => void): TemplateResult | typeof nothing {
  const functions = state.report?.input.forward ?? [];
  if (functions.length < 2) return nothing;
  const asked = String(effectiveOption(state, kFunction) ?? '');
  return html`<select
    class="function"
    aria-label="Function"
    data-tip="The file has several functions that run on the device; this one is laid out"
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
  >
    ${functions.map(({ name, ops }, i) => {
      const current = asked === name || (asked === '' && i === 0);
      return html`<option value=${i === 0 ? '' : name} .selected=${current}>@${name} · ${plural(ops, 'op')}</option>`;
    })}
  </select>`;
}
