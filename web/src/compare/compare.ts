// n runs of one graph side by side: totals as a table, two L1 maps in one scale, and the ops whose results live
// elsewhere.

import { html, nothing, type TemplateResult } from 'lit';

import { kOwnPlan, kPinned, pinnedRuns, unpinnedRuns } from '../model/compared_runs';
import type { Options } from '../model/option_values';
import type { PlanInUse } from '../model/plan';
import type { Catalog, Report, Run } from '../model/report';
import { badgeStyles } from '../view/badge';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { byTime } from './compare_model';
import './compare_maps';
import { compareStyles } from './compare_styles';
import { opsTable } from './ops_table';
import { runsTable } from './runs_table';

const kPage = 60; // ops shown before "show more"; each has a cell with a picture per run
const kAtOnce = 20; // rows that one task of the browser makes and lays out
const kMostRuns = 12;

export class TesseraCompare extends TesseraElement {
  static override properties = {
    catalog: { attribute: false },
    runs: { attribute: false },
    base: { attribute: false },
    reports: { attribute: false },
    busy: { type: Boolean },
    selected: { attribute: false },
    policy: { attribute: false },
    plan: { attribute: false },
    themeKey: { type: String },
    alone: { type: Boolean },
    all_: { state: true },
    bySpread_: { state: true },
    shown_: { state: true },
    made_: { state: true },
    open_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, compareStyles];
  declare catalog: Catalog | null;
  declare runs: readonly Options[];
  declare base: Options; // the page's own options: what a run does not set
  declare reports: readonly Report[] | null;
  declare busy: boolean;
  declare selected: string; // name of the selected row's result
  declare policy: string; // of the page's own run
  declare plan: PlanInUse | null;
  declare themeKey: string;
  declare alone: boolean; // no engine stands by: the runs stay as they are
  declare all_: boolean;
  declare bySpread_: boolean;
  declare shown_: number;
  declare made_: number; // of the ops shown, those whose rows are made; the others follow, some in each frame
  declare open_: number; // run whose options are shown; -1: none

  constructor() {
    super();
    this.catalog = null;
    this.runs = [];
    this.base = {};
    this.reports = null;
    this.busy = false;
    this.selected = '';
    this.policy = '';
    this.plan = null;
    this.themeKey = '';
    this.alone = false;
    this.all_ = false;
    this.bySpread_ = true;
    this.shown_ = kPage;
    this.made_ = kAtOnce;
    this.open_ = -1;
  }

  protected override heir(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.tablebox');
  }

  // Rows are made anew where there was no table; one that stands keeps them, so that nothing moves under a reader.
  protected override willUpdate(): void {
    if (!this.hasTable) this.made_ = kAtOnce;
  }

  protected override updated(): void {
    if (!this.hasTable || this.made_ >= this.shown_) return;
    requestAnimationFrame(() => (this.made_ = Math.min(this.shown_, this.made_ + kAtOnce)));
  }

  private get results(): (Run | null)[] {
    return this.runs.map((_, at) => this.reports?.[at]?.run ?? null);
  }

  private get hasTable(): boolean {
    return this.results.filter((run) => run !== null).length > 1;
  }

  private compare(runs: readonly Options[] | null): void {
    this.send({ type: 'compare', runs });
  }

  protected override render(): TemplateResult {
    const results = this.results;
    const { catalog, runs, base, reports, busy } = this;
    return html`<div class="scroll">
      <section aria-label="Runs" aria-busy=${busy}>
        ${runsTable({
          ...{ catalog, runs, base, reports, results, busy, fixed: this.alone },
          planTitle: this.plan?.title ?? '',
          open: this.open_,
          setOpen: (at) => (this.open_ = at),
          compare: (changed) => this.compare(changed),
        })}
        ${this.alone ? nothing : this.renderActions()}
      </section>
      <tessera-compare-maps
        .reports=${reports ?? []}
        .order=${byTime(results).filter((at) => results[at] !== null)}
        .runs=${runs}
        .selected=${this.selected}
        .themeKey=${this.themeKey}
      ></tessera-compare-maps>
      ${opsTable({
        ...{ catalog, runs, reports, results, busy },
        selected: this.selected,
        all: this.all_,
        bySpread: this.bySpread_,
        shown: this.shown_,
        made: this.made_,
        setAll: (on) => (this.all_ = on),
        setBySpread: (on) => (this.bySpread_ = on),
        showMore: () => (this.shown_ += kPage),
        page: kPage,
        choose: ({ name, label }) => this.send({ type: 'find', key: { name, label, row: 0 } }),
      })}
    </div>`;
  }

  private renderActions(): TemplateResult {
    const { runs, base } = this;
    const full = runs.length >= kMostRuns;
    const pinned = runs.every((run) => run[kPinned] === true);
    return html`<p class="actions">
      <button
        class="btn"
        ?disabled=${full}
        @click=${() => this.compare([...runs, { ...(runs[runs.length - 1] ?? {}) }])}
      >
        ${icons.plus}Add a run
      </button>
      <button
        class="btn"
        ?disabled=${full}
        data-tip="As the toolbar has it now; it keeps its options when the toolbar’s change"
        @click=${() => this.compare([...runs, this.present])}
      >
        ${icons.plus}Add the present run
      </button>
      <button
        class="btn"
        aria-pressed=${pinned ? 'true' : 'false'}
        data-tip="Pinned runs keep their options when the toolbar’s change. The link holds the set"
        @click=${() => this.compare(pinned ? unpinnedRuns(runs) : pinnedRuns(base, runs))}
      >
        ${pinned ? 'Unpin the set' : 'Pin the set'}
      </button>
      <button class="btn quiet" @click=${() => this.compare(null)}>Every policy</button>
      <span class="dim"
        >${
          pinned
            ? 'The set is pinned: the toolbar changes nothing here.'
            : 'Runs share the options of the toolbar except for what is set here.'
        }</span
      >
    </p>`;
  }

  // A plan in use is none of its options: it is always the page's.
  private get present(): Options {
    const device = this.catalog?.options.find(({ id }) => id === 'device')?.default ?? '';
    const own = this.plan === null ? { policy: this.policy } : { [kOwnPlan]: true };
    return { device, ...this.base, ...own, [kPinned]: true };
  }
}

customElements.define('tessera-compare', TesseraCompare);
