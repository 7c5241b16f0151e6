// The choice of the policy: a list with a line about each, those of the compiler's earlier optimizer apart.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { PolicyInfo, Trait } from '../model/traits';
import { sharedStyles } from '../view/element';
import { icons } from '../view/icons';
import { Popover, popoverStyles } from '../view/popover';

interface Group {
  readonly title: string;
  readonly policies: readonly PolicyInfo[];
}

const kEarlier: Trait = 'compiler-policy';
const kYardsticks: readonly Trait[] = ['lower-bound', 'floor', 'as-it-stands'];

export function policyGroups(policies: readonly PolicyInfo[]): Group[] {
  const is = ({ traits }: PolicyInfo, wanted: readonly Trait[]): boolean => wanted.some((one) => traits.includes(one));
  const groups: Group[] = [
    { title: 'Passes of the compiler', policies: policies.filter((one) => !is(one, [kEarlier, ...kYardsticks])) },
    { title: 'To compare with', policies: policies.filter((one) => is(one, kYardsticks)) },
    {
      title: 'Deprecated: removed from the compiler in July 2026',
      policies: policies.filter((one) => is(one, [kEarlier])),
    },
  ];
  return groups.filter((group) => group.policies.length > 0);
}

export class TesseraPolicyMenu extends Popover {
  static override properties = { policies: { attribute: false }, current: { type: String } };
  declare policies: readonly PolicyInfo[];
  declare current: string; // id

  constructor() {
    super();
    this.policies = [];
    this.current = '';
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.open_ && changed.has('open_'))
      (this.renderRoot.querySelector<HTMLElement>('[aria-selected=true]') ?? this.options[0])?.focus();
  }

  private get options(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=option]')];
  }

  protected override render(): TemplateResult {
    const now = this.policies.find(({ id }) => id === this.current);
    const title = now?.title ?? (this.policies.length === 0 ? 'Policy' : `${this.current} (unknown)`);
    return html`<button
        class="btn"
        aria-haspopup="listbox"
        aria-expanded=${this.open_ ? 'true' : 'false'}
        aria-label="Policy: ${title}"
        data-tip=${now?.description ?? nothing}
        ?disabled=${this.policies.length === 0}
        @click=${() => (this.open_ = !this.open_)}
        @keydown=${this.openByKey}
      >
        <span class="title">${title}</span>${icons.down}
      </button>
      <div class="sheet" role="listbox" aria-label="Policy" ?hidden=${!this.open_} @keydown=${this.onKey}>
        ${this.open_ ? policyGroups(this.policies).map((group) => this.renderGroup(group)) : nothing}
      </div>`;
  }

  private renderGroup({ title, policies }: Group): TemplateResult {
    return html`<div role="group" aria-label=${title}>
      <p class="group" role="presentation">${title}</p>
      ${policies.map(
        (policy) =>
          html`<div
            role="option"
            tabindex="-1"
            data-policy=${policy.id}
            aria-selected=${policy.id === this.current ? 'true' : 'false'}
            @click=${() => this.choose(policy.id)}
          >
            <b>${policy.title.replace(' (deprecated)', '')}</b><small>${policy.description}</small>
          </div>`,
      )}
    </div>`;
  }

  private choose(id: string): void {
    this.close();
    this.send({ type: 'option', id: 'policy', value: id });
  }

  private readonly openByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    this.open_ = true;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const { options } = this;
    const at = options.indexOf((this.renderRoot as ShadowRoot).activeElement as HTMLElement);
    const moves: { readonly [key: string]: number } = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const next = moves[event.key];
    if (next !== undefined) options.at(next % options.length)?.focus();
    else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) options[at]!.click();
    else return;
    event.preventDefault();
  };

  static override styles = [
    sharedStyles,
    popoverStyles,
    css`
      .btn {
        width: 100%;
        justify-content: space-between;
      }
      .title {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .sheet {
        width: 440px;
        padding: 4px 6px 8px;
      }
      @media (max-width: 820px) {
        .sheet {
          width: auto;
        }
      }
      .group {
        font-size: 11px;
        font-weight: 600;
        color: var(--dim);
        padding: 10px 8px 4px;
      }
      [role='option'] {
        display: grid;
        padding: 6px 8px;
        border-radius: 6px;
        cursor: pointer;
      }
      [role='option']:hover {
        background: var(--hover);
      }
      [role='option'][aria-selected='true'] {
        background: var(--select);
        box-shadow: inset 3px 0 var(--accent);
      }
      b {
        font-weight: 600;
      }
      small {
        font-size: 12px;
        color: var(--dim);
        line-height: 1.4;
      }
    `,
  ];
}

customElements.define('tessera-policy-menu', TesseraPolicyMenu);
