// Messages to the user, until they are dismissed.

import { css, html, nothing, type TemplateResult } from 'lit';

import type { Notice } from '../model/state';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';

const detailView = (detail: string): TemplateResult =>
  html`<details>
    <summary>Details</summary>
    <pre>${detail}</pre>
  </details>`;

export class TesseraNotices extends TesseraElement {
  static override properties = { notices: { attribute: false } };
  declare notices: readonly Notice[];

  protected override render(): TemplateResult {
    return html`<div class="notices" role="region" aria-label="Messages">
      ${this.notices.map((notice) => this.renderNotice(notice))}
    </div>`;
  }

  private renderNotice({ id, severity, text, detail }: Notice): TemplateResult {
    return html`<div class="notice ${severity}" role=${severity === 'error' ? 'alert' : 'status'}>
      <span>${text}${detail === '' ? nothing : detailView(detail)}</span>
      <button class="btn icon quiet" aria-label="Dismiss" @click=${() => this.send({ type: 'dismiss', id })}>
        ${icons.close}
      </button>
    </div>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        flex: none;
      }
      .notices:empty {
        display: none;
      }
      .notice {
        display: flex;
        align-items: flex-start;
        gap: 8px;
        padding: 6px 8px 6px 14px;
        border-bottom: 1px solid var(--line);
        background: var(--soft);
        overflow-wrap: anywhere;
      }
      .notice > span {
        flex: 1;
        min-width: 0;
        padding: 4px 0;
      }
      .notice.error {
        background: var(--bad-soft);
      }
      .notice.warning {
        background: var(--warn-soft);
      }
      .notice pre {
        margin: 6px 0 0;
        white-space: pre-wrap;
        font: 11px var(--mono);
        max-height: 160px;
        overflow: auto;
      }
    `,
  ];
}

customElements.define('tessera-notices', TesseraNotices);
