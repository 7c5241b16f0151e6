// What the schedule shows of its filters: their menu, which comes in a chunk of its own, and what stands in place of
// rows when none passes.

import { html, nothing, type TemplateResult } from 'lit';

import type { Run } from '../model/report';
import type { MapMemory } from './map_geometry';
import type { RowFinder } from './row_finder';

export interface FilterSettings {
  readonly run: Run | null;
  readonly filters: readonly string[];
  readonly dram: boolean;
  readonly heat: boolean;
  readonly memory: MapMemory;
}

export function filterMenu({ run, filters, dram, heat, memory }: FilterSettings, rows: RowFinder): TemplateResult {
  return html`<tessera-filter-menu
    .run=${run}
    .filters=${filters}
    .shown=${rows.shown?.length ?? -1}
    .searched=${rows.searched}
    .dram=${dram}
    .heat=${heat}
    .memory=${memory}
  ></tessera-filter-menu>`;
}

export function noneShown({ shown }: RowFinder, showAll: () => void): TemplateResult | typeof nothing {
  if (shown === null || shown.length > 0) return nothing;
  return html`<p class="none" role="note">
    No step passes the filter. <button class="btn" @click=${showAll}>Show all steps</button>
  </p>`;
}
