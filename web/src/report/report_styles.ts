import { css, unsafeCSS } from 'lit';

import theme from '../theme.css?inline';

// Nothing of the page around it is inherited, and its own colours are defined here.
export const reportStyles = css`
  ${unsafeCSS(theme)}
  :host {
    all: initial;
    display: flex;
    flex-direction: column;
    position: relative;
    box-sizing: border-box;
    min-width: 0;
    min-height: 0;
    overflow: hidden;
    contain: layout style;
    background: var(--panel);
    color: var(--ink);
    font: 13px/1.4 var(--sans);
  }
  :host([hidden]) {
    display: none;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    flex: none;
    padding: 5px 10px;
    border-bottom: 1px solid var(--line);
    background: var(--bg);
  }
  .title {
    flex: 1 1 auto;
    min-width: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .title span {
    color: var(--dim);
    font-weight: 400;
  }
  .tabs {
    display: flex;
    flex: none;
    gap: 2px;
    padding: 0 6px;
    overflow-x: auto;
    scrollbar-width: none;
    border-bottom: 1px solid var(--line);
  }
  .tabs button {
    flex: none;
    min-height: 32px;
    padding: 0 10px;
    border: 0;
    border-bottom: 2px solid transparent;
    background: none;
    color: var(--dim);
    cursor: pointer;
    white-space: nowrap;
  }
  .tabs button:focus-visible {
    outline-offset: -3px;
  }
  .tabs .on {
    color: var(--accent);
    border-bottom-color: var(--accent);
    font-weight: 600;
  }
  .narrow .tabs button {
    min-height: 44px;
  }
  .frame {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  .main {
    display: flex;
    flex: 1;
    min-height: 0;
    min-width: 0;
  }
  .view {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-width: 0;
    min-height: 0;
  }
  .view > * {
    flex: 1;
    min-height: 0;
  }
  .view > tessera-stepper {
    flex: none;
    max-height: 50%;
    overflow: auto;
  }
  .main > tessera-why {
    flex: none;
    width: clamp(260px, 24%, 380px);
    border-left: 1px solid var(--line);
  }
  tessera-totals {
    flex: none;
  }
  .problems {
    margin: 0;
    padding: 12px 16px 12px 32px;
    overflow: auto;
  }
  .problems li {
    list-style: disc;
    overflow-wrap: anywhere;
  }
  .note {
    padding: 12px 16px;
    color: var(--dim);
  }
`;
