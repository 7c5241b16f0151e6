// The pass generation: the beam of every op down the schedule with pointers to where each entry comes from, L1 beside
// it, and below the candidates of the selected op or what had to leave L1. Shows a run of Greedy or Beam, or the
// compiler's decision trace without a graph.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, plural, shortOp } from '../model/format';
import type { BeamTrace } from '../model/generated/beam_trace';
import { moveCount } from '../model/moves';
import type { Catalog, Report } from '../model/report';
import type { OpenedTrace } from '../model/state';
import { hasTrait, policiesWith } from '../model/traits';
import type { Options } from '../model/option_values';
import { badge, badgeStyles } from '../view/badge';
import { pixelRatio, readyCanvas } from '../view/canvas';
import { cssProps, sharedStyles } from '../view/element';
import { policyButtons } from '../view/policy_buttons';
import { readPalette, type Palette } from '../view/palette';
import { scrollToShow, windowFor, type RowWindow } from '../view/schedule_geometry';
import { drawBeams, drawL1 } from './beam_draw';
import { kRow, planBeamColumns, slotAt, type Columns } from './beam_geometry';
import { BeamPicture } from '../view/beam_picture';
import { beamStyles } from './beam_styles';
import { candidatesView } from './candidates';
import './knobs';
import { spillsView } from './spills';
import { shownName } from '../view/names';
import { traceBadge } from '../view/trace_layout';
import { SizedElement } from '../view/sized_element';

export class TesseraBeam extends SizedElement {
  static override properties = {
    report: { attribute: false },
    opened: { attribute: false },
    selected: { type: Number },
    busy: { type: Boolean },
    catalog: { attribute: false },
    options: { attribute: false },
    policy: { attribute: false },
    themeKey: { type: String },
    at_: { state: true },
    slot_: { state: true },
    tab_: { state: true },
    window_: { state: true },
    width_: { state: true },
    tip_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, beamStyles];
  declare report: Report | null;
  declare opened: OpenedTrace | null;
  declare selected: number; // row of the run
  declare busy: boolean;
  declare catalog: Catalog | null;
  declare options: Options;
  declare policy: string;
  declare themeKey: string;
  declare at_: number; // the current op
  declare slot_: number; // entry of its beam; -1: the chosen one
  declare tab_: 'candidates' | 'spills';
  declare window_: RowWindow;
  declare width_: number;
  declare tip_: string;

  private picture_: BeamPicture | null = null;
  private trace_: BeamTrace | null = null;
  private columns_: Columns | null = null;
  private palette_: Palette | null = null;
  private history_: ReadonlySet<string> = new Set();

  constructor() {
    super();
    this.report = null;
    this.opened = null;
    this.selected = -1;
    this.busy = false;
    this.catalog = null;
    this.options = {};
    this.policy = '';
    this.themeKey = '';
    this.at_ = -1;
    this.slot_ = -1;
    this.tab_ = 'candidates';
    this.window_ = { first: 0, end: 0 };
    this.width_ = 0;
    this.tip_ = '';
  }

  private get scroller(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.scroller');
  }

  protected override resized(): void {
    const scroller = this.scroller;
    if (scroller === null) return;
    this.width_ = scroller.clientWidth;
    this.moveWindow();
  }

  private moveWindow(): void {
    const scroller = this.scroller;
    const next = windowFor(scroller?.scrollTop ?? 0, scroller?.clientHeight ?? 600, this.picture_?.ops.length ?? 0);
    if (next.first !== this.window_.first || next.end !== this.window_.end) this.window_ = next;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('report') || changed.has('opened')) this.takeTrace();
    if (changed.has('themeKey')) this.palette_ = null;
    const picture = this.picture_;
    if (picture === null) return;
    if ((changed.has('selected') || changed.has('report')) && this.opened === null && this.selected >= 0)
      this.at_ = picture.placeOfRow(this.selected);
    const slot = this.slot_ >= 0 ? this.slot_ : (picture.ops[this.at_]?.chosen ?? -1);
    this.history_ = this.at_ < 0 ? new Set() : picture.history(this.at_, slot);
    this.columns_ = planBeamColumns(this.width_ || 800, picture.slots);
  }

  // Another trace keeps the the current op where it can: rows move when options do, names do not.
  private takeTrace(): void {
    const run = this.opened === null ? (this.report?.run ?? null) : null;
    const trace = this.opened === null ? (run?.propagationTrace ?? null) : this.opened.answer.trace;
    if (trace === this.trace_) return;
    const before = this.at_ < 0 ? '' : (this.picture_?.title(this.at_) ?? '');
    this.trace_ = trace;
    this.picture_ =
      trace === null || trace.ops.length === 0
        ? null
        : new BeamPicture(
            trace,
            run,
            run === null
              ? 'upstream'
              : hasTrait(this.catalog, this.report?.policy?.id ?? null, 'beam-search')
                ? String(this.report?.options['layout-score'] ?? '')
                : 'first',
          );
    this.slot_ = -1;
    const again =
      before === '' ? -1 : (this.picture_?.ops.findIndex((_, at) => this.picture_!.title(at) === before) ?? -1);
    this.at_ = again >= 0 ? again : firstChoice(this.picture_);
    this.window_ = windowFor(
      this.scroller?.scrollTop ?? 0,
      this.scroller?.clientHeight ?? 600,
      this.picture_?.ops.length ?? 0,
    );
  }

  protected override updated(changed: PropertyValues): void {
    if (this.scroller !== null && this.width_ !== this.scroller.clientWidth) this.resized();
    if (changed.has('at_') && this.at_ >= 0) this.reveal();
    if (changed.has('at_') && this.shadowRoot?.activeElement?.matches('li button') === true)
      this.renderRoot.querySelector<HTMLElement>('li .on')?.focus({ preventScroll: true });
    this.draw();
  }

  private reveal(): void {
    const scroller = this.scroller;
    if (scroller === null) return;
    const next = scrollToShow(this.at_, scroller.scrollTop, scroller.clientHeight - kRow);
    if (next === scroller.scrollTop) return;
    scroller.scrollTop = next;
    this.moveWindow();
  }

  private draw(): void {
    const { picture_: picture, columns_: columns } = this;
    if (picture === null || columns === null) return;
    const palette = (this.palette_ ??= readPalette(this));
    const scene = {
      picture,
      rows: this.window_,
      palette,
      selected: this.at_,
      history: this.history_,
      dpr: pixelRatio(),
      gap: columns.gap,
    };
    const height = (this.window_.end - this.window_.first) * kRow;
    const beams = readyCanvas(this.renderRoot, '.beams', columns.beamWidth, height);
    if (beams !== null) drawBeams(beams, scene);
    const l1 = readyCanvas(this.renderRoot, '.l1', columns.l1Width, height);
    if (l1 !== null) drawL1(l1, scene, columns.l1Width);
  }

  private goTo(at: number, slot = -1): void {
    const picture = this.picture_;
    if (picture === null) return;
    this.at_ = Math.max(0, Math.min(at, picture.ops.length - 1));
    this.slot_ = slot;
    const row = picture.ops[this.at_]?.row ?? -1;
    if (this.opened === null && row >= 0 && row !== this.selected) this.send({ type: 'select', row });
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = (this.picture_?.ops.length ?? 0) - 1;
    const slots = this.picture_?.ops[this.at_]?.beam.length ?? 0;
    const slot = this.slot_ >= 0 ? this.slot_ : (this.picture_?.ops[this.at_]?.chosen ?? 0);
    const moves: Record<string, () => void> = {
      ArrowDown: () => this.goTo(this.at_ + 1),
      ArrowUp: () => this.goTo(this.at_ - 1),
      PageDown: () => this.goTo(this.at_ + 12),
      PageUp: () => this.goTo(this.at_ - 12),
      Home: () => this.goTo(0),
      End: () => this.goTo(last),
      ArrowRight: () => (this.slot_ = Math.min(slots - 1, slot + 1)),
      ArrowLeft: () => (this.slot_ = Math.max(0, slot - 1)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  private placeOf(event: MouseEvent): { at: number; slot: number; overL1: boolean } {
    const box = this.renderRoot.querySelector('.body')!.getBoundingClientRect();
    const at = Math.floor((event.clientY - box.top) / kRow);
    const x = event.clientX - box.left;
    const columns = this.columns_!;
    return {
      at,
      slot: this.picture_ === null ? -1 : slotAt(this.picture_, at, x - columns.beamLeft, columns.gap),
      overL1: x >= columns.l1Left,
    };
  }

  private readonly onClick = (event: MouseEvent): void => {
    if (event.detail === 0) return; // by the keyboard: the row's own handler
    const { at, slot } = this.placeOf(event);
    this.goTo(at, slot);
    this.tab_ = this.placeOf(event).overL1 && this.picture_?.eventsAt.has(at) === true ? 'spills' : 'candidates';
  };

  private readonly onMove = (event: PointerEvent): void => {
    const { at, slot, overL1 } = this.placeOf(event);
    const picture = this.picture_;
    const op = picture?.ops[at];
    const entry = op?.beam[slot];
    if (picture === null || op === undefined) this.tip_ = '';
    else if (entry !== undefined)
      this.tip_ =
        `Rank ${slot} of ` +
        `${picture.title(at)}${slot === op.chosen ? ', taken' : ''}\n${picture.layout(entry.output).full}, ` +
        `${plural(entry.score[4], 'core')}`;
    else if (overL1) this.tip_ = this.l1Tip(picture, at);
    else this.tip_ = '';
  };

  private l1Tip(picture: BeamPicture, at: number): string {
    const live = picture.live[at]!;
    const events = (picture.eventsAt.get(at) ?? [])
      .slice(0, 4)
      .map((event) => `${event.victim || event.op} ${event.action}: ${event.cause}`);
    return [
      `Tensors ${formatBytes(live.tensors)}${
        live.circular > 0 ? `, circular buffers ${formatBytes(live.circular)}` : ''
      } of ${formatBytes(picture.budget)} per core${picture.measured ? '' : ', as it follows from the choices'}`,
      ...events,
    ].join('\n');
  }

  protected override render(): TemplateResult {
    const problem = this.renderProblem();
    if (problem !== null) return problem;
    const picture = this.picture_!;
    return html`${this.renderBar(picture)}
      <div class="panes">${this.renderOps(picture)}${this.renderDetails(picture)}</div>
      <p class="vh" role="status" aria-live="polite">
        ${
          this.at_ < 0
            ? ''
            : `${picture.title(this.at_)}${
                this.slot_ < 0
                  ? ''
                  : `, rank ${this.slot_}: ${
                      picture.layout(picture.ops[this.at_]?.beam[this.slot_]?.output ?? -1).full
                    }`
              }`
        }
      </p>`;
  }

  // What is shown while there is no picture; null when there is one.
  private renderProblem(): TemplateResult | null {
    if (this.opened !== null && this.opened.answer.trace === null) return this.renderBroken(this.opened);
    // An option of the chain generation may have taken the policy's place.
    const ran =
      this.report?.options['trace'] === true && hasTrait(this.catalog, this.policy, 'beam-trace')
        ? (this.report.policy?.id ?? this.policy)
        : this.policy;
    if (this.opened === null && !hasTrait(this.catalog, ran, 'beam-trace')) {
      return html`<section class="none">
        <h2>No beam to show</h2>
        <p>
          The policy ${ran} keeps no candidates per op. Greedy keeps one, Beam as many as you like. A decision trace of
          the compiler (version 3) can be dropped on the page, too.
        </p>
        <p class="buttons">${policyButtons(policiesWith(this.catalog, 'beam-trace'), (action) => this.send(action))}</p>
      </section>`;
    }
    if (this.picture_ !== null) return null;
    const text = this.busy
      ? 'Running with a trace…'
      : this.trace_ !== null
        ? 'The trace holds no ops.'
        : 'There is no trace yet.';
    return html`${this.opened === null ? nothing : this.renderFile(this.opened)}
      <section class="none" aria-busy=${this.busy}><p>${text}</p></section>`;
  }

  private renderBroken(opened: OpenedTrace): TemplateResult {
    const { diagnostics, droppedDiagnostics } = opened.answer;
    return html`<section class="none" role="alert">
      <h2>“${shownName(opened.name)}” is no decision trace that can be read</h2>
      <ul>
        ${diagnostics
          .slice(0, 12)
          .map(
            ({ line, column, message }) => html`<li><span class="mono dim">${line}:${column}</span> ${message}</li>`,
          )}
      </ul>
      ${
        diagnostics.length + droppedDiagnostics > 12
          ? html`<p>and ${formatInteger(diagnostics.length + droppedDiagnostics - 12)} more</p>`
          : nothing
      }
      <p class="buttons">
        <button class="btn primary" @click=${() => this.send({ type: 'trace-opened', opened: null })}>
          Back to the run
        </button>
      </p>
    </section>`;
  }

  private renderFile(opened: OpenedTrace): TemplateResult {
    return html`<div class="bar">
      <p class="file">
        <b>${shownName(opened.name)}</b>
        <span class="dim"
          >The compiler’s decision trace of ${opened.answer.trace?.function || 'a function'}, without its graph</span
        >
      </p>
      <button class="btn" @click=${() => this.send({ type: 'trace-opened', opened: null })}>Back to the run</button>
    </div>`;
  }

  private renderBar(picture: BeamPicture): TemplateResult {
    const { trace } = picture;
    const facts = html`<p class="facts">
      ${this.opsText(picture)} · ${formatInteger(trace.beamWidth)} kept per op · ${plural(picture.tries, 'evaluation')}
      · ${plural(trace.forks.length, 'fork')} · ${this.movesText(trace)}
    </p>`;
    if (this.opened !== null)
      return html`${this.renderFile(this.opened)}
        <div class="bar">${facts}</div>`;
    return html`<div class="bar" role="group" aria-label="Options of the search">
      <tessera-knobs
        .catalog=${this.catalog}
        .options=${this.options}
        .effective=${this.report?.options ?? {}}
        .policy=${this.policy}
      ></tessera-knobs>
      ${facts}<button
        class="btn"
        data-tip="The compiler’s decision_trace.json, version 3"
        @click=${() => this.ask({ type: 'export', what: 'decision-trace' })}
      >
        Save trace
      </button>
    </div>`;
  }

  // Loads of cached weights are ops of the run that nothing is decided about.
  private opsText(picture: BeamPicture): string {
    const all = this.opened === null ? this.report?.run?.totals.ops : undefined;
    const decided = formatInteger(picture.ops.length);
    return all === undefined ? plural(picture.ops.length, 'op') : `${decided} of ${plural(all, 'op')} decided`;
  }

  // The moves of the run; a file has none, and tells what was decided.
  private movesText(trace: BeamTrace): string {
    const run = this.opened === null ? this.report?.run : null;
    const counts =
      run == null
        ? { reshard: trace.edges.filter(([, , , reshard]) => reshard >= 0).length, spill: trace.spills?.total ?? 0 }
        : { reshard: moveCount(run, 'reshard'), spill: moveCount(run, 'spill') };
    return `${plural(counts.reshard, 'reshard')} · ${plural(counts.spill, 'spill')}`;
  }

  private renderOps(picture: BeamPicture): TemplateResult {
    const columns = this.columns_!;
    const { first, end } = this.window_;
    const canvasTop = { transform: `translateY(${first * kRow}px)`, height: `${(end - first) * kRow}px` };
    return html`<div class="scroller" @scroll=${() => this.moveWindow()} ${cssProps({ '--columns': columns.template })}>
      <div class="header" aria-hidden="true">
        <span>#</span><span>Op</span
        ><span
          data-tip=${
            'Entries of the beam, best first, with pointers to the entries of the operands that they come ' +
            'from. Dark: the chosen path. Dashed: with a reshard. Numbers: readers of a fork that ' +
            'prefer this entry.'
          }
          >Beam</span
        ><span class="place">Result in</span
        ><span
          data-tip=${
            'Bytes per core in L1 while the op runs, against the budget. Triangle: something was evicted. ' +
            'Diamond: the result went elsewhere. Cross: it does not fit.'
          }
          >L1 per core</span
        >
      </div>
      <div
        class="body"
        data-tip=${this.tip_ === '' ? nothing : this.tip_}
        ${cssProps({ height: `${picture.ops.length * kRow}px` })}
        @click=${this.onClick}
        @keydown=${this.onKey}
        @pointermove=${this.onMove}
        @pointerleave=${() => (this.tip_ = '')}
      >
        <ol aria-label="Ops with their beams">
          ${picture.ops.slice(first, end).map((_, place) => this.renderOp(picture, first + place))}
        </ol>
        <canvas
          class="beams"
          aria-hidden="true"
          ${cssProps({ ...canvasTop, left: `${columns.beamLeft}px`, width: `${columns.beamWidth}px` })}
        ></canvas
        ><canvas
          class="l1"
          aria-hidden="true"
          ${cssProps({ ...canvasTop, left: `${columns.l1Left}px`, width: `${columns.l1Width}px` })}
        ></canvas>
      </div>
    </div>`;
  }

  private renderOp(picture: BeamPicture, at: number): TemplateResult {
    const op = picture.ops[at]!;
    const events = picture.eventsAt.get(at)?.length ?? 0;
    const cached = picture.placeOfCached(at);
    return html`<li ${cssProps({ top: `${at * kRow}px` })}>
      <button
        class=${at === this.at_ ? 'on' : ''}
        tabindex=${at === this.at_ || (this.at_ < 0 && at === 0) ? 0 : -1}
        aria-current=${at === this.at_ ? 'true' : 'false'}
        @click=${(event: MouseEvent) => event.detail === 0 && this.goTo(at)}
      >
        <span class="step">${picture.step(at)}</span
        ><span class="op" data-clip
          >${picture.title(at)}
          <i>${shortOp(op.op)}</i>${picture.forkAt.has(at) ? html`<b class="fork">fork</b>` : nothing}</span
        >
        <span class="vh"
          >${plural(op.beam.length, 'entry', 'entries')}${events > 0 ? `, ${plural(events, 'spill event')}` : ''}</span
        ><span></span
        ><span class="place"
          >${cached !== null ? badge(cached) : op.final < 0 ? nothing : traceBadge(picture.layout(op.final))}</span
        ><span></span>
      </button>
    </li>`;
  }

  private renderDetails(picture: BeamPicture): TemplateResult {
    const tab = (id: 'candidates' | 'spills', title: string): TemplateResult =>
      html`<button aria-pressed=${this.tab_ === id ? 'true' : 'false'} @click=${() => (this.tab_ = id)}>
        ${title}
      </button>`;
    return html`<section class="details" aria-label="Details">
      <div class="tabs" role="group" aria-label="What is shown">
        ${tab('candidates', 'Candidates')}${tab('spills', `Spill events (${formatInteger(picture.events.length)})`)}
      </div>
      ${
        this.tab_ === 'spills'
          ? spillsView(picture, this.at_, (at) => this.goTo(at))
          : candidatesView(picture, this.at_, {
              slot: this.slot_,
              pick: (slot) => (this.slot_ = this.slot_ === slot ? -1 : slot),
              goTo: (at, slot) => this.goTo(at, slot),
            })
      }
    </section>`;
  }
}

// Where a trace opens: at the first op that had a choice; cached parameters that stand before it have none.
function firstChoice(picture: BeamPicture | null): number {
  const ops = picture?.ops ?? [];
  const choice = ops.findIndex(({ beam }) => beam.length > 1);
  return choice >= 0 ? choice : ops.findIndex(({ candidates, beam }) => candidates.length + beam.length > 2);
}

customElements.define('tessera-beam', TesseraBeam);
