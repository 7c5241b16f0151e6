// The passes of a run: what each changed, the graph before and after it side by side, and where an op of the source
// went.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { kExecutionDoc, kPassesDoc } from '../model/doc_links';
import { formatInteger, plural } from '../model/format';
import {
  followOps,
  hasEffect,
  splitBecame,
  type PassCheck,
  type PassesResult,
  type PassInfo,
  type PassNote,
  type PlanExecution,
  type Provenance,
} from '../model/passes';
import { docLink } from '../view/doc_link';
import { sharedStyles, TesseraElement } from '../view/element';
import { shownName } from '../view/names';
import { diffRows, type DiffRow } from './diff_rows';
import { diffTable } from './diff_table';
import { withShortLayouts } from './short_layouts';
import { passesStyles } from './passes_styles';

const kMostOps = 12; // named for one op of the source
const kPage = 400; // rows of a difference, or ops, shown before "show more"
const kStages: Readonly<Record<PassInfo['stage'], string>> = {
  stablehlo: 'StableHLO to TTIR',
  prepare: 'Prepare TTIR',
  lower: 'Lower to TTNN',
  analyse: 'Before the optimizer',
  optimize: 'Optimizer',
  finalize: 'Finalize',
  release: 'Export',
};

const kVerdicts: Readonly<Record<PassCheck['verdict'], string>> = {
  same: 'same results',
  different: 'other results',
  not_compared: 'not compared',
};

export class TesseraPasses extends TesseraElement {
  static override properties = {
    result: { attribute: false },
    checks: { attribute: false },
    execution: { attribute: false },
    busy: { type: Boolean },
    checking: { type: Boolean },
    executing: { type: Boolean },
    chosen_: { state: true },
    query_: { state: true },
    shown_: { state: true },
    whole_: { state: true },
  };
  declare result: PassesResult | null;
  declare checks: readonly PassCheck[] | null;
  declare execution: PlanExecution | null;
  declare busy: boolean;
  declare checking: boolean;
  declare executing: boolean;
  // Name of the pass that is shown; '' = where ops went; null = the first that changed something.
  declare chosen_: string | null;
  declare query_: string;
  declare shown_: number;
  declare whole_: boolean; // layouts as they are printed
  private rows_: { of: PassInfo; whole: boolean; rows: DiffRow[] } | null = null;

  constructor() {
    super();
    this.result = null;
    this.checks = null;
    this.execution = null;
    this.busy = false;
    this.checking = false;
    this.executing = false;
    this.chosen_ = null;
    this.query_ = '';
    this.shown_ = kPage;
    this.whole_ = false;
  }

  // The answer stands below the button, which stands at the end of a long list.
  protected override updated(changed: PropertyValues): void {
    if (changed.get('executing') === true)
      this.renderRoot.querySelector('.execute')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const { result } = this;
    if (result === null)
      return html`<p class="note dim" aria-busy=${this.busy}>
        ${this.busy ? 'Running the passes…' : 'No passes yet.'}
      </p>`;
    if (result.passes.length === 0)
      return html`<p class="note dim">
        The graph did not get through: ${result.lint?.diagnostics[0]?.message ?? 'see the errors in the source'}
      </p>`;
    const at =
      this.chosen_ === null
        ? result.passes.findIndex(hasEffect)
        : result.passes.findIndex((pass) => pass.name === this.chosen_);
    return html`<nav aria-label="Passes" aria-busy=${this.busy}>
        <button class="pass follow" aria-current=${at < 0 ? 'true' : 'false'} @click=${() => this.choose('')}>
          <b>Where ops went</b><small>${plural(result.provenance.length, 'op')} of the source</small>
        </button>
        ${this.renderCheckButton()} ${result.passes.map((pass, index) => this.renderPass(pass, index, index === at))}
        ${this.renderExecuteButton()}
      </nav>
      <section class="detail" aria-label="Pass">
        ${at < 0 ? this.renderFollow(result) : this.renderDetail(result, at)}
      </section>`;
  }

  private renderPass(pass: PassInfo, index: number, current: boolean): TemplateResult {
    const first = this.result!.passes.findIndex((other) => other.stage === pass.stage) === index;
    return html`${first ? html`<h2>${kStages[pass.stage]}</h2>` : nothing}
      <button
        class="pass ${hasEffect(pass) ? '' : 'idle'}"
        aria-current=${current ? 'true' : 'false'}
        data-tip=${pass.description}
        @click=${() => this.choose(pass.name)}
      >
        <b>${pass.title}</b
        ><small
          >${hasEffect(pass) ? counts(pass) : 'changes nothing'}${
            pass.problems.length > 0 ? html` <em class="bad">${plural(pass.problems.length, 'problem')}</em>` : nothing
          }${this.renderMark(pass.name)}</small
        >
      </button>`;
  }

  private checksText(): string {
    const { checks } = this;
    if (checks === null) return '';
    if (checks.length === 0) return 'No pass ran: the graph is taken as it is written';
    const differ = checks.filter(({ verdict }) => verdict === 'different').length;
    if (differ > 0) return `${plural(differ, 'pass', 'passes')} of ${checks.length} changed the results`;
    const skipped = checks.filter(({ verdict }) => verdict === 'not_compared').length;
    const kept = `${plural(checks.length - skipped, 'pass', 'passes')} kept the results`;
    return skipped > 0 ? `${kept}, ${skipped} could not be compared` : kept;
  }

  private renderCheckButton(): TemplateResult {
    const differs = this.checks?.some(({ verdict }) => verdict === 'different') ?? false;
    return html`<div class="check">
      <button
        class="btn"
        ?disabled=${this.checking}
        data-tip="Executes the graph, made small, before and after each pass on the same random inputs"
        @click=${() => this.ask({ type: 'check-passes' })}
      >
        ${this.checking ? 'Checking…' : 'Check the passes'}
      </button>
      <small role="status" class=${differs ? 'bad' : 'dim'}>${this.checksText()}</small>
      <small>${docLink(kPassesDoc, 'How they compare with the compiler’s')}</small>
    </div>`;
  }

  private renderExecuteButton(): TemplateResult {
    const { execution } = this;
    const differs = execution?.verdict === 'different';
    return html`<div class="check execute">
      <button
        class="btn"
        ?disabled=${this.executing}
        data-tip="Carries the plan of the graph, made small, out on the bytes of L1 and DRAM, and compares every value"
        @click=${() => this.ask({ type: 'execute-plan' })}
      >
        ${this.executing ? 'Executing…' : 'Execute this plan'}
      </button>
      <small role="status" class=${differs ? 'bad' : 'dim'}>${execution?.text ?? ''}</small>
      <small>${docLink(kExecutionDoc, 'What is executed')}</small>
    </div>`;
  }

  private renderMark(name: string): TemplateResult | typeof nothing {
    const check = this.checks?.find(({ pass }) => pass === name);
    if (check === undefined) return nothing;
    return html` <span class="mark ${check.verdict}">${kVerdicts[check.verdict]}</span>`;
  }

  private renderCheck(name: string): TemplateResult | typeof nothing {
    const check = this.checks?.find(({ pass }) => pass === name);
    if (check === undefined) return nothing;
    return html`<p class="mark ${check.verdict}">
      Executed before and after: ${kVerdicts[check.verdict]} <span class="dim">(${check.text})</span>
    </p>`;
  }

  private renderDetail(result: PassesResult, at: number): TemplateResult {
    const pass = result.passes[at]!;
    const before = at === 0 ? result.ir : result.passes[at - 1]!.ir;
    return html`<h2>${pass.title}</h2>
      <p class="mono dim">--${pass.name}</p>
      <p>${pass.description}</p>
      ${this.renderCheck(pass.name)}
      ${this.renderNotes('Could not be handled', pass.problems, true)}${this.renderNotes('Notes', pass.notes, false)}
      ${before === undefined || pass.ir === undefined ? nothing : this.renderDiff(pass, before, pass.ir)}`;
  }

  private renderNotes(title: string, notes: readonly PassNote[], bad: boolean): TemplateResult | typeof nothing {
    if (notes.length === 0) return nothing;
    return html`<details ?open=${bad || notes.length <= 6}>
      <summary class=${bad ? 'bad' : ''}>${title} (${formatInteger(notes.length)})</summary>
      <ul class="notes">
        ${notes
          .slice(0, kPage)
          .map(
            (note) =>
              html`<li>
                <span class="mono">${note.op}</span> <span class="dim">${shownName(note.name)}</span> ${note.text}
              </li>`,
          )}
      </ul>
    </details>`;
  }

  private renderDiff(pass: PassInfo, before: string, after: string): TemplateResult {
    if (before === after) return html`<p class="note dim">The text is the same before and after.</p>`;
    const whole = this.whole_;
    if (this.rows_?.of !== pass || this.rows_.whole !== whole) {
      const short = whole ? (text: string): string => text : withShortLayouts;
      this.rows_ = { of: pass, whole, rows: diffRows(short(before), short(after)) };
    }
    const { rows } = this.rows_;
    return html`<p>
        <label
          ><input
            type="checkbox"
            .checked=${whole}
            @change=${(event: Event) => (this.whole_ = (event.target as HTMLInputElement).checked)}
          />
          Layouts as printed</label
        >
      </p>
      ${diffTable(rows.slice(0, this.shown_))} ${this.renderMore(rows.length)}`;
  }

  private renderFollow(result: PassesResult): TemplateResult {
    const found = followOps(result.provenance, this.query_);
    return html`<h2>Where ops went</h2>
      <p class="find">
        <input
          type="search"
          aria-label="Find an op of the source"
          placeholder="Find an op, e.g. batch_norm"
          .value=${this.query_}
          @input=${(event: Event) => this.search((event.target as HTMLInputElement).value)}
        />
        <span class="dim">${formatInteger(found.length)} of ${plural(result.provenance.length, 'op')}</span>
      </p>
      <div class="diffbox" tabindex="0" role="group" aria-label="Ops of the source and what they became">
        <table class="follow">
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Became</th>
            </tr>
          </thead>
          <tbody>
            ${found.slice(0, this.shown_).map(
              (entry) =>
                html`<tr>
                  <th scope="row">
                    <span class="mono">${entry.op}</span> <span class="dim">${shownName(entry.name)}</span>
                  </th>
                  <td>${renderBecame(entry)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.renderMore(found.length)}`;
  }

  private renderMore(total: number): TemplateResult | typeof nothing {
    if (total <= this.shown_) return nothing;
    return html`<p>
      <button class="btn" @click=${() => (this.shown_ += kPage)}>
        Show ${formatInteger(Math.min(kPage, total - this.shown_))} more of ${formatInteger(total)}
      </button>
    </p>`;
  }

  private choose(name: string): void {
    this.chosen_ = name;
    this.shown_ = kPage;
  }

  private search(query: string): void {
    this.query_ = query;
    this.shown_ = kPage;
  }

  static override styles = [sharedStyles, passesStyles];
}

function renderBecame(entry: Provenance): TemplateResult {
  if (entry.became.length === 0) return html`<span class="dim">nothing: its value is not needed any more</span>`;
  const { ops, moves } = splitBecame(entry.became);
  const more = ops.length - kMostOps;
  return html`${ops
    .slice(0, kMostOps)
    .map(
      (to) =>
        html`<span class="to"><span class="mono">${to.op}</span> <span class="dim">${shownName(to.name)}</span></span>`,
    )}${more > 0 ? html`<span class="to dim">${formatInteger(more)} more</span>` : nothing}
  ${
    moves.length === 0
      ? nothing
      : html`<small class="dim"
          >${ops.length === 0 ? '' : 'with '}${moves
            .map(({ name, count }) => (count === 1 ? name : `${count} × ${name}`))
            .join(', ')}</small
        >`
  }`;
}

function counts(pass: PassInfo): string {
  const parts = [
    pass.changed > 0 ? `${formatInteger(pass.changed)} changed` : '',
    pass.added > 0 ? `+${formatInteger(pass.added)}` : '',
    pass.removed > 0 ? `−${formatInteger(pass.removed)}` : '',
  ];
  return parts.filter((part) => part !== '').join('  ');
}

customElements.define('tessera-passes', TesseraPasses);
