// The fields of the layout, in the order in which they act: tensor, collapse, grid, tile, memory.

import { css, html, nothing, type TemplateResult } from 'lit';

import type { DeviceInfo } from '../model/report';
import { sharedStyles, TesseraElement } from '../view/element';
import { intervalsText, kDTypes, parseIntervals, parseNumbers } from './model';
import type { MemoryKind } from '../model/generated/common';
import type { LabFields, LabProblem } from '../model/generated/layout';

const kTileRows = [32, 16, 8, 4, 2, 1];
const kBuffers = {
  metal: [
    ['l1', 'L1 of the cores'],
    ['dram', 'DRAM'],
    ['system', 'host'],
    ['mmio', 'host, seen by the device'],
  ],
  ttnn: [
    ['l1', 'L1 of the cores'],
    ['dram', 'DRAM'],
    ['system', 'host'],
  ],
} as const;
const kMemories = [
  ['block_sharded', 'block sharded'],
  ['height_sharded', 'height sharded'],
  ['width_sharded', 'width sharded'],
  ['interleaved', 'interleaved'],
  ['single_bank', 'single bank'],
] as const;

export class LabControls extends TesseraElement {
  static override properties = {
    fields: { attribute: false },
    problems: { attribute: false },
    devices: { attribute: false },
    bad_: { state: true },
  };
  declare fields: LabFields;
  declare problems: readonly LabProblem[];
  declare devices: readonly DeviceInfo[];
  declare bad_: Readonly<Record<string, string>>; // fields whose text is no list of numbers

  constructor() {
    super();
    this.problems = [];
    this.devices = [];
    this.bad_ = {};
  }

  private change(fields: Partial<LabFields>): void {
    this.dispatchEvent(
      new CustomEvent<Partial<LabFields>>('lab-change', { detail: fields, bubbles: true, composed: true }),
    );
  }

  private note(field: string): TemplateResult | typeof nothing {
    const text = this.bad_[field] ?? this.problems.find((problem) => problem.field === field)?.text;
    return text === undefined ? nothing : html`<p class="bad" id="bad-${field}">${text}</p>`;
  }

  private numbers(field: 'shape' | 'grid' | 'strides' | 'tile', label: string, placeholder: string): TemplateResult {
    const value = this.fields[field].join(' × ');
    return html`<label
        ><span>${label}</span
        ><input
          type="text"
          name=${field}
          inputmode="numeric"
          spellcheck="false"
          autocomplete="off"
          placeholder=${placeholder}
          .value=${value}
          aria-invalid=${this.bad_[field] !== undefined}
          @change=${(event: Event) => {
            const numbers = parseNumbers((event.target as HTMLInputElement).value);
            this.keepBad(field, numbers === null ? 'Whole numbers, such as 2 × 3 × 64 × 128.' : null);
            if (numbers !== null) this.change({ [field]: numbers });
          }} /></label
      >${this.note(field)}`;
  }

  private keepBad(field: string, text: string | null): void {
    const { [field]: _, ...others } = this.bad_;
    this.bad_ = text === null ? others : { ...others, [field]: text };
  }

  private choice<Id extends string>(
    label: string,
    name: string,
    value: string,
    choices: readonly (readonly [Id, string])[],
    take: (value: Id) => void,
  ): TemplateResult {
    const known = choices.some(([id]) => id === value);
    return html`<label
      ><span>${label}</span
      ><select name=${name} @change=${(event: Event) => take((event.target as HTMLSelectElement).value as Id)}>
        ${known ? nothing : html`<option value=${value} .selected=${true}>${value}</option>`}
        ${choices.map(([id, title]) => html`<option value=${id} .selected=${id === value}>${title}</option>`)}
      </select></label
    >`;
  }

  protected override render(): TemplateResult {
    const metal = this.fields.view === 'metal';
    // The compiler divides by the grid first; TTNN rounds up to tiles first.
    return html`${this.renderViews()} ${this.renderTensor()}
      <section>
        <h2>2 · Collapse dims</h2>
        ${metal ? this.collapse() : html`<p class="dim">TTNN collapses all dims but the last into rows.</p>`}
      </section>
      ${metal ? [this.renderGrid(), this.renderTiles()] : [this.renderTiles(), this.renderGrid()]}
      ${this.renderMemory()}`;
  }

  private renderViews(): TemplateResult {
    const { fields } = this;
    return html`<fieldset class="views">
      <legend>Draw</legend>
      ${(
        [
          ['metal', 'Compiler layout', 'metal_layout: any collapse, strides and grid rank'],
          ['ttnn', 'TTNN layout', 'ttnn_layout: what the library stores'],
        ] as const
      ).map(
        ([id, title, tip]) =>
          html` <label data-tip=${tip}
            ><input
              class="vh"
              type="radio"
              name="view"
              value=${id}
              .checked=${fields.view === id}
              @change=${() => this.change({ view: id })}
            /><span>${title}</span></label
          >`,
      )}
    </fieldset>`;
  }

  private renderTensor(): TemplateResult {
    const { fields } = this;
    return html`<section>
      <h2>1 · Tensor</h2>
      ${this.numbers('shape', 'Shape', '2 × 3 × 64 × 128')}
      ${this.choice(
        'Stored type',
        'dtype',
        fields.dtype,
        kDTypes.map((name) => [name, name] as const),
        (dtype) => this.change({ dtype }),
      )}
      ${this.choice(
        'Device',
        'device',
        fields.device,
        this.devices.map(({ id, title, grid }) => [id, `${title} · ${grid[0]}×${grid[1]} cores`] as const),
        (device) => this.change({ device }),
      )}
    </section>`;
  }

  private renderGrid(): TemplateResult {
    const { fields } = this;
    const metal = fields.view === 'metal';
    return html`<section>
      <h2>${metal ? 3 : 4} · Divide by the grid</h2>
      ${
        metal
          ? nothing
          : this.choice('Memory layout', 'memory', fields.memory, kMemories, (memory) => this.takeMemory(memory))
      }
      ${
        metal || (fields.buffer !== 'system' && (fields.memory !== 'interleaved' || fields.buffer === 'l1'))
          ? this.numbers('grid', metal ? 'Grid, one number per result' : 'Grid, rows × columns', '2 × 4')
          : nothing
      }
      ${
        metal && fields.grid.length > 2
          ? this.choice(
              'Outermost dims choose the device',
              'deviceDims',
              String(fields.deviceDims),
              fields.grid.map((_, at) => [String(at), at === 0 ? 'none: one device' : `${at}`] as const),
              (text) => this.change({ deviceDims: Number(text) }),
            )
          : nothing
      }
    </section>`;
  }

  private renderTiles(): TemplateResult {
    const { fields } = this;
    const metal = fields.view === 'metal';
    return html`<section>
      <h2>${metal ? 4 : 3} · Round up to tiles</h2>
      <label class="check"
        ><input
          type="checkbox"
          name="tiled"
          .checked=${fields.tiled}
          @change=${(event: Event) => this.change({ tiled: (event.target as HTMLInputElement).checked })}
        />
        store in tiles</label
      >
      ${
        fields.tiled && metal
          ? html`<div class="pair">
              ${this.choice(
                'Tile rows',
                'tile-rows',
                String(fields.tile[0]),
                kTileRows.map((rows) => [String(rows), String(rows)] as const),
                (text) => this.change({ tile: [Number(text), fields.tile[1]] }),
              )}
              ${this.choice(
                'Tile columns',
                'tile-cols',
                String(fields.tile[1]),
                [
                  ['32', '32'],
                  ['16', '16'],
                ],
                (text) => this.change({ tile: [fields.tile[0], Number(text)] }),
              )}
            </div>`
          : nothing
      }
      ${fields.tiled && !metal ? html`<p class="dim">TTNN tiles are 32×32.</p>` : nothing}
    </section>`;
  }

  private renderMemory(): TemplateResult {
    const { fields } = this;
    const metal = fields.view === 'metal';
    return html`<section>
      <h2>5 · Memory</h2>
      ${this.choice(metal ? 'Memory space' : 'Buffer type', 'buffer', fields.buffer, kBuffers[fields.view], (buffer) =>
        this.change({ buffer }),
      )}
      ${
        metal
          ? this.choice(
              'Padding is filled with',
              'oob',
              fields.oob,
              [
                ['undef', 'undef: anything'],
                ['zero', 'zero'],
                ['one', 'one'],
                ['inf', 'infinity'],
                ['neginf', 'minus infinity'],
              ],
              (oob) => this.change({ oob }),
            )
          : nothing
      }
    </section>`;
  }

  private collapse(): TemplateResult {
    const { fields } = this;
    const custom = fields.map !== '';
    return html` ${
        custom
          ? nothing
          : html`<label
                ><span>Intervals of dims to join</span
                ><input
                  type="text"
                  name="collapse"
                  spellcheck="false"
                  autocomplete="off"
                  placeholder="none"
                  .value=${intervalsText(fields.collapse)}
                  @change=${(event: Event) => {
                    const intervals = parseIntervals((event.target as HTMLInputElement).value);
                    this.keepBad(
                      'collapse',
                      intervals === null ? 'Pairs such as (0, -1): from dim 0 up to, not with, the last one.' : null,
                    );
                    if (intervals !== null) this.change({ collapse: intervals });
                  }} /></label
              >${this.note('collapse')} ${this.numbers('strides', 'Strides, one per dim', 'dense')}`
      }
      <label
        ><span>${custom ? 'Affine map' : 'or an affine map'}</span
        ><textarea
          name="map"
          rows=${custom ? 4 : 1}
          spellcheck="false"
          placeholder=${'(d0, d1) -> (d0, d1)'}
          .value=${fields.map}
          @change=${(event: Event) => this.change({ map: (event.target as HTMLTextAreaElement).value.trim() })}
        ></textarea></label
      >${this.note('map')}
      ${
        custom
          ? html`<button class="link" @click=${() => this.change({ map: '' })}>
              Use intervals and strides instead
            </button>`
          : nothing
      }`;
  }

  // A sharding fits a grid of its own kind; the number of cores stays when it can.
  private takeMemory(memory: MemoryKind): void {
    const { fields } = this;
    const device = this.devices.find(({ id }) => id === fields.device)?.grid ?? [8, 8];
    const cores = Math.max(
      1,
      fields.grid.reduce((product, dim) => product * dim, 1),
    );
    const grids: Record<string, readonly number[]> = {
      height_sharded: [cores, 1],
      width_sharded: [1, cores],
      interleaved: device,
      single_bank: [1, 1],
      block_sharded:
        fields.grid.length === 2 && fields.grid[0]! <= device[0] && fields.grid[1]! <= device[1] ? fields.grid : device,
    };
    this.change({ memory, grid: grids[memory] ?? fields.grid });
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
      }
      section,
      .views {
        border: 1px solid var(--line);
        border-radius: 9px;
        background: var(--panel);
        padding: 9px 10px;
        margin: 0 0 10px;
        display: flex;
        flex-direction: column;
        gap: 7px;
      }
      h2 {
        font-size: 13px;
      }
      label > span {
        display: block;
        color: var(--dim);
        font-size: 12px;
        margin-bottom: 2px;
      }
      input[type='text'],
      select,
      textarea {
        width: 100%;
      }
      input[type='text'],
      textarea {
        font-family: var(--mono);
        font-size: 12px;
      }
      textarea {
        border: 1px solid var(--line);
        border-radius: 7px;
        background: var(--panel);
        padding: 4px 8px;
        resize: vertical;
      }
      .pair {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 8px;
      }
      .check {
        display: flex;
        gap: 7px;
        align-items: center;
      }
      .bad {
        color: var(--bad);
        font-size: 12px;
        overflow-wrap: anywhere;
      }
      .views {
        flex-direction: row;
        gap: 0;
        padding: 0;
        overflow: hidden;
      }
      .views legend {
        position: absolute;
        clip-path: inset(50%);
      }
      .views label {
        flex: 1;
        text-align: center;
        cursor: pointer;
      }
      .views label + label {
        border-left: 1px solid var(--line);
      }
      .views label > span {
        font-size: 13px;
        padding: 7px 4px;
        margin: 0;
      }
      .views label:hover > span {
        background: var(--hover);
      }
      .views input:checked + span {
        background: var(--select);
        color: var(--accent);
        font-weight: 600;
      }
      .views input:focus-visible + span {
        outline: 2px solid var(--accent);
        outline-offset: -2px;
      }
    `,
  ];
}

customElements.define('lab-controls', LabControls);
