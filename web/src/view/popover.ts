// What an element with a sheet below a button shares: it closes on a click outside and on Escape, which gives the focus
// back to the button.

import { css, html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';

import { TesseraElement } from './element';
import { icons } from './icons';

// A button that opens a menu; `label` names the sheet.
interface Menu {
  readonly title: string;
  readonly label: string;
  readonly tip: string;
  readonly disabled?: boolean;
}

export class Popover extends TesseraElement {
  static override properties: PropertyDeclarations = { open_: { state: true } };
  declare open_: boolean;

  constructor() {
    super();
    this.open_ = false;
    this.addEventListener('keydown', this.closeOnEscape);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.closeOutside);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.closeOutside);
  }
  private readonly closeOutside = (event: Event): void => {
    if (this.open_ && !event.composedPath().includes(this)) this.open_ = false;
  };

  private readonly closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.open_) return;
    event.stopPropagation();
    this.close();
  };

  protected close(): void {
    this.open_ = false;
    this.renderRoot.querySelector<HTMLElement>('button')?.focus();
  }

  protected renderMenu({ title, label, tip, disabled = false }: Menu, entries: () => TemplateResult[]): TemplateResult {
    return html`<button
        class="btn"
        aria-expanded=${this.open_ ? 'true' : 'false'}
        aria-controls="sheet"
        data-tip=${tip}
        ?disabled=${disabled}
        @click=${() => (this.open_ = !this.open_)}
      >
        ${title}${icons.down}
      </button>
      <div id="sheet" class="sheet" role="group" aria-label=${label} ?hidden=${!this.open_}>
        ${this.open_ ? entries() : nothing}
      </div>`;
  }

  // A sheet that would leave the window at the right is moved in; on a narrow screen it begins below its button.
  protected override updated(_changed: PropertyValues): void {
    const sheet = this.renderRoot.querySelector<HTMLElement>('.sheet');
    if (sheet === null) return;
    sheet.style.removeProperty('margin-left');
    if (!this.open_) return;
    if (getComputedStyle(sheet).position === 'fixed') {
      const below = this.renderRoot.querySelector('button')!.getBoundingClientRect().bottom + 6;
      sheet.style.setProperty('top', `${below}px`);
      return;
    }
    const over = sheet.getBoundingClientRect().right - window.innerWidth + 8;
    if (over > 0) sheet.style.setProperty('margin-left', `${-over}px`);
  }
}

export const popoverStyles = css`
  :host {
    position: relative;
    display: inline-block;
    min-width: 0;
  }
  .sheet {
    position: absolute;
    z-index: 20;
    top: calc(100% + 6px);
    left: 0;
    width: 400px;
    max-height: min(76vh, 660px);
    overflow: auto;
    background: var(--panel);
    border: 1px solid var(--edge);
    border-radius: 10px;
    box-shadow: var(--shadow);
    padding: 4px 14px 12px;
    scrollbar-width: thin;
  }
  @media (max-width: 820px) {
    .sheet {
      position: fixed;
      left: 8px;
      right: 8px;
      max-height: 60vh;
      width: auto;
    }
  }
`;

// A sheet whose buttons, of class one, have a title and a line about it.
export const menuStyles = css`
  .one {
    display: grid;
    width: 100%;
    text-align: left;
    border: 0;
    background: none;
    padding: 6px 8px;
    border-radius: 6px;
    cursor: pointer;
  }
  .one:hover {
    background: var(--hover);
  }
  b {
    font-weight: 600;
  }
  small {
    color: var(--dim);
    font-size: 12px;
  }
`;
