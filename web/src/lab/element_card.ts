// The cursor's element: from index to byte, and from a byte back to the element.

import { css, html, nothing, type TemplateResult } from 'lit';

import { formatInteger } from '../model/format';
import { sharedStyles, TesseraElement } from '../view/element';
import { indexText, placeText } from './describe';
import { parseNumbers } from './model';
import { type LabDrawn, type LabFound, type LabFields } from '../model/generated/layout';
import { panelStyles } from './panel_styles';

export interface FindRequest {
  readonly position: number;
  readonly offset: number;
  readonly bit: number;
}

// "0x1F0", "496", "496.4" (byte and bit); null when it is none of these.
export function parseOffset(text: string): { offset: number; bit: number } | null {
  const match = /^\s*(0x[0-9a-f]{1,12}|\d{1,15})(?:\.([0-7]))?\s*$/i.exec(text);
  return match === null ? null : { offset: Number(match[1]), bit: Number(match[2] ?? 0) };
}

function entry(title: string, text: TemplateResult | string, kind = ''): TemplateResult {
  return html`<div>
    <dt>${title}</dt>
    <dd class=${kind}>${text}</dd>
  </div>`;
}

// Row and column in the shard and, where the tensor is tiled, in the tile and its face.
function inShard({ cursor, unitBytes }: LabDrawn, { tiled, tile }: LabFields): TemplateResult {
  const rank = cursor.local.length;
  const [row, col] = [cursor.local[rank - 2] ?? 0, cursor.local[rank - 1] ?? 0];
  const [y, x] = [row % tile[0], col % tile[1]];
  const unit = formatInteger(Math.floor(cursor.offset / unitBytes));
  return html`${entry('In the shard', `row ${formatInteger(row)}, column ${formatInteger(col)}`)}
  ${tiled ? entry('Tile', `number ${unit}; in it row ${y}, column ${x}, face ${face(y, x, tile)}`) : nothing}`;
}

export class LabElementCard extends TesseraElement {
  static override properties = {
    drawn: { attribute: false },
    fields: { attribute: false },
    found: { attribute: false },
  };
  declare drawn: LabDrawn;
  declare fields: LabFields;
  declare found: LabFound | null;

  constructor() {
    super();
    this.found = null;
  }

  private goTo(event: Event): void {
    const index = parseNumbers((event.target as HTMLInputElement).value);
    if (index !== null)
      this.dispatchEvent(
        new CustomEvent<readonly number[]>('lab-cursor', { detail: index, bubbles: true, composed: true }),
      );
  }

  private find(event: Event): void {
    const at = parseOffset((event.target as HTMLInputElement).value);
    if (at !== null)
      this.dispatchEvent(
        new CustomEvent<FindRequest>('lab-find', {
          detail: { position: this.drawn.windows.position, ...at },
          bubbles: true,
          composed: true,
        }),
      );
  }

  protected override render(): TemplateResult {
    const { drawn, fields, found } = this;
    const { cursor } = drawn;
    const hex = `0x${cursor.offset.toString(16).toUpperCase()}`;
    return html`<h2>Element</h2>
      <label
        ><span>Logical index</span
        ><input
          type="text"
          name="cursor"
          spellcheck="false"
          autocomplete="off"
          .value=${cursor.index.join(', ')}
          @change=${this.goTo}
      /></label>
      <dl>
        ${entry('Collapsed', `(${cursor.physical.join(', ')})`, 'mono')}
        ${entry('Grid position', `(${cursor.gridIndex.join(', ')})`, 'mono')}
        ${entry('Stored on', html`<b>${placeText(cursor.position, drawn, fields)}</b>`)} ${inShard(drawn, fields)}
        ${entry(
          'Byte offset',
          html`<b class="offset">${formatInteger(cursor.offset)}</b> <span class="mono dim">${hex}</span>${
              cursor.bit > 0 ? html`, bit ${cursor.bit}` : nothing
            }`,
        )}
      </dl>
      <label
        ><span>Which element is at byte … of ${placeText(drawn.windows.position, drawn, fields)}?</span
        ><input
          type="text"
          name="offset"
          spellcheck="false"
          autocomplete="off"
          placeholder="${cursor.offset} or ${hex}"
          @change=${this.find}
      /></label>
      ${found === null ? nothing : html`<p role="status" class="found">${foundText(found)}</p>`}`;
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      label {
        display: block;
        margin-top: 6px;
      }
      label span {
        display: block;
        color: var(--dim);
        font-size: 12px;
        margin-bottom: 2px;
      }
      input {
        width: 100%;
        font-family: var(--mono);
        font-size: 12px;
      }
      dl {
        margin: 6px 0;
      }
      dl > div {
        display: flex;
        gap: 8px;
        padding: 2px 0;
      }
      dt {
        flex: 0 0 96px;
        color: var(--dim);
      }
      dd {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .offset {
        font-variant-numeric: tabular-nums;
      }
      .found {
        margin-top: 4px;
      }
    `,
  ];
}

// Faces are 16x16, numbered row by row (tt-metal tensor_layouts.md).
function face(row: number, col: number, tile: readonly [number, number]): number {
  const height = Math.min(16, tile[0]);
  return Math.floor(row / height) * (tile[1] / 16) + Math.floor(col / 16);
}

export function foundText(found: LabFound): string {
  if (found.index !== undefined) return `Element ${indexText(found.index)}.`;
  if (found.padding === true) return 'Padding: no element is stored there.';
  return `${found.rule ?? ''}: ${found.why ?? ''}.`;
}

customElements.define('lab-element', LabElementCard);
