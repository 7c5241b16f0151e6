// Fixes the layout of an op's result by hand; each choice says what it costs the optimum.

import { html, type TemplateResult } from 'lit';

import { formatTime } from '../model/format';
import type { Action } from '../model/state';
import { overrideOf, type RegretRow } from '../model/regret_rows';

export function forceSelect(
  row: RegretRow,
  title: string,
  pinned: boolean,
  send: (action: Action) => void,
): TemplateResult {
  const choices = row.choices.filter(({ layout }) => overrideOf(layout) !== '');
  const label = title === row.name ? title : `${title} (${row.name})`; // ops of one location share its name
  return html`<select
    aria-label="Force the layout of ${label}"
    class=${pinned ? 'pinned' : ''}
    @change=${(event: Event) =>
      send({ type: 'force', name: row.name, layout: overrideOf((event.target as HTMLSelectElement).value) })}
  >
    <option value="" .selected=${!pinned}>${pinned ? 'release' : 'force…'}</option>
    ${choices.map(
      ({ layout, regret }) =>
        html`<option value=${layout} .selected=${pinned && layout === row.present} ?disabled=${regret < 0}>
          ${layout} (${regret < 0 ? 'impossible' : `+${formatTime(regret)}`})
        </option>`,
    )}
  </select>`;
}
