// The rest of the options, in a popover, each with a control of its type.

import { css, html, nothing, type TemplateResult } from 'lit';

import type { Catalog, OptionInfo } from '../model/report';
import type { Options, OptionValue } from '../model/option_values';
import { sharedStyles } from '../view/element';
import { icons } from '../view/icons';
import { optionControl } from '../view/option_control';
import { Popover, popoverStyles } from '../view/popover';

const kOwnControl = new Set(['device', 'policy', 'function']);

export class TesseraOptions extends Popover {
  static override properties = { catalog: { attribute: false }, options: { attribute: false } };
  declare catalog: Catalog | null;
  declare options: Options;

  constructor() {
    super();
    this.catalog = null;
    this.options = {};
  }

  private get shown(): readonly OptionInfo[] {
    return this.catalog?.options.filter((option) => !kOwnControl.has(option.id)) ?? [];
  }

  protected override render(): TemplateResult | typeof nothing {
    const changed = this.shown.filter((option) => this.options[option.id] !== undefined).length;
    return html`<button
        class="btn"
        data-tip="Budget of L1, overrides, passes: everything else that decides the run"
        aria-expanded=${this.open_ ? 'true' : 'false'}
        aria-controls="sheet"
        ?disabled=${this.shown.length === 0}
        @click=${() => (this.open_ = !this.open_)}
      >
        ${icons.sliders}<span class="word">Options</span
        >${changed > 0 ? html`<b class="count">${changed}<span class="vh"> changed</span></b>` : nothing}
      </button>
      <div id="sheet" class="sheet" role="group" aria-label="Options" ?hidden=${!this.open_}>
        ${this.open_ ? this.renderSheet(changed) : nothing}
      </div>`;
  }

  private renderSheet(changed: number): TemplateResult {
    return html`<div class="top">
        <h2>Options</h2>
        <button class="btn quiet" ?disabled=${changed === 0} @click=${this.reset}>Reset</button>
      </div>
      <ul>
        ${this.shown.map((info) => this.renderOption(info))}
      </ul>`;
  }

  private readonly reset = (): void => {
    for (const info of this.shown) if (this.options[info.id] !== undefined) this.set(info, info.default);
  };

  private set(info: OptionInfo, value: OptionValue): void {
    this.send({ type: 'option', id: info.id, value });
  }

  private renderOption(info: OptionInfo): TemplateResult {
    const value = this.options[info.id] ?? info.default;
    const own = this.options[info.id] !== undefined;
    return html`<li class=${own ? 'own' : ''}>
      <label for="o-${info.id}">${info.title}</label>${optionControl(info, value, {
        id: `o-${info.id}`,
        help: `h-${info.id}`,
        set: (changed) => this.set(info, changed),
      })}
      <p id="h-${info.id}">
        <code>${info.id}</code>
        ${info.help}${own ? html` <span class="default">Default: ${String(info.default)}.</span>` : nothing}
      </p>
    </li>`;
  }

  static override styles = [
    sharedStyles,
    popoverStyles,
    css`
      .count {
        background: var(--accent);
        color: var(--accent-ink);
        border-radius: 9px;
        font-size: 11px;
        padding: 0 6px;
        line-height: 17px;
      }
      .top {
        display: flex;
        justify-content: space-between;
        align-items: center;
        position: sticky;
        top: -4px;
        background: var(--panel);
        padding: 8px 0 4px;
      }
      h2 {
        font-size: 13px;
      }
      li {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 2px 12px;
        align-items: center;
        padding: 8px 0;
        border-top: 1px solid var(--line);
      }
      li.own label {
        color: var(--accent);
      }
      label {
        font-weight: 550;
      }
      p {
        grid-column: 1 / -1;
        color: var(--dim);
        font-size: 12px;
      }
      code {
        font: 11px var(--mono);
        color: var(--ink);
        background: var(--soft);
        border-radius: 4px;
        padding: 1px 4px;
      }
      input[type='number'] {
        width: 110px;
        text-align: right;
      }
      input[type='text'] {
        width: 170px;
      }
      input[type='checkbox'] {
        width: 18px;
        height: 18px;
        accent-color: var(--accent);
      }
      select {
        max-width: 190px;
      }
      @media (max-width: 820px) {
        .word {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
      }
    `,
  ];
}

customElements.define('tessera-options', TesseraOptions);
