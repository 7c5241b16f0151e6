// What all elements of the page share: the way an action leaves an element, and a few styles.

import { css, LitElement, type PropertyValues } from 'lit';
import { Directive, directive, PartType, type ElementPart, type PartInfo } from 'lit/directive.js';
import { noChange } from 'lit';

import type { Action } from '../model/state';

// Files that the engine makes from a run (core/driver/api.h), and those that the page makes.
export type ExportKind =
  | 'trace-events'
  | 'decision-trace'
  | 'certificate'
  | 'plan'
  | 'overrides'
  | 'model-explorer'
  | 'mlir'
  | 'csv'
  | 'report'
  | 'html'
  | 'session'
  | 'svg'
  | 'png';

// What an element asks of the page beyond changing the state.
export type Command =
  | { readonly type: 'copy-link' }
  | { readonly type: 'stop' }
  | { readonly type: 'run-policy'; readonly where: 'here' | 'everywhere' } // of the policy lab
  | { readonly type: 'stop-policy' }
  | { readonly type: 'log-pass'; readonly pass: number } // looked at
  | { readonly type: 'log-follow'; readonly location: string }
  | { readonly type: 'slider-moved' }
  | { readonly type: 'open-file' }
  | { readonly type: 'open-url'; readonly url: string }
  | { readonly type: 'load-sample'; readonly id: string }
  | { readonly type: 'load-file'; readonly file: File }
  | { readonly type: 'go-to-line'; readonly line: number; readonly column: number }
  | { readonly type: 'prove-longer' } // look for the optimum again, with more time
  | { readonly type: 'check-certificate' } // of the run with policy Exact
  | { readonly type: 'execute-plan' } // carry the plan out on the bytes of L1 and DRAM
  | { readonly type: 'check-passes' } // run the graph before and after each pass and compare the results
  | { readonly type: 'export'; readonly what: ExportKind }
  | { readonly type: 'try-changes'; readonly name: string } // for an op, or '' for the run
  | { readonly type: 'try-layouts'; readonly name: string } // that an op may be forced into
  | { readonly type: 'focus-search' }
  | { readonly type: 'focus-schedule' };

export class TesseraElement extends LitElement {
  protected send(action: Action): void {
    this.dispatchEvent(new CustomEvent('tessera-action', { detail: action, bubbles: true, composed: true }));
  }
  protected ask(command: Command): void {
    this.dispatchEvent(new CustomEvent('tessera-command', { detail: command, bubbles: true, composed: true }));
  }

  // What takes the focus when the part that had it goes with a change, or is disabled.
  protected heir(): HTMLElement | null {
    return null;
  }

  protected override update(changed: PropertyValues): void {
    const held = (this.renderRoot as ShadowRoot).activeElement;
    super.update(changed);
    if (held !== null && (!held.isConnected || held.matches(':disabled'))) this.heir()?.focus();
  }
}

// Sets CSS properties through the object model. Style attributes, which Lit's styleMap writes first, are refused by the
// page's Content-Security-Policy.
class CssDirective extends Directive {
  private previous_: Record<string, string> = {};

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error('cssProps belongs inside a tag');
  }
  render(_properties: Record<string, string>): typeof noChange {
    return noChange;
  }
  override update(part: ElementPart, [properties]: [Record<string, string>]): typeof noChange {
    const style = (part.element as HTMLElement).style;
    for (const [name, value] of Object.entries(properties)) {
      if (this.previous_[name] !== value) style.setProperty(name, value);
    }
    this.previous_ = properties;
    return noChange;
  }
}
export const cssProps = directive(CssDirective);

export const sharedStyles = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  .vh {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  button,
  select,
  input,
  textarea {
    font: inherit;
    color: inherit;
  }
  .btn {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    padding: 3px 10px;
    border: 1px solid var(--edge);
    border-radius: 7px;
    background: var(--panel);
    cursor: pointer;
    white-space: nowrap;
  }
  .btn:hover {
    background: var(--hover);
  }
  .btn:disabled {
    opacity: 0.55;
    cursor: default;
  }
  .btn.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--accent-ink);
    font-weight: 550;
  }
  .btn.primary:hover {
    filter: brightness(1.08);
  }
  .btn.icon {
    padding: 3px 6px;
  }
  .btn.quiet {
    border-color: transparent;
    background: none;
  }
  .btn.quiet:hover {
    background: var(--hover);
  }
  select,
  input[type='text'],
  input[type='number'],
  input[type='search'],
  input[type='url'] {
    min-height: 28px;
    border: 1px solid var(--edge);
    border-radius: 7px;
    background: var(--panel);
    padding: 3px 8px;
  }
  /* Nothing that a finger has to hit is smaller. */
  @media (max-width: 820px) and (pointer: coarse) {
    button,
    select,
    input,
    summary,
    [role='option'],
    a {
      min-height: 44px !important;
      min-width: 44px;
    }
    a {
      display: inline-flex;
      align-items: center;
    }
    /* What is hit is its label. */
    label:has(input[type='checkbox']) {
      min-height: 44px;
    }
    label input[type='checkbox'] {
      min-height: 22px !important;
      min-width: 22px;
    }
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .mono {
    font-family: var(--mono);
  }
  .dim {
    color: var(--dim);
  }
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  .link {
    border: 0;
    background: none;
    padding: 0;
    color: var(--accent);
    cursor: pointer;
    text-align: left;
  }
  .link:hover {
    text-decoration: underline;
  }
`;
