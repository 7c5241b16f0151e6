// The filters of the schedule, its columns on demand and what its map shows.

import { css, html, nothing, type TemplateResult } from 'lit';

import { formatInteger } from '../model/format';
import type { Run } from '../model/report';
import type { ViewSettings } from '../model/state';
import { sharedStyles } from './element';
import { icons } from './icons';
import type { MapMemory } from './map_geometry';
import { Popover, popoverStyles } from './popover';
import { filterChoices, kGroupTitles, kSearchFilter, type FilterChoice, type FilterGroup } from './row_filter';

export class TesseraFilterMenu extends Popover {
  static override properties = {
    ...Popover.properties,
    run: { attribute: false },
    filters: { attribute: false },
    shown: { type: Number },
    searched: { type: Boolean },
    dram: { type: Boolean },
    heat: { type: Boolean },
    memory: { type: String },
  };
  declare run: Run | null;
  declare filters: readonly string[];
  declare shown: number; // rows that pass; -1: no filter
  declare searched: boolean; // there is a search
  declare dram: boolean;
  declare heat: boolean;
  declare memory: MapMemory;

  private choices_: { readonly run: Run; readonly all: readonly FilterChoice[] } | null = null;

  private choices(run: Run): readonly FilterChoice[] {
    if (this.choices_?.run !== run) this.choices_ = { run, all: filterChoices(run) };
    return this.choices_.all;
  }

  protected override render(): TemplateResult {
    const on = this.shown >= 0;
    const count = `${formatInteger(this.shown)} of ${formatInteger(this.run?.rows.length ?? 0)}`;
    return html`<button
        class="btn quiet ${on ? 'on' : ''}"
        aria-expanded=${this.open_ ? 'true' : 'false'}
        aria-controls="sheet"
        data-tip="Shows some steps alone, more columns, or DRAM in place of L1"
        @click=${() => (this.open_ = !this.open_)}
      >
        Filter${on ? html` <b>${count}</b>` : nothing}${icons.down}</button
      >${
        on
          ? html`<button class="btn icon quiet" aria-label="Show all steps" @click=${() => this.set({ filters: [] })}>
              ${icons.close}
            </button>`
          : nothing
      }
      <div id="sheet" class="sheet" role="group" tabindex="0" aria-label="Filter" ?hidden=${!this.open_}>
        ${this.open_ && this.run !== null ? this.renderSheet(this.run) : nothing}
      </div>`;
  }

  private renderSheet(run: Run): TemplateResult {
    const groups = new Map<FilterGroup, FilterChoice[]>();
    for (const choice of this.choices(run)) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice]);
    return html`<p class="dim">Only steps that pass one of each group. They keep their place on the map.</p>
      <fieldset>
        <legend>${kGroupTitles.search}</legend>
        ${this.renderBox(
          'what the search finds',
          this.filters.includes(kSearchFilter),
          (set) => this.toggle(kSearchFilter, set),
          {
            disabled: !this.searched,
          },
        )}
      </fieldset>
      ${[...groups].map(
        ([group, choices]) =>
          html`<fieldset>
            <legend>${kGroupTitles[group]}</legend>
            ${choices.map(({ id, title, rows }) =>
              this.renderBox(title, this.filters.includes(id), (set) => this.toggle(id, set), { rows }),
            )}
          </fieldset>`,
      )}
      <fieldset>
        <legend>Columns and map</legend>
        ${this.renderBox('DRAM traffic', this.dram, (dram) => this.set({ dram }))}
        ${this.renderBox('Regret', this.heat, (regret) => this.set({ regret }))}
        ${this.renderBox('DRAM in the map', this.memory === 'dram', (set) => this.set({ memory: set ? 'dram' : 'l1' }))}
      </fieldset>`;
  }

  private renderBox(
    title: string,
    on: boolean,
    set: (on: boolean) => void,
    { rows = -1, disabled = false }: { readonly rows?: number; readonly disabled?: boolean } = {},
  ): TemplateResult {
    return html`<label class=${disabled ? 'dim' : ''}
      ><input
        type="checkbox"
        .checked=${on}
        ?disabled=${disabled}
        @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
      />${title}${rows < 0 ? nothing : html` <span class="dim">${formatInteger(rows)}</span>`}</label
    >`;
  }

  private toggle(id: string, on: boolean): void {
    const others = this.filters.filter((filter) => filter !== id);
    this.set({ filters: on ? [...others, id] : others });
  }

  private set(view: Partial<ViewSettings>): void {
    this.send({ type: 'view', view });
  }

  static override styles = [
    sharedStyles,
    popoverStyles,
    css`
      :host {
        white-space: nowrap;
      }
      .on {
        background: var(--select);
        color: var(--accent);
      }
      .sheet {
        width: 340px;
        white-space: normal;
      }
      @media (max-width: 820px) {
        .sheet {
          width: auto;
        }
        label {
          min-height: 44px;
        }
      }
      p {
        font-size: 12px;
        margin: 8px 0 0;
      }
      fieldset {
        border: 0;
        border-top: 1px solid var(--line);
        margin: 8px 0 0;
        padding: 4px 0 0;
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 0 10px;
      }
      legend {
        float: left;
        grid-column: 1 / -1;
        padding: 0;
        font-size: 11px;
        color: var(--dim);
        text-transform: uppercase;
        letter-spacing: 0.04em;
      }
      label {
        display: flex;
        gap: 6px;
        align-items: center;
        min-height: 26px;
      }
      label .dim {
        margin-left: auto;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];
}

customElements.define('tessera-filter-menu', TesseraFilterMenu);
