// The stepper under the schedule: walks what the policy did and selects the op of each step in the schedule and on the
// L1 map, which stay as they are.

import { html, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';

import { formatInteger, plural } from '../model/format';
import type { Catalog, Report } from '../model/report';
import { badge, badgeStyles } from '../view/badge';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { traceBadge } from '../view/trace_layout';
import { stepperStyles } from './stepper_styles';
import { stepsOf } from './step_source';
import { tickPath } from './ticks';
import { Walk, type Choice, type Figure, type StepSource, type StepTest, type StepText } from './walk';

const kPlayMs = 900;
const kMostChoices = 12;

export class TesseraStepper extends TesseraElement {
  static override properties = {
    report: { attribute: false },
    catalog: { attribute: false },
    step: { type: Number },
    selected: { type: Number },
    waiting: { type: Boolean },
    alone: { type: Boolean },
    all_: { state: true },
    playing_: { state: true },
    open_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, stepperStyles];
  declare report: Report | null;
  declare catalog: Catalog | null;
  declare step: number; // of the source; -1: that of the selected op, or the first
  declare selected: number; // row
  declare waiting: boolean; // for a run with its trace
  declare alone: boolean; // in somebody else's page: its keys work only within, and it stays open
  declare all_: boolean; // steps without effect are stopped at, too
  declare playing_: boolean;
  declare open_: boolean; // on a narrow screen: more than a line, which leaves little of the schedule

  private source_: StepSource | null = null;
  private walk_: Walk | null = null;
  private timer_ = 0;
  private readonly calm_ = matchMedia('(prefers-reduced-motion: reduce)');
  private readonly narrow_ = matchMedia('(max-width: 820px)');
  private readonly onWidth = (): void => this.requestUpdate();

  constructor() {
    super();
    this.report = null;
    this.catalog = null;
    this.step = -1;
    this.selected = -1;
    this.waiting = false;
    this.alone = false;
    this.all_ = false;
    this.playing_ = false;
    this.open_ = false;
    this.addEventListener('keydown', (event) => this.onKey(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.alone) window.addEventListener('keydown', this.onPageKey);
    this.narrow_.addEventListener('change', this.onWidth);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('keydown', this.onPageKey);
    this.narrow_.removeEventListener('change', this.onWidth);
    this.pause();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('report') || changed.has('catalog') || changed.has('waiting')) {
      const before = this.source_;
      this.source_ = this.waiting ? null : stepsOf(this.report, this.catalog);
      this.walk_ = null;
      // A step of another run says nothing about this one.
      if (before !== null && this.step >= 0) this.send({ type: 'view', view: { step: -1 } });
      this.pause();
    }
    if (this.walk_ === null || changed.has('all_'))
      this.walk_ = this.source_ === null || this.source_.count === 0 ? null : new Walk(this.source_, this.all_);
  }

  protected override heir(): HTMLElement | null {
    const [arrow, any] = ['.btn.icon:not(.close, :disabled)', 'button:not(:disabled)'];
    return this.renderRoot.querySelector<HTMLElement>(arrow) ?? this.renderRoot.querySelector<HTMLElement>(any);
  }

  // Where the walk is, among the steps that are stopped at.
  private get place(): number {
    const walk = this.walk_!;
    if (this.step >= 0) return walk.placeOf(this.step);
    return Math.max(
      0,
      walk.next(-1, ({ rows }) => rows[0] === this.selected),
    );
  }

  private go(place: number): void {
    const walk = this.walk_;
    const step = walk?.shown[Math.max(0, Math.min(Math.trunc(place), walk.shown.length - 1))];
    if (walk === null || step === undefined) return;
    this.send({ type: 'view', view: { step } });
    const row = this.source_!.mark(step).rows[0];
    if (row !== undefined && row !== this.selected) this.send({ type: 'select', row });
  }

  private move(place: number): void {
    this.pause();
    if (place >= 0) this.go(place);
  }

  private pause(): void {
    window.clearInterval(this.timer_);
    this.playing_ = false;
  }

  private togglePlay(): void {
    if (this.playing_) return this.pause();
    const last = (): boolean => this.place + 1 >= (this.walk_?.shown.length ?? 0);
    if (last()) this.go(0);
    this.playing_ = true;
    this.timer_ = window.setInterval(() => {
      if (this.walk_ !== null) this.go(this.place + 1);
      if (last()) this.pause();
    }, kPlayMs);
  }

  private readonly spill_: StepTest = ({ spill }) => spill;
  private readonly turn_: StepTest = ({ turn }) => turn;
  private readonly own_: StepTest = ({ rows }) => rows.includes(this.selected);

  private placeFor(key: string): number | null {
    const walk = this.walk_!;
    const places: { readonly [key: string]: () => number } = {
      ArrowRight: () => this.place + 1,
      ArrowLeft: () => this.place - 1,
      Home: () => 0,
      End: () => walk.shown.length - 1,
      s: () => walk.next(this.place, this.spill_),
      o: () => walk.next(this.place, this.own_, true),
      c: () => walk.next(this.place, this.turn_),
    };
    return places[key]?.() ?? null;
  }

  private onKey(event: KeyboardEvent): void {
    if (this.walk_ === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    const sliding = target instanceof HTMLInputElement && target.type === 'range'; // it moves by itself
    const to = this.placeFor(event.key);
    if (to === null || (sliding && event.key.length > 1)) return;
    event.preventDefault();
    this.move(Math.max(to, event.key.length > 1 ? 0 : -1));
  }

  // From anywhere on the page.
  private readonly onPageKey = (event: KeyboardEvent): void => {
    const target = event.composedPath()[0];
    const typing =
      target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
    if (typing || this.walk_ === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== '[' && event.key !== ']') return;
    event.preventDefault();
    this.move(Math.max(0, this.place + (event.key === ']' ? 1 : -1)));
  };

  protected override render(): TemplateResult {
    const walk = this.walk_;
    if (walk === null)
      return html`<section class="pane" aria-label="Steps" aria-busy=${this.waiting}>
        <div class="bar">
          <p class="dim">${this.waiting ? 'Running with a trace…' : 'This run has no steps.'}</p>
          ${this.closeButton()}
        </div>
      </section>`;
    const place = this.place;
    const told = walk.tell(place);
    if (this.short) return this.renderShort(walk, place, told);
    return html`<section class="pane ${this.tight ? 'tight' : ''}" aria-label="Steps">
      ${this.tight ? this.renderLine(walk, place, told) : nothing}${this.renderBar(walk, place, told)}
      <div class="told" tabindex="0" role="group" aria-label="What happens in this step">
        <p>
          <i class="phase">${told.phase}</i> <b class=${told.tone}>${told.title}</b>
          <span class="text">${told.text}</span>
        </p>
        ${figuresView(told.figures)} ${choicesView(told.choices)}
      </div>
      <p class="vh" role="status" aria-live="polite">${this.playing_ ? '' : told.title}</p>
    </section>`;
  }

  private renderBar(walk: Walk, place: number, told: StepText): TemplateResult {
    const last = walk.shown.length - 1;
    const { previous, next } = this.arrows(walk, place);
    const jump = (key: string, title: string, tip: string): TemplateResult => {
      const to = this.placeFor(key) ?? -1;
      return html`<button class="btn" ?disabled=${to < 0} data-tip="${tip} (key ${key})" @click=${() => this.move(to)}>
        ${title}
      </button>`;
    };
    return html`<div class="bar" role="group" aria-label="Walk the steps">
      ${previous}
      ${
        this.calm_.matches
          ? nothing
          : html`<button
              class="btn icon"
              aria-label=${this.playing_ ? 'Pause' : 'Play'}
              @click=${() => this.togglePlay()}
            >
              ${glyph(this.playing_ ? 'M5 3v10M10 3v10' : 'M5 3l7 5-7 5z')}
            </button>`
      }
      ${next} ${this.tight ? this.lessButton() : nothing}
      ${jump('s', 'Next spill', 'The next step at which a tensor leaves L1 for DRAM')}
      ${jump('o', 'This op', 'The next step about the selected op')}
      ${jump('c', 'Next change of mind', 'The next step at which the policy goes back on what it had decided')}
      ${this.tight ? nothing : this.renderLine(walk, place, told)}
      <span class="count"><b>step ${formatInteger(place + 1)}</b> of ${formatInteger(last + 1)}</span>
      ${
        walk.hidden === 0
          ? nothing
          : html`<label class="dim" data-tip="Stops at tries that changed nothing, too"
              ><input
                type="checkbox"
                .checked=${this.all_}
                @change=${(event: Event) => (this.all_ = (event.target as HTMLInputElement).checked)}
              />
              ${formatInteger(walk.hidden)} without effect</label
            >`
      }
      ${this.closeButton()}
    </div>`;
  }

  private arrows(walk: Walk, place: number): { previous: TemplateResult; next: TemplateResult } {
    const arrow = (name: string, to: number, off: boolean, key: string, path: string): TemplateResult =>
      html`<button
        class="btn icon"
        aria-label=${name}
        data-tip="${name} (key ${key})"
        ?disabled=${off}
        @click=${() => this.move(to)}
      >
        ${glyph(path)}
      </button>`;
    return {
      previous: arrow('Previous step', place - 1, place === 0, '[', 'M11 3v10L5 8zM4 3v10'),
      next: arrow('Next step', place + 1, place >= walk.shown.length - 1, ']', 'M5 3v10l6-5zM12 3v10'),
    };
  }

  // On a narrow screen the schedule keeps its room.
  private get tight(): boolean {
    return this.narrow_.matches && !this.alone;
  }
  private get short(): boolean {
    return this.tight && !this.open_;
  }

  private renderShort(walk: Walk, place: number, told: StepText): TemplateResult {
    const { previous, next } = this.arrows(walk, place);
    return html`<section class="short" aria-label="Steps">
      ${previous} ${next}
      <button class="what" aria-expanded="false" @click=${() => (this.open_ = true)}>
        <small>${formatInteger(place + 1)} of ${formatInteger(walk.shown.length)}: ${told.phase}</small
        ><b class=${told.tone}>${told.title}</b>
      </button>
      ${this.closeButton()}
      <p class="vh" role="status" aria-live="polite">${told.title}</p>
    </section>`;
  }

  private lessButton(): TemplateResult {
    return html`<button class="btn" aria-expanded="true" @click=${() => (this.open_ = false)}>One line</button>`;
  }

  private renderLine(walk: Walk, place: number, told: StepText): TemplateResult {
    const last = walk.shown.length - 1;
    return html`<span class="line">
      <svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
        <path class="all" d=${tickPath(walk, () => true, 8, 12)} />
        <path class="turn" d=${tickPath(walk, this.turn_, 3, 10)} />
        <path class="spill" d=${tickPath(walk, this.spill_, 1, 19)} />
      </svg>
      <input
        type="range"
        min="1"
        max=${last + 1}
        step="1"
        aria-label="Step"
        aria-valuetext="Step ${place + 1} of ${last + 1}: ${told.title}"
        data-tip="Long marks: a tensor leaves L1. Short marks above: the policy goes back on a decision"
        .value=${String(place + 1)}
        @input=${(event: Event) => this.move(Number((event.target as HTMLInputElement).value) - 1)}
      />
    </span>`;
  }

  private closeButton(): TemplateResult | typeof nothing {
    if (this.alone) return nothing;
    return html`<button
      class="btn icon quiet close"
      aria-label="Fold the steps away"
      data-tip="Fold the steps away"
      @click=${() => this.send({ type: 'view', view: { step: null } })}
    >
      ${icons.down}
    </button>`;
  }
}

function glyph(path: string): TemplateResult {
  return html`<svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    aria-hidden="true"
    fill="currentColor"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linejoin="round"
  >
    ${svg`<path d=${path} />`}
  </svg>`;
}

function figuresView(figures: readonly Figure[]): TemplateResult | typeof nothing {
  if (figures.length === 0) return nothing;
  return html`<dl>
    ${figures.map(
      ({ name, before, after }) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${before === '' ? after : html`<span class="dim">${before} →</span> ${after}`}</dd>
        </div>`,
    )}
  </dl>`;
}

function choicesView(choices: readonly Choice[]): TemplateResult | typeof nothing {
  if (choices.length === 0) return nothing;
  return html`<ul class="choices">
      ${choices
        .slice(0, kMostChoices)
        .map(
          ({ layout, fate, why }) =>
            html`<li class=${fate}>
              ${layout === null ? nothing : 'full' in layout ? traceBadge(layout) : badge(layout)} <b>${fate}</b> ${why}
            </li>`,
        )}
    </ul>
    ${
      choices.length > kMostChoices
        ? html`<p class="dim">and ${plural(choices.length - kMostChoices, 'more candidate')}</p>`
        : nothing
    }`;
}

customElements.define('tessera-stepper', TesseraStepper);
