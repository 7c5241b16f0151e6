// The middle of the page while there is no run to show.

import { css, html, nothing, type TemplateResult } from 'lit';

import type { Diagnostic } from '../model/report';
import { formatInteger } from '../model/format';
import { hasErrors, type AppState, type SampleInfo } from '../model/state';
import { kTours, type Tour } from '../model/tours';
import { excerpt, seemsToBe, sourceName } from '../model/unreadable';
import { isAboutForced } from '../model/trials';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';

import { renderGettingAFile } from './getting_a_file';
import './forced_note';

const kMostErrors = 12; // as many are listed

export class TesseraBlank extends TesseraElement {
  static override properties = { state: { attribute: false } };
  declare state: AppState;

  protected override render(): TemplateResult {
    const { state } = this;
    if (state.source.text.trim() === '') return this.renderEmpty();
    if (state.report?.run != null) return this.renderNothing();
    if (hasErrors(state.diagnostics))
      return state.diagnostics.some(isAboutForced) ? this.renderForced() : this.renderErrors();
    return state.engine === 'failed' ? this.renderNoEngine() : this.renderLoading();
  }

  private renderEmpty(): TemplateResult {
    return html`<section class="blank">
      <h2>No graph yet</h2>
      <p>
        Paste a StableHLO, TTIR or TTNN graph into the source, drop a file anywhere on this page, or start with a
        sample.
      </p>
      <p class="actions">
        <button class="btn primary" @click=${() => this.ask({ type: 'open-file' })}>${icons.file}Open a file</button>
      </p>
      <ul class="samples">
        ${this.state.samples.map((sample) => this.renderSample(sample))}
      </ul>
      <h3>Or take a tour</h3>
      <ul class="samples tours">
        ${kTours.map((tour) => this.renderTour(tour))}
      </ul>
      ${renderGettingAFile()}
      <p class="dim">Nothing leaves your computer: the optimizer runs in this page.</p>
    </section>`;
  }

  private renderSample({ id, title, description }: SampleInfo): TemplateResult {
    return html`<li>
      <button @click=${() => this.ask({ type: 'load-sample', id })}><b>${title}</b><span>${description}</span></button>
    </li>`;
  }

  private renderTour({ id, title, about }: Tour): TemplateResult {
    return html`<li>
      <button data-tour=${id} @click=${() => this.send({ type: 'tour', place: { id, stop: 0 } })}>
        <b>${title}</b><span>${about}</span>
      </button>
    </li>`;
  }

  private renderNothing(): TemplateResult {
    return html`<section class="blank">
      <h2>Nothing to schedule</h2>
      <p>The text was read, but it holds no function with ops.</p>
    </section>`;
  }

  private renderErrors(): TemplateResult {
    const { source, droppedDiagnostics } = this.state;
    const errors = this.state.diagnostics.filter(({ severity }) => severity === 'error');
    const count = errors.length + droppedDiagnostics;
    const [first, ...others] = errors;
    return html`<section class="blank errors">
      <h2>${sourceName(source.origin)} could not be read</h2>
      <p class="seems">${seemsToBe(source.text)}</p>
      ${first === undefined ? nothing : this.renderFirst(first)}
      <p>
        ${errors.length === 1 ? 'There is no other error.' : `There are ${formatInteger(count)} errors.`} The schedule
        appears as soon as the text can be read.
      </p>
      ${
        others.length === 0
          ? nothing
          : html`<ul>
              ${others.slice(0, kMostErrors).map((error) => this.renderError(error))}
            </ul>`
      }
      <p class="actions">
        <button class="btn" @click=${() => this.ask({ type: 'open-file' })}>${icons.file}Open another file</button>
      </p>
      ${renderGettingAFile()}
    </section>`;
  }

  private renderForced(): TemplateResult {
    return html`<section class="blank"><tessera-forced-note .state=${this.state}></tessera-forced-note></section>`;
  }

  // With the line that it speaks of.
  private renderFirst(error: Diagnostic): TemplateResult {
    const { text, column } = excerpt(this.state.source.text, error.line, error.column);
    return html`<ul>
        ${this.renderError(error)}
      </ul>
      <pre class="excerpt" aria-hidden="true">
${text}
${' '.repeat(column)}^</pre>`;
  }

  private renderError({ line, column, message }: Diagnostic): TemplateResult {
    return html`<li>
      <button @click=${() => this.ask({ type: 'go-to-line', line, column })}>
        <span class="mono">${line}:${column}</span><span>${message}</span>
      </button>
    </li>`;
  }

  private renderNoEngine(): TemplateResult {
    return html`<section class="blank">
      <h2>The engine could not be started</h2>
      <p>
        Your browser must support WebAssembly, and the page’s engine files must be where the page is. Your text is kept.
      </p>
      <p class="actions"><button class="btn primary" @click=${() => location.reload()}>Reload the page</button></p>
    </section>`;
  }

  private renderLoading(): TemplateResult {
    return html`<section class="blank loading" aria-busy="true">
      <div class="skeleton" aria-hidden="true">${Array.from({ length: 14 }, () => html`<i></i>`)}</div>
      <p class="vh">Running…</p>
    </section>`;
  }

  static override styles = [
    sharedStyles,
    css`
      .getting {
        max-width: 100%;
        text-align: left;
      }
      .getting summary {
        cursor: pointer;
      }
      .getting dl {
        margin: 0;
      }
      .getting dt {
        margin-top: 8px;
      }
      .getting dd {
        margin: 0;
        overflow-x: auto;
      }
      .getting code {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        user-select: all;
      }

      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
      }
      .blank {
        display: flex;
        flex-direction: column;
        align-items: center;
        justify-content: flex-start;
        gap: 10px;
        padding: clamp(24px, 9vh, 90px) 24px 24px;
        text-align: center;
        overflow: auto;
        flex: 1;
        min-height: 0;
      }
      .blank h2 {
        font-size: 17px;
      }
      .blank > p {
        max-width: 520px;
        line-height: 1.5;
        color: var(--dim);
      }
      .samples {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(220px, 1fr));
        gap: 10px;
        width: min(100%, 740px);
        margin: 10px 0;
      }
      .samples button {
        width: 100%;
        height: 100%;
        text-align: left;
        border: 1px solid var(--line);
        background: var(--panel);
        border-radius: 9px;
        padding: 10px 12px;
        cursor: pointer;
        display: flex;
        flex-direction: column;
        gap: 3px;
      }
      .samples button:hover {
        border-color: var(--accent);
      }
      .samples span {
        color: var(--dim);
        font-size: 12px;
      }
      .excerpt {
        width: min(100%, 640px);
        margin: 0;
        padding: 8px 12px;
        overflow-x: auto;
        text-align: left;
        font: 12px/1.5 var(--mono);
        color: var(--ink);
        background: var(--soft);
        border-radius: 9px;
      }
      .errors h2 {
        max-width: 100%;
        overflow-wrap: anywhere;
      }
      .errors ul {
        width: min(100%, 640px);
        text-align: left;
        border: 1px solid var(--line);
        border-radius: 9px;
        background: var(--panel);
        overflow: hidden;
      }
      .errors li + li {
        border-top: 1px solid var(--line);
      }
      .errors li button {
        display: flex;
        gap: 12px;
        width: 100%;
        border: 0;
        background: none;
        padding: 8px 12px;
        cursor: pointer;
        text-align: left;
        overflow-wrap: anywhere;
      }
      .errors li button:hover {
        background: var(--hover);
      }
      .errors .mono {
        color: var(--bad);
        flex: none;
        font-size: 12px;
        line-height: 18px;
      }
      .errors li span {
        min-width: 0;
      }
      .loading {
        padding: 38px 0 0;
        align-items: stretch;
      }
      .skeleton i {
        display: block;
        height: 12px;
        margin: 7px 16px 14px;
        border-radius: 4px;
        background: var(--soft);
      }
      .skeleton i:nth-child(3n) {
        margin-right: 34%;
      }
      .skeleton i:nth-child(3n + 1) {
        margin-right: 18%;
      }
    `,
  ];
}

customElements.define('tessera-blank', TesseraBlank);
