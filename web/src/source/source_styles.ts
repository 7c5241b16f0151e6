import { css } from 'lit';

export const sourceStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    background: var(--panel);
  }
  .head {
    display: flex;
    align-items: center;
    gap: 4px;
    height: 38px;
    padding: 0 6px 0 12px;
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  h2 {
    font-size: 13px;
    font-weight: 600;
  }
  .origin {
    flex: 1;
    color: var(--dim);
    font-size: 12px;
    margin-left: 6px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  @media (max-width: 820px) {
    .collapse {
      display: none;
    }
  }
  .text {
    flex: 1 1 0;
    min-height: 120px;
    position: relative;
  }
  .editor,
  textarea {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  textarea {
    border: 0;
    padding: 4px 8px;
    background: var(--panel);
    font: 12px/1.5 var(--mono);
    resize: none;
  }
  textarea:focus-visible {
    outline-offset: -2px;
  }
  textarea::placeholder {
    color: var(--dim);
    white-space: pre-wrap;
  }
  .diagnostics {
    flex: 0 1 auto;
    max-height: 38%;
    overflow: auto;
    border-top: 1px solid var(--line);
    padding: 6px 0;
    scrollbar-width: thin;
  }
  .diagnostics h3 {
    font-size: 12px;
    padding: 2px 12px 4px;
  }
  h3.error {
    color: var(--bad);
  }
  h3.warning {
    color: var(--warn);
  }
  .diagnostics button {
    display: flex;
    gap: 8px;
    width: 100%;
    border: 0;
    background: none;
    padding: 4px 12px;
    text-align: left;
    cursor: pointer;
    font-size: 12px;
    line-height: 1.4;
  }
  .diagnostics button:hover {
    background: var(--hover);
  }
  .diagnostics button:focus-visible {
    outline-offset: -2px;
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    margin-top: 5px;
    border-radius: 50%;
    background: var(--dim);
  }
  .error .dot {
    background: var(--bad);
  }
  .warning .dot {
    background: var(--warn);
    border-radius: 2px;
  }
  .where {
    flex: none;
    color: var(--dim);
    font: 11px/17px var(--mono);
    min-width: 34px;
  }
  .what {
    overflow-wrap: anywhere;
    min-width: 0;
  }
  .what small {
    display: block;
    color: var(--dim);
    font-size: 12px;
  }
  .diagnostics > p {
    padding: 4px 12px;
  }
  .foot {
    flex: none;
    color: var(--dim);
    font-size: 11.5px;
    padding: 4px 12px;
    border-top: 1px solid var(--line);
  }
`;
