// L1 addresses of a run: as the runtime's first fit gives them out, planned ahead of time, and the least that any plan
// needs.

import { html, nothing, svg, type TemplateResult } from 'lit';

import { formatBytes } from '../model/format';
import type { Run } from '../model/report';
import { placementText } from '../view/placement_text';

export function placementView(
  run: Run,
  shown: boolean,
  show: (planned: boolean) => void,
): TemplateResult | typeof nothing {
  const { placement } = run;
  if (placement === undefined || placement.firstFit <= 0) return nothing;
  const most = Math.max(placement.firstFit, 1);
  const bar = (name: string, title: string, bytes: number): TemplateResult =>
    html`<li>
      <span>${title}</span
      ><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        ${svg`<rect class="free" width="100" height="8"/>
          <rect class=${name} width=${(bytes / most) * 100} height="8"/>`}</svg
      ><span class="num">${formatBytes(bytes)}</span>
    </li>`;
  return html`<section class="placement">
    <h3>L1 addresses <i>tensors, per core</i></h3>
    <ul>
      ${bar('now', 'First fit', placement.firstFit)}${bar('planned', 'Planned', placement.planned)}
      ${bar('bound', 'Alive at once', placement.bound)}
    </ul>
    <p class="dim">${placementText(placement)}</p>
    ${
      placement.planned < placement.firstFit
        ? html`<p class="force">
            <button class="btn" aria-pressed=${shown ? 'true' : 'false'} @click=${() => show(!shown)}>
              ${shown ? 'Show the runtime’s addresses' : 'Show the planned addresses'}
            </button>
          </p>`
        : nothing
    }
  </section>`;
}
