// The options that a search is most sensitive to, as sliders that run again while they move.

import { css, html, nothing, type TemplateResult } from 'lit';

import { readNumber } from '../model/option_values';
import type { Catalog, OptionInfo } from '../model/report';
import type { Options, OptionValue } from '../model/option_values';
import { readsOption } from '../model/traits';
import { sharedStyles, TesseraElement } from '../view/element';

const kKnobs: readonly string[] = [
  'beam-width',
  'tensor-l1-usage-cap',
  'max-legal-layouts',
  'max-grid-rows',
  'max-grid-cols',
  'layout-score',
  'fork-rule',
  'spill-victim',
];
const kMostSlots = 64; // where a slider for layouts ends; the field of the options takes more

// Parts of a whole as percent.
function shownValue(info: OptionInfo, value: OptionValue): string {
  return info.type === 'number' && info.max === 1 && typeof value === 'number'
    ? `${Math.round(value * 100)} %`
    : String(value);
}

export class TesseraKnobs extends TesseraElement {
  static override properties = {
    catalog: { attribute: false },
    options: { attribute: false },
    effective: { attribute: false },
    policy: { attribute: false },
    only: { type: String },
  };
  declare catalog: Catalog | null;
  declare options: Options;
  declare effective: Options; // what the last run was made with: presets decide what the user left open
  declare policy: string;
  declare only: string | undefined; // one option, its label beside its slider; else all

  private set(info: OptionInfo, value: OptionValue): void {
    this.send({ type: 'option', id: info.id, value });
    this.ask({ type: 'slider-moved' });
  }

  private current(info: OptionInfo): OptionValue {
    return this.options[info.id] ?? this.effective[info.id] ?? info.default;
  }

  protected override render(): TemplateResult {
    return html`${kKnobs
      .filter((id) => this.only === undefined || id === this.only)
      .map((id) => {
        const info = this.catalog?.options.find((option) => option.id === id);
        return info === undefined || !readsOption(info, this.policy) ? nothing : this.renderKnob(info);
      })}`;
  }

  private renderKnob(info: OptionInfo): TemplateResult {
    const value = this.current(info);
    if (info.type === 'choice') {
      return html`<label data-tip=${info.help}
        ><span>${info.title}</span
        ><select @change=${(event: Event) => this.set(info, (event.target as HTMLSelectElement).value)}>
          ${info.choices.map(
            (choice) => html`<option value=${choice.id} .selected=${choice.id === value}>${choice.title}</option>`,
          )}
        </select></label
      >`;
    }
    const most = this.mostOf(info);
    return html`<label data-tip=${info.help}
      ><span>${info.title} <b>${shownValue(info, typeof value === 'number' ? Math.min(value, most) : value)}</b></span
      ><input
        type="range"
        min=${info.min}
        max=${most}
        step=${info.step}
        .value=${String(value)}
        @input=${(event: Event) =>
          this.set(info, readNumber(info, (event.target as HTMLInputElement).value) ?? info.default)}
    /></label>`;
  }

  // Where the slider ends: at what the device has, for the grid.
  private mostOf(info: OptionInfo): number {
    const device = this.catalog?.devices.find(({ id }) => id === (this.options['device'] ?? this.effective['device']));
    if (info.id === 'max-legal-layouts') return Math.min(info.max, kMostSlots);
    if (info.id === 'max-grid-rows') return device?.grid[0] ?? info.max;
    if (info.id === 'max-grid-cols') return device?.grid[1] ?? info.max;
    return info.max;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: contents;
      } /* its labels stand in the bar's own rows */
      label {
        display: grid;
        gap: 2px;
        font-size: 12px;
        color: var(--dim);
      }
      b {
        color: var(--ink);
        font-variant-numeric: tabular-nums;
        display: inline-block;
        min-width: 32px;
      }
      input[type='range'] {
        width: 100%;
        min-width: 92px;
        min-height: 28px;
        margin: 0;
        accent-color: var(--accent);
      }
      select {
        color: var(--ink);
        max-width: 150px;
      }
      :host([only]) label {
        display: flex;
        align-items: center;
        gap: 8px;
        white-space: nowrap;
      }
      :host([only]) b {
        min-width: 42px;
        text-align: right;
      }
      @media (max-width: 820px) {
        label {
          font-size: 11px;
          white-space: nowrap;
        }
        b {
          min-width: 0;
        }
        :host(:not([only])) input[type='range'] {
          min-width: 0;
        }
        label:has(select) {
          display: none;
        }
      }
    `,
  ];
}

customElements.define('tessera-knobs', TesseraKnobs);
