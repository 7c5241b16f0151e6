// Fixes the layout of an op's result by hand. Offered is what was tried under the present policy, with what the run
// gains or loses by it.

import { html, nothing, type TemplateResult } from 'lit';

import { plural } from '../model/format';
import { overrideOf, type RegretRow } from '../model/regret_rows';
import type { Report } from '../model/report';
import type { Action } from '../model/state';
import { costText, refusals, workingLayouts, type OpTrials } from '../model/trials';

export interface ForceHooks {
  readonly report: Report | null; // the present run
  readonly trials: ReadonlyMap<string, OpTrials>; // by op
  readonly send: (action: Action) => void;
  readonly tryLayouts: (name: string) => void;
}

export function forceSelect(row: RegretRow, title: string, pinned: boolean, hooks: ForceHooks): TemplateResult {
  const label = title === row.name ? title : `${title} (${row.name})`; // ops of one location share its name
  if (pinned)
    return html`<button
      class="btn"
      aria-label="Release ${label}"
      data-tip="Lets the policy choose the layout again"
      @click=${() => hooks.send({ type: 'force', name: row.name, layout: '' })}
    >
      release
    </button>`;
  const trials = hooks.trials.get(row.name);
  if (trials === undefined || trials.of !== hooks.report)
    return html`<button
      class="btn"
      aria-label="force… ${label}"
      data-tip="Tries each layout in a run of its own, under the present policy"
      @click=${() => hooks.tryLayouts(row.name)}
    >
      force…
    </button>`;
  if (trials.busy) return html`<span class="dim" role="status">trying ${trials.done.size} of ${trials.wanted}…</span>`;
  return choices(row, label, trials, hooks);
}

function choices(row: RegretRow, label: string, { of, done }: OpTrials, hooks: ForceHooks): TemplateResult {
  const before = of.run?.totals.time ?? 0;
  const works = workingLayouts(done);
  const refused = refusals(done);
  const policy = of.policy?.title ?? 'the policy';
  const left =
    refused.length === 0
      ? nothing
      : html`<span class="dim" data-tip=${refused.slice(0, 12).join('\n')}
          >${plural(refused.length, 'other')} not possible</span
        >`;
  if (works.length === 0) return html`<span class="dim">no other layout works under ${policy}</span>`;
  return html`<select
      aria-label="Force the layout of ${label}"
      @change=${(event: Event) =>
        hooks.send({ type: 'force', name: row.name, layout: overrideOf((event.target as HTMLSelectElement).value) })}
    >
      <option value="" selected>force…</option>
      ${works.map(({ layout, time }) => html`<option value=${layout}>${layout} (${costText(time, before)})</option>`)}
    </select>
    ${left}`;
}
