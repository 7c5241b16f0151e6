// What would keep a result in L1, make an op faster, or gain most: single changes that were tried, each with what it
// does, Apply and undo.

import { html, nothing, type TemplateResult } from 'lit';

import {
  gainers,
  keepers,
  netText,
  opOutcomes,
  speeders,
  staysInL1,
  triedText,
  type Advice,
  type Applied,
  type Change,
  type Tried,
} from '../model/changes';
import { formatTime } from '../model/format';
import type { Report } from '../model/report';
import type { Action } from '../model/state';
import { badge } from '../view/badge';

const kMost = 4;
const kMostGainers = 3;

export interface RemedyHooks {
  readonly report: Report | null; // the present run
  readonly advice: Advice | null;
  readonly applied: Applied | null;
  readonly planned: boolean; // a plan from outside decides: there is nothing to change
  readonly send: (action: Action) => void;
  readonly tryChanges: (name: string) => void;
}

export function appliedNote({ applied, send }: RemedyHooks): TemplateResult | typeof nothing {
  if (applied === null) return nothing;
  return html`<p class="applied" role="status">
    Applied: <b>${applied.title}</b>
    <button class="btn" @click=${() => send({ type: 'undo-change' })}>Undo</button>
  </p>`;
}

// Of an op, by its name in the report.
export function remediesView(name: string, hooks: RemedyHooks): TemplateResult | typeof nothing {
  const { report } = hooks;
  if (report?.run == null || hooks.planned) return nothing;
  const now = opOutcomes(report.run).get(name);
  if (now === undefined || now.kind === 'none') return nothing;
  const inL1 = staysInL1(now);
  const advice = present(hooks);
  const before = report.run.totals.time;
  const kept = advice === null || inL1 ? [] : keepers(advice, name).slice(0, kMost);
  const faster = advice === null ? [] : speeders(advice, name).slice(0, kMost);
  return html`<section class="remedies">
    <h3 tabindex="-1">${inL1 ? 'What would make it faster' : 'What would keep it in L1'}</h3>
    ${askButton(name, advice, hooks)} ${inL1 ? nothing : list(kept, name, before, hooks)}
    ${
      !inL1 && advice !== null && !advice.busy && kept.length === 0
        ? html`<p>None of them keeps it in L1.</p>`
        : nothing
    }
    ${faster.length > 0 && !inL1 ? html`<h4>Faster</h4>` : nothing}
    ${list(
      faster.filter((one) => !kept.includes(one)),
      name,
      before,
      hooks,
    )}
    ${
      inL1 && advice !== null && !advice.busy && faster.length === 0
        ? html`<p>None makes it faster by 5 %.</p>`
        : nothing
    }
  </section>`;
}

// Of the run.
export function gainsView(hooks: RemedyHooks): TemplateResult | typeof nothing {
  const { report } = hooks;
  if (report?.run == null || hooks.planned) return nothing;
  const advice = present(hooks);
  const found = advice === null ? [] : gainers(advice).slice(0, kMostGainers);
  return html`<section class="remedies">
    <h3 tabindex="-1">What gains most</h3>
    ${askButton('', advice, hooks)} ${list(found, '', report.run.totals.time, hooks)}
    ${advice !== null && !advice.busy && found.length === 0 ? html`<p>None of them makes the net faster.</p>` : nothing}
  </section>`;
}

function present({ advice, report }: RemedyHooks): Advice | null {
  return advice !== null && advice.of === report ? advice : null;
}

function askButton(name: string, advice: Advice | null, hooks: RemedyHooks): TemplateResult {
  const asked = advice !== null && (name === '' || advice.busy || advice.done.some(({ change }) => change.op === name));
  return html`${advice === null ? nothing : html`<p class="dim" role="status">${triedText(advice)}</p>`}${
    asked
      ? nothing
      : html`<p>
          <button
            class="btn"
            data-tip="A run each in the background: budget, grid, policies, spilling, types, layouts, order of ops"
            @click=${() => hooks.tryChanges(name)}
          >
            ${advice === null ? 'Try single changes' : 'Try its layouts and places, too'}
          </button>
        </p>`
  }`;
}

function list(
  tried: readonly Tried[],
  name: string,
  before: number,
  hooks: RemedyHooks,
): TemplateResult | typeof nothing {
  if (tried.length === 0) return nothing;
  return html`<ul class="changes">
    ${tried.map(({ change, time, ops }) => {
      const op = ops.get(name);
      return html`<li>
        <span
          ><b>${change.title}</b
          ><small
            >${op === undefined ? nothing : html`${badge(op.layout)} the op takes ${formatTime(op.time)}; `}${netText(
              time,
              before,
            )}</small
          ></span
        ><button class="btn" aria-label="Apply ${change.title}" @click=${() => apply(change, hooks)}>Apply</button>
      </li>`;
    })}
  </ul>`;
}

function apply(change: Change, { send }: RemedyHooks): void {
  send({ type: 'apply-change', change });
}
