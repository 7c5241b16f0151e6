// The CodeMirror editor, in a chunk of its own: the page starts with a textarea and changes over when this has arrived.

import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic as CmDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorSelection, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { tags, type Tag } from '@lezer/highlight';

import type { Diagnostic } from '../model/report';
import { jsToken, type JsState } from './js_tokens';
import { mlirToken, type TokenKind } from './mlir_tokens';

const kPlainBeyond = 4 * 1024 * 1024; // characters; larger texts are shown without highlighting
const kPlainLine = 50_000; // characters in one line

export type EditorLanguage = 'mlir' | 'javascript';

export interface EditorHooks {
  readonly parent: HTMLElement;
  readonly root: ShadowRoot; // styles go to its adoptedStyleSheets, which the page's CSP allows
  readonly language: EditorLanguage;
  readonly changed: (text: () => string) => void; // the user edited; the text is made only when asked for
}

export interface Editor {
  readonly view: EditorView;
  replaceText(text: string): void; // keeps what was there in the undo history
  text(): string;
  showDiagnostics(diagnostics: readonly Diagnostic[]): void;
  goTo(line: number, column: number): void;
  focus(): void;
  destroy(): void;
}

const kTags: Record<TokenKind, Tag> = {
  comment: tags.comment,
  string: tags.string,
  value: tags.variableName,
  block: tags.labelName,
  symbol: tags.definition(tags.variableName),
  attribute: tags.attributeName,
  type: tags.typeName,
  op: tags.function(tags.variableName),
  keyword: tags.keyword,
  number: tags.number,
  punctuation: tags.punctuation,
};

const mlir = StreamLanguage.define<object>({
  name: 'mlir',
  startState: () => ({}),
  token: (stream) => mlirToken(stream),
  tokenTable: kTags,
  languageData: { commentTokens: { line: '//' } },
});

const javascript = StreamLanguage.define<JsState>({
  name: 'javascript',
  startState: () => ({ inside: '' }),
  token: jsToken,
  tokenTable: kTags,
  languageData: { commentTokens: { line: '//' } },
});

const kLanguages = {
  mlir: { extension: mlir, label: 'Source text of the graph' },
  javascript: { extension: javascript, label: 'Code of the policy' },
} as const;

const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--dim)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--interleaved)' },
  { tag: tags.variableName, color: 'var(--ink)' },
  { tag: tags.function(tags.variableName), color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.definition(tags.variableName), color: 'var(--width)' },
  { tag: tags.labelName, color: 'var(--width)' },
  { tag: tags.attributeName, color: 'var(--width)' },
  { tag: tags.typeName, color: 'var(--block)' },
  { tag: tags.keyword, color: 'var(--width)', fontWeight: '600' },
  { tag: tags.number, color: 'var(--reshard)' },
  { tag: tags.punctuation, color: 'var(--dim)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', scrollbarWidth: 'thin' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--dim)', borderRight: '1px solid var(--line)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 8px', fontSize: '11px' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '3px 1px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warn) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-info, .cm-lintRange-hint': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--dim) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker': { width: '10px', height: '10px', borderRadius: '50%', content: 'normal' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--bad)', content: 'normal' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warn)', content: 'normal', borderRadius: '2px' },
  '.cm-lint-marker-info': { backgroundColor: 'var(--dim)', content: 'normal' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    maxWidth: '480px',
  },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--warn)' },
  '.cm-panels': { backgroundColor: 'var(--soft)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button': { fontSize: '12px' },
  '.cm-textfield, .cm-button': {
    border: '1px solid var(--line)',
    borderRadius: '6px',
    background: 'var(--panel)',
    backgroundImage: 'none',
    color: 'var(--ink)',
  },
  '.cm-placeholder': { color: 'var(--dim)', whiteSpace: 'pre-wrap' },
});

const kPlaceholder = 'Paste a StableHLO, TTIR or\nTTNN graph in MLIR form,\ndrop a file anywhere, or\ntake a sample.';

const kBehaviour: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  history({ minDepth: 300 }),
  drawSelection(),
  bracketMatching(),
  highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 200 }),
  search({ top: true }),
  lintGutter(),
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  syntaxHighlighting(highlighting),
  theme,
  placeholder(kPlaceholder),
];

const kContent = { tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' };

// Highlighting that follows the text: a huge text or a very long line is shown plain.
class Highlighting {
  private readonly language_ = new Compartment();
  private on_ = false;
  readonly extension = this.language_.of([]);

  constructor(private readonly wanted_: Extension) {}

  follow(view: EditorView): void {
    const wanted = view.state.doc.length <= kPlainBeyond && !hasLongLine(view.state);
    if (wanted === this.on_) return;
    this.on_ = wanted;
    queueMicrotask(() => view.dispatch({ effects: this.language_.reconfigure(wanted ? this.wanted_ : []) }));
  }
}

export function createEditor(hooks: EditorHooks, texts: readonly string[], cursor: number): Editor {
  const language = kLanguages[hooks.language];
  const highlighter = new Highlighting(language.extension);
  const view = new EditorView({
    state: EditorState.create({
      doc: texts[0] ?? '',
      extensions: [
        kBehaviour,
        EditorView.contentAttributes.of({ 'aria-label': language.label, ...kContent }),
        highlighter.extension,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          highlighter.follow(update.view);
          if (!update.transactions.some((transaction) => transaction.isUserEvent('replace.page')))
            hooks.changed(() => update.view.state.doc.toString());
        }),
      ],
    }),
    parent: hooks.parent,
    root: hooks.root,
  });
  const replaceText = (text: string): void =>
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      annotations: isolateHistory.of('full'),
      userEvent: 'replace.page',
      scrollIntoView: true,
    });

  for (const later of texts.slice(1)) replaceText(later);
  view.dispatch({ selection: EditorSelection.cursor(Math.min(cursor, view.state.doc.length)) });
  highlighter.follow(view);

  return {
    view,
    replaceText,
    text: () => view.state.doc.toString(),
    showDiagnostics: (diagnostics) => view.dispatch(setDiagnostics(view.state, toCodeMirror(view.state, diagnostics))),
    goTo: (line, column) => {
      const at = positionOf(view.state, line, column);
      view.dispatch({ selection: EditorSelection.cursor(at), effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function hasLongLine(state: EditorState): boolean {
  if (state.doc.length < kPlainLine) return false;
  if (state.doc.lines > 200_000) return true;
  for (let line = 1; line <= state.doc.lines; line++) if (state.doc.line(line).length > kPlainLine) return true;
  return false;
}

function positionOf(state: EditorState, line: number, column: number): number {
  const found = state.doc.line(Math.min(state.doc.lines, Math.max(1, Math.trunc(line) || 1)));
  return Math.min(found.to, found.from + Math.max(0, (Math.trunc(column) || 1) - 1));
}

// Messages stay texts: CodeMirror puts `message` into a text node.
function toCodeMirror(state: EditorState, diagnostics: readonly Diagnostic[]): CmDiagnostic[] {
  return diagnostics
    .map((diagnostic): CmDiagnostic => {
      const from = positionOf(state, diagnostic.line, diagnostic.column);
      const end = positionOf(state, diagnostic.endLine, diagnostic.endColumn);
      const line = state.doc.lineAt(from);
      const to = end > from ? end : Math.min(line.to, from + 1);
      return {
        from,
        to,
        severity: diagnostic.severity === 'note' ? 'info' : diagnostic.severity,
        message: [diagnostic.message, ...diagnostic.notes].join('\n'),
        source: diagnostic.kind,
      };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
}
