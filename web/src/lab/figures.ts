// The numbers of a layout: how the shapes follow from each other, and where the bytes go.

import { css, html, nothing, svg, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, formatPercent, plural } from '../model/format';
import { sharedStyles, TesseraElement } from '../view/element';
import { kPadding, timesText } from './model';
import { type LabDrawn, type LabFields } from '../model/generated/layout';
import { panelStyles } from './panel_styles';

export interface Step {
  readonly title: string;
  readonly value: string;
  readonly unit: string;
}

// The derivation, in the order in which the rules act.
export function derivation(drawn: LabDrawn, fields: LabFields): Step[] {
  const tile = `${fields.tile[0]}×${fields.tile[1]}`;
  const tensor = { title: 'logical tensor', value: timesText(fields.shape), unit: 'elements' };
  const units = { value: timesText(drawn.units), unit: fields.tiled ? 'tiles' : 'elements' };
  const collapsed = { title: 'collapsed', value: timesText(drawn.physical), unit: 'elements' };
  const grid = timesText(drawn.grid);
  if (fields.view === 'metal') {
    const shard = {
      title: `÷ grid ${grid}, up`,
      value: timesText(drawn.scalarShard ?? []),
      unit: 'elements per core',
    };
    return fields.tiled
      ? [tensor, collapsed, shard, { title: `÷ tile ${tile}, up`, value: units.value, unit: 'tiles per core' }]
      : [tensor, collapsed, shard];
  }
  const padded = { ...collapsed, title: fields.tiled ? `collapsed, up to ${tile} tiles` : 'collapsed' };
  if (fields.buffer === 'system') return [tensor, { ...padded, unit: 'elements in host memory' }];
  if (fields.memory === 'interleaved' || fields.memory === 'single_bank') {
    const banks = fields.buffer === 'l1' || fields.buffer === 'l1_small' ? 'core' : 'bank';
    const pages = fields.tiled ? drawn.stored[0]! / 32 : drawn.stored[0]!;
    return [
      tensor,
      padded,
      {
        title: `dealt to ${plural(drawn.positions, banks)}`,
        value: formatInteger(pages),
        unit: `${fields.tiled ? 'tiles' : 'rows'} per ${banks}, at most`,
      },
    ];
  }
  return [
    tensor,
    padded,
    {
      title: `÷ grid ${grid}, up`,
      value: units.value,
      unit: `${units.unit} per ${fields.buffer === 'dram' ? 'bank' : 'core'}`,
    },
  ];
}

export interface Waste {
  readonly kind: number; // as Padding in the engine
  readonly places: number;
}

export function wastes(drawn: LabDrawn): Waste[] {
  const { strideGap, beyondTensor, tileRounding } = drawn.places;
  return [
    { kind: -1, places: strideGap },
    { kind: -2, places: beyondTensor },
    { kind: -3, places: tileRounding },
  ].filter(({ places }) => places > 0);
}

export class LabSteps extends TesseraElement {
  static override properties = { drawn: { attribute: false }, fields: { attribute: false } };
  declare drawn: LabDrawn;
  declare fields: LabFields;

  protected override render(): TemplateResult {
    const { drawn, fields } = this;
    return html`<ol>
        ${derivation(drawn, fields).map(
          (step) => html`<li><span>${step.title}</span><b>${step.value}</b><span>${step.unit}</span></li>`,
        )}
        <li>
          <span>is</span><b>${formatBytes(drawn.bytes.perCore)}</b
          ><span
            >per
            ${fields.buffer === 'l1' ? 'core' : fields.view === 'ttnn' && fields.buffer === 'dram' ? 'bank' : 'shard'}
            (${formatInteger(drawn.bytes.perCore)} bytes)</span
          >
        </li>
      </ol>
      <p class="mono map">
        ${drawn.map}${
          drawn.gridMap === undefined
            ? nothing
            : html` <span class="dim">· grid onto (device, row, column): ${drawn.gridMap}</span>`
        }
      </p>`;
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      ol {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 26px;
      }
      li {
        position: relative;
        display: flex;
        flex-direction: column;
        line-height: 1.35;
      }
      li + li::before {
        content: '→';
        position: absolute;
        left: -19px;
        top: 17px;
        color: var(--dim);
      }
      li b {
        font-size: 17px;
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }
      li span {
        color: var(--dim);
        font-size: 12px;
      }
      .map {
        margin-top: 7px;
        font-size: 12px;
        overflow-wrap: anywhere;
      }
    `,
  ];
}
customElements.define('lab-steps', LabSteps);

export class LabFigures extends TesseraElement {
  static override properties = { drawn: { attribute: false }, fields: { attribute: false } };
  declare drawn: LabDrawn;
  declare fields: LabFields;

  protected override render(): TemplateResult {
    const { bytes } = this.drawn;
    const share = bytes.total > 0 ? bytes.data / bytes.total : 1;
    const inL1 = this.fields.buffer === 'l1' || this.fields.buffer === 'l1_small';
    return html`<h2>Bytes</h2>
      <svg
        class="bar"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="img"
        aria-label="${formatPercent(bytes.data, bytes.total)} data, ${formatPercent(bytes.wasted, bytes.total)} wasted"
      >
        ${svg`<rect class="waste" width="100" height="8"/><rect class="data" width=${share * 100} height="8"/>`}
      </svg>
      <dl>
        ${this.rows(inL1).map(
          ([title, value, note]) =>
            html`<div>
              <dt>${title}</dt>
              <dd>
                <b data-tip="${formatInteger(value)} bytes">${formatBytes(value)}</b> <span class="dim">${note}</span>
              </dd>
            </div>`,
        )}
      </dl>
      ${
        inL1 && bytes.perCore > bytes.usableL1
          ? html`<p class="bad">
              Does not fit: ${formatBytes(bytes.perCore - bytes.usableL1)} more than a core of ${this.fields.device}
              has.
            </p>`
          : nothing
      }
      <h2>Padding by reason</h2>
      ${this.renderPadding()}`;
  }

  // Title, bytes, remark.
  private rows(inL1: boolean): readonly (readonly [string, number, string])[] {
    const { bytes, positions } = this.drawn;
    const each = inL1 ? 'core' : this.fields.view === 'ttnn' && this.fields.buffer === 'dram' ? 'bank' : 'shard';
    const ofL1 = `${formatPercent(bytes.perCore, bytes.usableL1)} of the ${formatBytes(bytes.usableL1)} of usable L1`;
    const wasted =
      bytes.data > 0 && bytes.wasted / bytes.total > 0.99 ? 'over 99 %' : formatPercent(bytes.wasted, bytes.total);
    return [
      [`Per ${each}`, bytes.perCore, inL1 ? ofL1 : ''],
      [`All ${plural(positions, each)}`, bytes.total, ''],
      ['Data', bytes.data, `${formatPercent(bytes.data, bytes.total)} of the total`],
      ['Wasted', bytes.wasted, `${wasted} of the total is padding`],
    ];
  }

  private renderPadding(): TemplateResult {
    const { places } = this.drawn;
    const kinds = wastes(this.drawn);
    if (kinds.length === 0)
      return html`<p class="dim">
        No place is padding: ${formatInteger(places.elements)} elements in ${formatInteger(places.stored)} places.
      </p>`;
    return html`<ul>
      ${kinds.map(
        ({ kind, places: count }) =>
          html`<li>
            <i class="swatch h${-kind}"></i
            ><span
              ><b>${kPadding[kind]!.title}</b> ${plural(count, 'place')}, ${formatPercent(count, places.stored)}<br />
              <span class="dim">${kPadding[kind]!.why}</span></span
            >
          </li>`,
      )}
    </ul>`;
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      h2:not(:first-child) {
        margin-top: 10px;
      }
      .bar {
        display: block;
        width: 100%;
        height: 10px;
        border-radius: 4px;
        margin: 6px 0;
      }
      .waste {
        fill: var(--t-fixed);
      }
      .data {
        fill: var(--accent);
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
      }
      dd b {
        font-variant-numeric: tabular-nums;
      }
      li {
        display: flex;
        gap: 8px;
        padding: 4px 0;
        line-height: 1.4;
      }
      .swatch {
        flex: none;
        width: 18px;
        height: 18px;
        margin-top: 2px;
        border: 1px solid var(--line);
        border-radius: 3px;
        background-color: var(--soft);
      }
      .h1 {
        background-image: radial-gradient(var(--dim) 1px, transparent 1.4px);
        background-size: 6px 6px;
      }
      .h2 {
        background-image: repeating-linear-gradient(45deg, transparent 0 4px, var(--dim) 4px 5px);
      }
      .h3 {
        background-image: repeating-linear-gradient(-45deg, transparent 0 4px, var(--dim) 4px 5px);
      }
      .bad {
        color: var(--bad);
        margin-top: 4px;
      }
    `,
  ];
}
customElements.define('lab-figures', LabFigures);
