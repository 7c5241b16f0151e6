// On narrow screens one part of the page is shown at a time: one row of buttons chooses it.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { Diagnostic } from '../model/report';
import type { Tab } from '../model/state';
import { countFaults, faultsKind, faultsText } from '../model/text_faults';
import { sharedStyles, TesseraElement } from '../view/element';
import { kViews } from './views';

interface Part {
  readonly tab: Tab;
  readonly main: string | null; // id of a view; null: whatever it is
  readonly title: string;
}

const [kFirst, ...kOthers] = kViews;
const kParts: readonly Part[] = [
  { tab: 'schedule', main: kFirst!.id, title: kFirst!.title },
  { tab: 'map', main: kFirst!.id, title: 'L1 map' },
  { tab: 'why', main: null, title: 'Why' },
  ...kOthers.map(({ id, title }): Part => ({ tab: 'schedule', main: id, title })),
  { tab: 'source', main: null, title: 'Source' },
];

export class TesseraNarrowTabs extends TesseraElement {
  static override properties = {
    tab: { attribute: false },
    main: { attribute: false },
    diagnostics: { attribute: false },
  };
  declare tab: Tab;
  declare main: string;
  declare diagnostics: readonly Diagnostic[]; // of the text

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('tab') && !changed.has('main')) return;
    this.renderRoot.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  protected override render(): TemplateResult {
    return html`<nav class="tabs" aria-label="Views">${kParts.map((part) => this.renderTab(part))}</nav>`;
  }

  private isCurrent({ tab, main }: Part): boolean {
    if (main === null) return tab === this.tab;
    const shown = this.main === kFirst!.id ? this.tab : this.tab === 'map' ? 'schedule' : this.tab;
    return tab === shown && main === this.main;
  }

  private renderTab(part: Part): TemplateResult {
    const current = this.isCurrent(part);
    const faults = countFaults(part.tab === 'source' ? this.diagnostics : []);
    const said = faultsText(faults);
    const view = part.main === null ? { tab: part.tab } : { tab: part.tab, main: part.main };
    return html`<button
      aria-current=${current ? 'true' : 'false'}
      class=${current ? 'on' : ''}
      @click=${() => this.send({ type: 'view', view })}
    >
      ${part.title}${
        said === ''
          ? nothing
          : html`<span class="vh">: ${said}</span>
              <b class=${faultsKind(faults)} aria-hidden="true"
                >${faults.errors > 0 ? faults.errors : faults.warnings}</b
              >`
      }
    </button>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        flex: none;
      }
      .tabs {
        display: flex;
        flex: none;
        background: var(--panel);
        border-bottom: 1px solid var(--line);
        overflow-x: auto;
        scrollbar-width: none;
      }
      .tabs button {
        flex: 1 0 auto;
        border: 0;
        background: none;
        min-height: 44px;
        padding: 0 12px;
        white-space: nowrap;
        color: var(--dim);
        border-bottom: 2px solid transparent;
        cursor: pointer;
      }
      .tabs .on {
        color: var(--accent);
        border-bottom-color: var(--accent);
        font-weight: 600;
      }
      .tabs .error {
        color: var(--bad);
      }
      .tabs .warning {
        color: var(--warn);
      }
    `,
  ];
}

customElements.define('tessera-narrow-tabs', TesseraNarrowTabs);

export const narrowTabs = (tab: Tab, main: string, diagnostics: readonly Diagnostic[]): TemplateResult =>
  html`<tessera-narrow-tabs .tab=${tab} .main=${main} .diagnostics=${diagnostics}></tessera-narrow-tabs>`;
