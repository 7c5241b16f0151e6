// What the optimum does with the selected op, and the layout forced by hand.

import { html, nothing, type TemplateResult } from 'lit';

import type { RegretResult } from '../model/exact';
import { forcedOps, type ForcedOp } from '../model/forced';
import { dishonoured } from '../model/trials';
import type { OptionValue } from '../model/option_values';
import { forceSelect, type ForceHooks } from '../view/force_select';
import { besideOptimum, type HeatCell } from '../model/regret_heat';
import { forcedCost } from '../model/regret_rows';

export interface OptimumContext {
  readonly regret: RegretResult | null; // of this run; null: not known yet
  readonly free: RegretResult | null;
  readonly forced: OptionValue | null;
  readonly cells: ReadonlyMap<number, HeatCell>;
}

export function besideOptimumView(
  context: OptimumContext,
  at: number,
  title: string,
  hooks: ForceHooks,
): TemplateResult | typeof nothing {
  const cell = context.cells.get(at);
  const { regret } = context;
  if (cell === undefined || regret === null) return nothing;
  const forced = forcedOps(context.forced);
  const pinned = forced.some(({ name }) => name === cell.row.name);
  return html`<section class="optimum">
    <h3>Beside the optimum</h3>
    <p>${besideOptimum(cell.row)}</p>
    <p class="force">
      ${forceSelect(cell.row, title, pinned, hooks)}${pinnedNote(hooks.report, forced, cell.row.name)}
    </p>
    ${
      forced.length === 0
        ? nothing
        : html`<p class="dim">
            ${forced.length === 1 ? 'One layout is' : `${forced.length} layouts are`} forced.
            ${forcedCost(regret, context.free, forced.length)}
          </p>`
    }
  </section>`;
}

// Said beside the control, where the run does otherwise.
function pinnedNote(
  report: ForceHooks['report'],
  forced: readonly ForcedOp[],
  name: string,
): TemplateResult | typeof nothing {
  const own = forced.find((one) => one.name === name);
  const now = own === undefined ? '' : dishonoured(report, name, own.layout);
  return now === '' ? nothing : html` <b class="dishonoured">${own!.layout} is not honoured: ${now}</b>`;
}
