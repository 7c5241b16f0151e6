// The layout lab: one tensor, one layout, every element and every byte of padding. Holds the store and is the one place
// with side effects (engine, address, theme).

import { html, nothing, type TemplateResult } from 'lit';

import { installTooltip } from '../view/tooltip';
import { applyTheme, readTheme, storeTheme } from '../view/theme';
import { EngineClient } from '../engine/client';
import type { WorkerLike } from '../engine/worker_pair';
import type { DeviceInfo } from '../model/report';
import type { Theme } from '../model/state';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import './controls';
import './cores';
import { describeSpot } from './describe';
import './element_card';
import type { FindRequest } from './element_card';
import './figures';
import './legal';
import { decodeLab } from './link';
import { ravel, step, unravel, type Spot } from './model';
import type { LabDrawn, LabAnswer, LabFields } from '../model/generated/layout';
import './picture';
import type { LabMove } from './picture';
import { kPresets } from './presets';
import { LabStore, type LabState } from './store';
import './texts';
import type { TextEdit } from './texts';
import { labAppStyles } from './lab_app_styles';

const kPauseMs = 250; // before the address follows

export class TesseraLab extends TesseraElement {
  static override properties = {
    state: { state: true },
    devices: { state: true },
    hover: { state: true },
    theme: { state: true },
    notice: { state: true },
    copied_: { state: true },
  };
  declare state: LabState;
  declare devices: readonly DeviceInfo[];
  declare hover: Spot | null;
  declare theme: Theme;
  declare notice: string;
  declare copied_: boolean;

  readonly client: EngineClient;
  private readonly store_: LabStore;
  private readonly dark_ = matchMedia('(prefers-color-scheme: dark)');
  private timer_ = 0;
  private written_ = '';

  constructor() {
    super();
    this.devices = [];
    this.hover = null;
    this.theme = readTheme();
    this.notice = '';
    this.copied_ = false;
    this.client = new EngineClient({
      engineUrl: new URL('engine/tessera_lab.js', document.baseURI).href,
      test: new URLSearchParams(location.search).get('test') === '1',
      makeWorker: () =>
        new Worker(new URL('../engine/worker.ts', import.meta.url), {
          type: 'module',
          name: 'tessera',
        }) as unknown as WorkerLike,
    });
    const first = kPresets.find(({ id }) => id === 'multicore')!;
    // Pictures of 64 elements a side are too small to touch on a phone.
    this.store_ = new LabStore(
      first,
      (request) => this.client.layout(request),
      (state) => this.follow(state),
      () => (window.innerWidth < 700 ? 32 : 64),
    );
    this.state = this.store_.state;
    this.addEventListener('lab-change', (event) => void this.change((event as CustomEvent<Partial<LabFields>>).detail));
    this.addEventListener('lab-hover', (event) => (this.hover = (event as CustomEvent<Spot | null>).detail));
    this.addEventListener('lab-move', (event) => this.move((event as CustomEvent<LabMove>).detail));
    this.addEventListener('lab-look', (event) => void this.store_.look((event as CustomEvent<number>).detail));
    this.addEventListener(
      'lab-cursor',
      (event) => void this.store_.setCursor((event as CustomEvent<readonly number[]>).detail),
    );
    this.addEventListener('lab-find', (event) => void this.store_.find((event as CustomEvent<FindRequest>).detail));
    this.addEventListener('lab-text', (event) => {
      const { kind, text } = (event as CustomEvent<TextEdit>).detail;
      void this.store_.setText(kind, text);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    applyTheme(this.theme, this.dark_.matches);
    this.dark_.addEventListener('change', () => {
      applyTheme(this.theme, this.dark_.matches);
      this.requestUpdate();
    });
    window.addEventListener('hashchange', () => void this.openAddress());
    void this.start();
  }

  protected override firstUpdated(): void {
    installTooltip(this.renderRoot as ShadowRoot);
  }

  private async start(): Promise<void> {
    void this.client.catalog().then((outcome) => {
      if (outcome.kind === 'done') this.devices = outcome.value.devices;
    });
    if (!(await this.openAddress())) await this.store_.setFields(this.state.fields, this.state.cursor);
  }

  // Takes over the link in the address bar; says what is wrong with one that cannot be read, and leaves it there.
  private async openAddress(): Promise<boolean> {
    if (location.hash === this.written_) return false;
    const decoded = decodeLab(location.hash);
    this.notice = decoded.kind === 'problem' ? decoded.text : '';
    if (decoded.kind !== 'state') {
      if (decoded.kind === 'problem') this.written_ = `#${this.store_.fragment()}`;
      return false;
    }
    await this.store_.setFields(decoded.link.fields, decoded.link.cursor);
    return true;
  }

  private follow(state: LabState): void {
    const moved = state.drawn !== this.state.drawn;
    this.state = state;
    if (moved && this.hover !== null && this.hover.element < 0) this.hover = null;
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(() => this.writeAddress(), kPauseMs);
  }

  private writeAddress(): void {
    const hash = `#${this.store_.fragment()}`;
    if (hash === this.written_ || this.state.answer === null) return;
    this.written_ = hash;
    history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
  }

  // Between the two kinds of layout the engine translates, where there is a counterpart.
  private async change(part: Partial<LabFields>): Promise<void> {
    const { fields, answer } = this.state;
    const other =
      part.view !== undefined && part.view !== fields.view && part.grid === undefined
        ? answer?.texts?.[part.view]?.text
        : undefined;
    if (other !== undefined && this.state.problems.length === 0) return this.store_.setText(part.view!, other);
    const next = { ...fields, ...part };
    const plain: Partial<LabFields> =
      next.view === 'ttnn' && next.grid.length !== 2 ? { grid: [1, 1], memory: 'block_sharded' } : {};
    return this.store_.setFields({ ...next, ...plain });
  }

  private move(move: LabMove): void {
    const { fields, drawn } = this.state;
    if (drawn === null) return;
    const rank = fields.shape.length;
    if (move.kind === 'element') return void this.store_.setCursor(unravel(move.element, fields.shape));
    const axis = { col: rank - 1, row: rank - 2, outer: rank - 3 }[move.axis];
    if (axis >= 0) void this.store_.setCursor(step(drawn.cursor.index, fields.shape, axis, move.by));
  }

  private async copyLink(): Promise<void> {
    this.writeAddress();
    try {
      await navigator.clipboard.writeText(location.href);
      this.copied_ = true;
      setTimeout(() => (this.copied_ = false), 1600);
    } catch {
      this.notice = 'The browser did not allow copying. The link is in the address bar.';
    }
  }

  private switchTheme(): void {
    const order: Theme[] = ['system', 'light', 'dark'];
    this.theme = order[(order.indexOf(this.theme) + 1) % order.length]!;
    storeTheme(this.theme);
    applyTheme(this.theme, this.dark_.matches);
  }

  protected override render(): TemplateResult {
    const { state } = this;
    const preset = kPresets.find(({ fields }) => JSON.stringify(fields) === JSON.stringify(state.fields));
    return html` <header>
        <a class="brand" href="./index.html" data-tip="To the optimizer">${icons.brand}<span>Tessera</span></a>
        <h1>Layout lab</h1>
        <label class="presets"
          ><span class="vh">Example</span
          ><select
            name="preset"
            aria-label="Example"
            @change=${(event: Event) => this.openPreset((event.target as HTMLSelectElement).value)}
          >
            ${preset === undefined ? html`<option value="" .selected=${true}>Your own layout</option>` : nothing}
            ${kPresets.map(
              ({ id, title }) => html`<option value=${id} .selected=${preset?.id === id}>${title}</option>`,
            )}
          </select></label
        >
        <span class="space"></span>
        <button
          class="btn primary"
          aria-label="Copy link"
          data-tip="Copies the address, which holds the tensor, the layout and the element"
          @click=${() => void this.copyLink()}
        >
          ${icons.link}<span class="wide">${this.copied_ ? 'Copied' : 'Copy link'}</span>
        </button>
        <button
          class="btn icon"
          aria-label="Theme: ${this.theme}"
          data-tip="Theme: ${this.theme}"
          @click=${() => this.switchTheme()}
        >
          ${{ system: icons.auto, light: icons.sun, dark: icons.moon }[this.theme]}
        </button>
      </header>
      ${this.renderNotices()}
      ${
        preset === undefined
          ? nothing
          : html`<section class="lesson" aria-label="What it shows"><p class="notice">${preset.lesson}</p></section>`
      }
      <main>
        <aside class="controls" aria-label="Layout">
          <lab-controls .fields=${state.fields} .problems=${state.problems} .devices=${this.devices}></lab-controls>
        </aside>
        ${this.renderPictures()}
      </main>
      <p class="vh" role="status">${this.spoken()}</p>`;
  }

  private renderNotices(): TemplateResult {
    const { failure } = this.state;
    return html`${
      this.notice === ''
        ? nothing
        : html`<p class="notice bad" role="alert">
            ${this.notice} <button class="link" @click=${() => (this.notice = '')}>Close</button>
          </p>`
    }
    ${failure === null ? nothing : html`<p class="notice bad" role="alert">The engine failed: ${failure}</p>`}`;
  }

  private openPreset(id: string): void {
    const preset = kPresets.find((candidate) => candidate.id === id);
    if (preset !== undefined) void this.store_.setFields(preset.fields, preset.cursor);
  }

  private renderPictures(): TemplateResult {
    const { state } = this;
    const { drawn, answer } = state;
    // The pictures show the fields they were made of, also while newer fields are refused.
    const problems = state.problems.map(
      ({ rule, text }) =>
        html`<p class="notice bad" role="alert">
          <b>${rule}</b>: ${text}. ${drawn === null ? '' : 'The picture below is of the last layout that was legal.'}
        </p>`,
    );
    if (drawn === null)
      return html`<div class="pictures">
        ${problems}${state.busy ? html`<p class="dim waiting">Starting the engine…</p>` : nothing}
      </div>`;
    const fields = state.drawnFields;
    const stale = state.problems.length > 0 ? 'stale' : '';
    return html`<div class="pictures ${stale}">
        ${problems}
        <lab-steps .drawn=${drawn} .fields=${fields}></lab-steps>
        <p class="line" aria-hidden="true">
          ${
            this.hover === null
              ? html`<span class="dim">Point at an element, or move with the arrow keys.</span>`
              : describeSpot(this.hover, drawn, fields)
          }
        </p>
        <div class="pair">
          ${this.renderPicture('logical', 'Logical tensor', logicalNote(fields))}
          ${this.renderPicture('physical', 'Collapsed', gridNote(drawn, fields))}
          <lab-cores
            .drawn=${drawn}
            .fields=${fields}
            .deviceInfo=${this.devices.find(({ id }) => id === fields.device) ?? null}
            .hover=${this.hover}
          ></lab-cores>
          ${this.renderPicture('stored', this.storedHeading(fields), storedNote(fields))}
        </div>
        <lab-texts .answer=${answer} .problem=${state.textProblem}></lab-texts>
      </div>
      <aside class="facts ${stale}" aria-label="Figures">
        <lab-element .drawn=${drawn} .fields=${fields} .found=${drawn.found ?? null}></lab-element>
        <lab-figures .drawn=${drawn} .fields=${fields}></lab-figures>
        <lab-legal .legal=${answer?.legal ?? []} .fields=${fields}></lab-legal>
      </aside>`;
  }

  private renderPicture(kind: 'logical' | 'physical' | 'stored', heading: string, note: string): TemplateResult {
    return html`<lab-picture
      .kind=${kind}
      .heading=${heading}
      .note=${note}
      .drawn=${this.state.drawn}
      .fields=${this.state.drawnFields}
      .hover=${this.hover}
      .theme="${this.theme} ${this.dark_.matches}"
    ></lab-picture>`;
  }

  private storedHeading(fields: LabFields): string {
    const { drawn } = this.state;
    const cores = drawn?.cores;
    const at = (drawn?.windows.position ?? 0) * 4;
    if (fields.view === 'ttnn' && (fields.buffer === 'dram' || fields.buffer === 'trace'))
      return `Stored in DRAM bank ${drawn?.windows.position}`;
    if (fields.buffer === 'system' || fields.buffer === 'mmio') return 'Stored in host memory';
    if (cores === undefined || at + 2 >= cores.length) return 'Stored there';
    return `Stored on core (${cores[at + 1]}, ${cores[at + 2]})${
      fields.deviceDims > 0 ? ` of device ${cores[at]}` : ''
    }`;
  }

  // What the live region says: the cursor's place.
  private spoken(): string {
    const { drawn } = this.state;
    if (drawn === null) return '';
    const fields = this.state.drawnFields;
    const { cursor } = drawn;
    return describeSpot(
      {
        picture: 'logical',
        row: 0,
        col: 0,
        element: ravel(cursor.index, fields.shape),
        position: cursor.position,
        bits: cursor.offset * 8 + cursor.bit,
      },
      drawn,
      fields,
    );
  }

  static override styles = [sharedStyles, labAppStyles];
}

function logicalNote({ shape }: LabFields): string {
  const drawn = shape.length > 2 ? '; the last two are drawn. Page keys go through the others.' : '.';
  return `Dims as the program counts them${drawn}`;
}

function storedNote({ tiled }: LabFields): string {
  return tiled
    ? 'Thin lines are tiles, dashed ones their 16×16 faces; hatched is padding.'
    : 'Row after row in memory; hatched is padding.';
}

customElements.define('tessera-lab', TesseraLab);

export type { LabAnswer };

function gridNote(drawn: LabDrawn, fields: LabFields): string {
  const dims = drawn.physical.length > 2 ? '; its last two dims are drawn' : '';
  const holders = fields.buffer === 'dram' && fields.view === 'ttnn' ? 'banks' : 'cores';
  return `What the grid divides${dims}. Thick lines are borders between ${holders}, labelled x,y.`;
}
