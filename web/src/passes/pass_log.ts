// A log of the compiler's passes: every pass in order, those without effect dimmed, the state before and after one
// side by side, and which ops carry a location after each.

import { css, html, nothing, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, plural } from '../model/format';
import type { LoggedPass, PassLogAnswer } from '../model/generated/pass_log';
import type { OpenedLog } from '../model/opened_log';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { diffRows, type DiffRow } from './diff_rows';
import { diffTable } from './diff_table';
import { locationOps } from './locations';
import { passesStyles } from './passes_styles';
import { withShortLayouts } from './short_layouts';

const kPage = 400; // rows of a difference, or passes, shown before "show more"
const kMostText = 8 * 1024 * 1024; // characters of two states that are compared
const kMostNames = 500; // locations offered

export class TesseraPassLog extends TesseraElement {
  static override properties = {
    log: { attribute: false },
    passes_: { state: true },
    rows_: { state: true },
    effective_: { state: true },
  };
  static override styles = [
    sharedStyles,
    passesStyles,
    css`
      form {
        display: flex;
        gap: 8px;
      }
    `,
  ];

  declare log: OpenedLog | null;
  declare passes_: number; // shown
  declare rows_: number;
  declare effective_: boolean; // passes without effect are left out
  private compared_: { of: OpenedLog['texts']; rows: DiffRow[]; names: readonly string[] } | null = null;

  constructor() {
    super();
    this.log = null;
    this.passes_ = kPage;
    this.rows_ = kPage;
    this.effective_ = false;
  }

  protected override render(): TemplateResult {
    const { log } = this;
    if (log === null)
      return html`<div class="note whole">
        <p class="dim">
          Drop a log that the compiler wrote with --mlir-print-ir-after-all, of any length, or a folder of
          --mlir-print-ir-tree-dir.
        </p>
        <button class="btn" @click=${() => this.ask({ type: 'open-file' })}>${icons.file}Open a log</button>
      </div>`;
    if (log.answer === null)
      return html`<p class="note" role="status">
        Reading ${log.name}: ${formatBytes(log.read)} of ${formatBytes(log.bytes)}
        <progress max=${log.bytes} .value=${log.read}></progress>
      </p>`;
    return html`<nav aria-label="Passes">${this.renderPasses(log, log.answer)}</nav>
      <section class="detail" aria-label="Pass">${this.renderDetail(log, log.answer)}</section>`;
  }

  private renderPasses(log: OpenedLog, answer: PassLogAnswer): TemplateResult {
    const effective = answer.passes.filter(({ changed }) => changed).length;
    const listed = answer.passes
      .map((pass, at) => ({ pass, at }))
      .filter(({ pass }) => pass.changed || !this.effective_);
    return html`<p class="check">
        ${plural(answer.passes.length, 'pass', 'passes')}, ${formatInteger(effective)} with effect
        <label
          ><input
            type="checkbox"
            .checked=${this.effective_}
            @change=${(event: Event) => (this.effective_ = (event.target as HTMLInputElement).checked)}
          />
          only those</label
        >
      </p>
      ${listed.slice(0, this.passes_).map(({ pass, at }) => this.renderPass(pass, at, at === log.chosen))}
      ${
        listed.length > this.passes_
          ? html`<button class="btn" @click=${() => (this.passes_ += kPage)}>Show more</button>`
          : nothing
      }`;
  }

  private renderPass(pass: LoggedPass, at: number, current: boolean): TemplateResult {
    return html`<button
      class="pass ${pass.changed ? '' : 'idle'}"
      aria-current=${current ? 'true' : 'false'}
      @click=${() => {
        this.rows_ = kPage;
        this.ask({ type: 'log-pass', pass: at });
      }}
    >
      <b>${pass.argument || pass.pass}</b
      ><small
        >${pass.failed ? html`<em class="bad">failed</em>` : pass.changed ? 'changes' : 'changes nothing'}${
          pass.symbol === '' ? nothing : html` @${pass.symbol}`
        }
        line ${formatInteger(pass.line)}</small
      >
    </button>`;
  }

  private renderDetail(log: OpenedLog, answer: PassLogAnswer): TemplateResult {
    const pass = answer.passes[log.chosen];
    const cutOff = answer.dumps.at(-1)?.complete === false;
    return html`<h2>${pass === undefined ? log.name : pass.argument || pass.pass}</h2>
      ${cutOff ? html`<p class="dim">The last state of the log is cut off.</p>` : nothing}
      ${pass === undefined ? nothing : this.renderTexts(log)}${this.renderFollowed(log, answer)}`;
  }

  private renderTexts(log: OpenedLog): TemplateResult {
    const { texts } = log;
    if (texts === null) return html`<p class="dim" aria-busy="true">Reading…</p>`;
    if (texts.before.length + texts.after.length > kMostText)
      return html`<p class="note">The states are too large to be shown side by side.</p>`;
    if (this.compared_?.of !== texts) {
      const rows = diffRows(withShortLayouts(texts.before), withShortLayouts(texts.after));
      this.compared_ = { of: texts, rows, names: [...locationOps(texts.after).keys()].slice(0, kMostNames) };
    }
    const { rows, names } = this.compared_;
    return html`${this.renderFollow(names)}${
      texts.before === texts.after
        ? html`<p class="note dim">The text is the same before and after.</p>`
        : diffTable(rows.slice(0, this.rows_))
    }
    ${
      rows.length > this.rows_
        ? html`<button class="btn" @click=${() => (this.rows_ += kPage)}>Show more</button>`
        : nothing
    }`;
  }

  private renderFollow(names: readonly string[]): TemplateResult {
    if (names.length === 0)
      return html`<p class="dim">
        This state has no locations (print them with --mlir-print-debuginfo): no op can be followed.
      </p>`;
    return html`<form
      @submit=${(event: Event) => {
        event.preventDefault();
        const location = new FormData(event.target as HTMLFormElement).get('location');
        if (typeof location === 'string' && location !== '') this.ask({ type: 'log-follow', location });
      }}
    >
      <label>Follow <input name="location" type="text" list="locations" aria-label="Location" /></label>
      <datalist id="locations">${names.map((name) => html`<option value=${name}></option>`)}</datalist>
      <button class="btn">Follow</button>
    </form>`;
  }

  private renderFollowed(log: OpenedLog, answer: PassLogAnswer): TemplateResult | typeof nothing {
    const { followed } = log;
    if (followed === null) return nothing;
    return html`<table class="followed">
      <caption>
        Ops at “${followed.location}”
      </caption>
      <tbody>
        ${followed.steps.map(
          ({ pass, ops }) =>
            html`<tr>
              <th scope="row">${answer.passes[pass]?.argument || answer.passes[pass]?.pass}</th>
              <td class="mono">${ops.length === 0 ? 'none' : ops.join(', ')}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define('tessera-pass-log', TesseraPassLog);
