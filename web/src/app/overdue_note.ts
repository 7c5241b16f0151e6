// An engine that works for longer than was to be expected may have much to do, or hang: the user decides.

import { html, nothing, type TemplateResult } from 'lit';

import { formatInteger } from '../model/format';
import type { Overdue } from '../model/overdue';

const kWork: Readonly<Record<string, string>> = {
  run: 'The run',
  compare: 'The comparison',
  passes: 'The list of passes',
  checkPasses: 'The check of the passes',
  executePlan: 'The execution of the plan',
  export: 'The export',
  problem: 'The list of what is legal',
  decisionTrace: 'Reading the trace',
};

export type OverdueChoice = 'wait' | 'repeat' | 'stop';

export function overdueNote(
  overdue: Overdue | null,
  choose: (choice: OverdueChoice) => void,
): TemplateResult | typeof nothing {
  if (overdue === null) return nothing;
  return html`<section class="question" role="region" aria-label="A long run">
    <p role="status">
      ${kWork[overdue.call] ?? 'The engine'} is still going on after ${formatInteger(Math.round(overdue.ms / 1000))} s,
      longer than was to be expected.
    </p>
    <button class="btn" data-tip="Asks again after as long a time" @click=${() => choose('wait')}>Wait</button>
    <button class="btn" data-tip="In a new worker" @click=${() => choose('repeat')}>Start it again</button>
    <button class="btn" @click=${() => choose('stop')}>Stop</button>
  </section>`;
}
