// The why panel: what the selected op does, where its result lives and why, and the other candidates.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { RegretResult } from '../model/exact';
import type { Advice, Applied } from '../model/changes';
import type { DeviceInfo, Report, Row, Run } from '../model/report';
import type { OpTrials } from '../model/trials';
import type { OptionValue } from '../model/option_values';
import { heatCells, type HeatCell } from '../model/regret_heat';
import { badgeStyles } from '../view/badge';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { whenIdle } from '../view/idle';
import { buildMap, type MapPicture } from '../view/map_geometry';
import { timeStyles } from '../view/time_patterns';
import { overview } from './overview';
import { placementView } from './placement';
import { appliedNote, gainsView, type RemedyHooks } from './remedies';
import type * as RowView from './why_row';
import { whyStyles } from './why_styles';

const kNotLoaded = 'What the panel Why says about an op could not be loaded. Is the page’s host reachable?';

export class TesseraWhy extends TesseraElement {
  static override properties = {
    run: { attribute: false },
    device: { attribute: false },
    selected: { type: Number },
    regret: { attribute: false },
    free: { attribute: false },
    forced: { attribute: false },
    report: { attribute: false },
    trials: { attribute: false },
    advice: { attribute: false },
    applied: { attribute: false },
    fixed: { type: Boolean },
    planned: { type: Boolean },
    alone: { type: Boolean },
    rowView_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, timeStyles, whyStyles];

  declare run: Run | null;
  declare device: DeviceInfo | null;
  declare selected: number;
  declare regret: RegretResult | null; // of this run; null: not known yet
  declare free: RegretResult | null; // without the forced layouts
  declare forced: OptionValue | null;
  declare report: Report | null; // the present run
  declare trials: ReadonlyMap<string, OpTrials>;
  declare advice: Advice | null;
  declare applied: Applied | null;
  declare fixed: boolean; // a plan from outside decides
  declare planned: boolean; // the map shows planned addresses
  declare alone: boolean; // no engine and no source stand by: what needs them is not offered
  declare rowView_: typeof RowView | null; // null: it is not here yet
  private loading_: Promise<void> | null = null;
  private cells_: ReadonlyMap<number, HeatCell> = new Map();
  private map_: MapPicture | null = null;
  private went_ = false; // a name was followed from here: the next title takes the focus, and is read out

  constructor() {
    super();
    this.run = null;
    this.device = null;
    this.selected = -1;
    this.regret = null;
    this.free = null;
    this.forced = null;
    this.report = null;
    this.trials = new Map();
    this.advice = null;
    this.applied = null;
    this.fixed = false;
    this.planned = false;
    this.alone = false;
    this.rowView_ = null;
  }

  // Also of a row whose part of the page is on its way.
  async focusPanel(): Promise<void> {
    if (this.rowView_ === null && this.selected >= 0) await this.load();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus();
  }

  protected override firstUpdated(): void {
    if (!this.alone) whenIdle(() => this.load()); // an embed costs its host as little as it can
  }

  private load(): Promise<void> {
    this.loading_ ??= import('./why_row').then(
      (rowView) => void (this.rowView_ = rowView),
      () => this.send({ type: 'notice', severity: 'error', text: kNotLoaded }),
    );
    return this.loading_;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('run') || changed.has('regret'))
      this.cells_ = this.run === null || this.regret === null ? new Map() : heatCells(this.run, this.regret);
    if (!changed.has('run') && !changed.has('device')) return;
    this.map_ = this.run === null || this.device === null ? null : buildMap(this.run, this.device);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.get('selected') !== undefined) this.scrollTop = 0; // at first it costs a layout for nothing
    if (changed.has('selected') && this.went_) {
      this.went_ = false;
      void this.focusPanel();
    }
  }

  private readonly goTo = (row: number): void => {
    this.went_ = row !== this.selected;
    this.send({ type: 'select', row });
  };

  protected override heir(): HTMLElement | null {
    if (this.went_) return null;
    const find = (selector: string): HTMLElement | null => this.renderRoot.querySelector<HTMLElement>(selector);
    return find('.applied .btn') ?? find('.remedies h3') ?? find('h2');
  }

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run;
    if (run === null) return nothing;
    const row = run.rows[this.selected];
    return row === undefined
      ? html`${this.alone ? nothing : this.foldButton()}${overview(
          run,
          this.goTo,
          placementView(run, this.planned, (planned) =>
            this.send({ type: 'view', view: { planned, main: 'schedule', tab: 'map' } }),
          ),
          html`${appliedNote(this.remedies)}${gainsView(this.remedies)}`,
        )}`
      : html`${this.alone ? nothing : this.foldButton()}${this.renderRow(run, row)}`;
  }

  private get remedies(): RemedyHooks {
    return {
      report: this.report,
      advice: this.advice,
      applied: this.applied,
      planned: this.fixed || this.alone,
      send: (action) => this.send(action),
      tryChanges: (name) => this.ask({ type: 'try-changes', name }),
    };
  }

  private foldButton(): TemplateResult {
    return html`<button
      class="btn icon quiet fold"
      aria-label="Hide the why pane"
      data-tip="Gives its room to the schedule and the L1 map"
      @click=${() => this.send({ type: 'view', view: { whyOpen: false } })}
    >
      ${icons.expand}
    </button>`;
  }

  private renderRow(run: Run, row: Row): TemplateResult | typeof nothing {
    if (this.rowView_ === null) {
      void this.load();
      return nothing;
    }
    const { selected, device, map_: map, regret, free, forced, report, trials, cells_: cells, remedies, goTo } = this;
    const scene: RowView.RowScene = {
      ...{ run, selected, device, map, regret, free, forced, report, trials, cells, remedies, goTo },
      goToLine: this.alone ? null : (line, column) => this.ask({ type: 'go-to-line', line, column }),
      tryLayouts: (name) => this.ask({ type: 'try-layouts', name }),
      send: (action) => this.send(action),
    };
    return this.rowView_.whyRow(scene, row);
  }
}

customElements.define('tessera-why', TesseraWhy);
