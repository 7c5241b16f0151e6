// Every layout that the optimizer would consider for this tensor. A click takes one.

import { css, html, type TemplateResult } from 'lit';

import { formatBytes, plural } from '../model/format';
import { kindInfo, kindOf } from '../model/layout_kind';
import type { Layout } from '../model/report';
import { sharedStyles, TesseraElement } from '../view/element';
import { glyph } from '../view/icons';
import type { LabFields, LegalLayout } from '../model/generated/layout';
import { panelStyles } from './panel_styles';

export function isTaken(layout: LegalLayout, fields: LabFields): boolean {
  if (fields.view !== 'ttnn' || layout.memory !== fields.memory || layout.buffer !== fields.buffer) return false;
  return layout.memory === 'interleaved' && layout.buffer === 'dram'
    ? true
    : layout.grid[0] === fields.grid[0] && layout.grid[1] === fields.grid[1];
}

export class LabLegal extends TesseraElement {
  static override properties = { legal: { attribute: false }, fields: { attribute: false } };
  declare legal: readonly LegalLayout[];
  declare fields: LabFields;

  protected override render(): TemplateResult {
    const sharded = this.legal.filter(({ memory }) => memory.endsWith('sharded')).length;
    const unit = this.fields.tiled ? 'tiles' : 'elem.';
    return html`<h2>Legal layouts</h2>
      <p class="dim">
        ${
          this.legal.length === 0
            ? 'None: a tensor of this type cannot be stored so.'
            : `${plural(sharded, 'sharded layout')} and ${this.legal.length - sharded} interleaved, ${
                this.fields.tiled ? 'in tiles' : 'row-major'
              }. Each gives a shard that no smaller grid gives. Take one:`
        }
      </p>
      <ul tabindex="0" aria-label="Legal layouts">
        ${this.legal.map((layout) => {
          const kind = kindOf(layout as unknown as Layout);
          const taken = isTaken(layout, this.fields);
          return html`<li>
            <button class="k-${kind} ${taken ? 'on' : ''}" aria-pressed=${taken} @click=${() => this.take(layout)}>
              <span class="kind">${glyph(kind)}</span
              ><span class="name"
                >${kindInfo(kind).title.replace(' sharded', '')}
                ${layout.memory.endsWith('sharded') ? `${layout.grid[0]}×${layout.grid[1]}` : ''}</span
              >
              <span class="dim">${layout.shard[0]}×${layout.shard[1]} ${unit}</span
              ><span class="num">${layout.bytesPerCore > 0 ? `${formatBytes(layout.bytesPerCore)}/core` : ''}</span>
            </button>
          </li>`;
        })}
      </ul>`;
  }

  private take({ buffer, memory, grid }: LegalLayout): void {
    this.dispatchEvent(
      new CustomEvent<Partial<LabFields>>('lab-change', {
        detail: { view: 'ttnn', buffer, memory, grid, tile: [32, 32] },
        bubbles: true,
        composed: true,
      }),
    );
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      p {
        line-height: 1.4;
      }
      ul {
        max-height: 300px;
        overflow: auto;
        margin: 6px -4px 0;
      }
      button {
        display: grid;
        grid-template-columns: 14px minmax(0, 1fr) auto 76px;
        gap: 8px;
        align-items: center;
        width: 100%;
        padding: 4px;
        border: 0;
        border-radius: 6px;
        background: none;
        cursor: pointer;
        text-align: left;
      }
      button:hover {
        background: var(--hover);
      }
      .on {
        background: var(--select);
        font-weight: 600;
      }
      .name {
        white-space: nowrap;
      }
      .num {
        text-align: right;
        font-variant-numeric: tabular-nums;
      }
      .k-block .kind {
        color: var(--block);
      }
      .k-height .kind {
        color: var(--height);
      }
      .k-width .kind {
        color: var(--width);
      }
      .k-interleaved .kind {
        color: var(--interleaved);
      }
      .k-dram .kind {
        color: var(--dram);
      }
    `,
  ];
}

customElements.define('lab-legal', LabLegal);
