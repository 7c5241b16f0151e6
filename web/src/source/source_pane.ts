// The source: text, samples, files, diagnostics. It starts as a textarea and becomes an editor when its chunk has come.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, plural } from '../model/format';
import type { Diagnostic } from '../model/report';
import type { Source } from '../model/state';
import { countFaults, faultsKind, faultsText } from '../model/text_faults';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import type { Editor } from './editor';
import { sourceStyles } from './source_styles';

const kTypingPauseMs = 150;
const kMostListed = 200;
const kPlainBeyond = 4 * 1024 * 1024; // characters; as in editor.ts

export class TesseraSource extends TesseraElement {
  static override properties = {
    source: { attribute: false },
    open: { type: Boolean },
    diagnostics: { attribute: false },
    dropped: { type: Number },
    ready_: { state: true },
    failed_: { state: true },
  };
  static override styles = [sharedStyles, sourceStyles];

  declare source: Source;
  declare open: boolean; // it is shown; a hidden one is not fed
  declare diagnostics: readonly Diagnostic[];
  declare dropped: number;
  declare ready_: boolean;
  declare failed_: boolean;

  private editor_: Editor | null = null;
  private shownLoads_ = 0;
  private earlier_: string[] = []; // texts that were replaced before the editor came; they go to its undo history
  private fetching_ = false;
  private typing_ = 0;
  private pending_: (() => string) | null = null;

  constructor() {
    super();
    this.source = { text: '', origin: { kind: 'empty' }, loads: 0 };
    this.open = false;
    this.diagnostics = [];
    this.dropped = 0;
    this.ready_ = false;
    this.failed_ = false;
  }

  // The text as it stands now, with what was typed in the last moment.
  flush(): void {
    if (this.pending_ === null) return;
    window.clearTimeout(this.typing_);
    const text = this.pending_();
    this.pending_ = null;
    this.send({ type: 'edit', text });
  }

  goTo(line: number, column: number): void {
    if (this.editor_ !== null) {
      this.editor_.goTo(line, column);
      return;
    }
    const area = this.area;
    if (area === null) return;
    const lines = area.value.split('\n');
    const before = lines.slice(0, Math.max(0, line - 1)).reduce((sum, text) => sum + text.length + 1, 0);
    const at = Math.min(area.value.length, before + Math.max(0, column - 1));
    area.focus();
    area.setSelectionRange(at, at);
  }

  private get area(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  // A large chunk, which a page whose source is never looked at does without.
  private fetchEditor(): void {
    if (this.fetching_) return;
    this.fetching_ = true;
    const whenIdle = (work: () => void): void => {
      if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 1500 });
      else setTimeout(work, 200);
    };
    whenIdle(() => void this.loadEditor());
  }

  private async loadEditor(): Promise<void> {
    try {
      const { createEditor } = await import('./editor');
      const area = this.area;
      const parent = this.renderRoot.querySelector<HTMLElement>('.editor');
      if (area === null || parent === null || this.editor_ !== null) return;
      const hadFocus = (this.renderRoot as ShadowRoot).activeElement === area;
      this.editor_ = createEditor(
        {
          parent,
          root: this.renderRoot as ShadowRoot,
          language: 'mlir',
          changed: (text) => this.noteTyping(text),
        },
        [...this.earlier_, area.value],
        area.selectionStart,
      );
      this.earlier_ = [];
      this.ready_ = true;
      this.editor_.showDiagnostics(this.diagnostics);
      if (hadFocus) this.editor_.focus();
    } catch {
      this.failed_ = true; // the textarea stays and works
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('source') && this.source.loads !== this.shownLoads_) this.pending_ = null;
  }

  protected override shouldUpdate(): boolean {
    return this.open || this.hasUpdated;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.open) return;
    this.fetchEditor();
    if (this.source.loads !== this.shownLoads_) {
      this.shownLoads_ = this.source.loads;
      window.clearTimeout(this.typing_);
      this.showText(this.source.text);
    }
    const were = changed.get('diagnostics') as readonly unknown[] | undefined;
    const told = changed.has('diagnostics') && (this.diagnostics.length > 0 || were?.length !== 0);
    if (told || changed.has('open')) this.editor_?.showDiagnostics(this.diagnostics);
  }

  private showText(text: string): void {
    if (this.editor_ !== null) {
      if (this.editor_.text() !== text) this.editor_.replaceText(text);
      return;
    }
    const area = this.area;
    if (area === null) return;
    if (area.value !== '') this.earlier_.push(area.value);
    area.value = text;
  }

  // The field is taken now: when the typing has paused, the event's target is this element.
  private readonly onAreaInput = (event: Event): void => {
    const area = event.target as HTMLTextAreaElement;
    this.noteTyping(() => area.value);
  };

  private noteTyping(text: () => string): void {
    this.pending_ = text;
    window.clearTimeout(this.typing_);
    this.typing_ = window.setTimeout(() => this.flush(), kTypingPauseMs);
  }

  protected override render(): TemplateResult {
    const { text } = this.source;
    return html` <div class="head">
        <h2>Source</h2>
        <span class="origin" data-clip>${originText(this.source)}</span>
        <button
          class="btn icon quiet"
          aria-label="Open a file"
          data-tip="Open a file (or drop one anywhere)"
          @click=${() => this.ask({ type: 'open-file' })}
        >
          ${icons.file}
        </button>
        <button
          class="btn icon quiet collapse"
          aria-label="Hide the source pane"
          data-tip="Hide the source"
          @click=${() => this.send({ type: 'view', view: { sourceOpen: false } })}
        >
          ${icons.collapse}
        </button>
      </div>
      <div class="text">
        <div class="editor" ?hidden=${!this.ready_}></div>
        <textarea
          ?hidden=${this.ready_}
          aria-label="Source text of the graph"
          spellcheck="false"
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          placeholder="Paste a StableHLO, TTIR or TTNN graph in MLIR form, drop a file on the page, or take a sample."
          @input=${this.onAreaInput}
        ></textarea>
      </div>
      ${this.renderDiagnostics()}
      <p class="foot">
        ${text === '' ? 'No text' : `${formatBytes(text.length)}`}${
          text.length > kPlainBeyond ? ', shown without colours' : ''
        }${this.failed_ ? ' · the editor could not be loaded, a plain text field stands in' : ''}
      </p>`;
  }

  private renderDiagnostics(): TemplateResult | typeof nothing {
    if (this.diagnostics.length === 0) return nothing;
    const faults = countFaults(this.diagnostics);
    const heading = faultsText(faults) || plural(this.diagnostics.length, 'note');
    const hidden = Math.max(0, this.diagnostics.length - kMostListed) + this.dropped;
    return html`<section class="diagnostics" aria-label="Diagnostics">
      <h3 class=${faultsKind(faults)}>${heading}</h3>
      <ul>
        ${this.diagnostics.slice(0, kMostListed).map(
          (diagnostic) =>
            html`<li class=${diagnostic.severity}>
              <button
                @click=${() => this.ask({ type: 'go-to-line', line: diagnostic.line, column: diagnostic.column })}
              >
                <span class="dot" aria-hidden="true"></span
                ><span class="where">${diagnostic.line}:${diagnostic.column}</span>
                <span class="what"
                  ><span class="vh">${diagnostic.severity}: </span
                  >${diagnostic.message}${diagnostic.notes.map((note) => html`<small>${note}</small>`)}</span
                >
              </button>
            </li>`,
        )}
      </ul>
      ${hidden > 0 ? html`<p class="dim">and ${formatInteger(hidden)} more</p>` : nothing}
    </section>`;
  }
}

function originText(source: Source): string {
  switch (source.origin.kind) {
    case 'sample':
      return source.origin.id;
    case 'file':
      return source.origin.name;
    case 'url':
      return source.origin.url;
    case 'link':
      return source.origin.name === '' ? 'from a link' : source.origin.name;
    case 'typed':
      return 'edited';
    case 'empty':
      return '';
  }
}

customElements.define('tessera-source', TesseraSource);
