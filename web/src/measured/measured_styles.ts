import { css } from 'lit';

export const measuredStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    overflow: hidden;
  }
  .body {
    flex: 1;
    overflow: auto;
    padding: 10px 16px 20px;
  }
  .body > * {
    margin-bottom: 14px;
  }
  .note {
    padding: 12px 16px;
    max-width: 80ch;
  }
  .body > p {
    max-width: 100ch;
  }
  .scroll {
    overflow-x: auto;
  }
  .name {
    overflow-wrap: anywhere;
    min-width: 120px;
  }
  .bar .btn[aria-pressed='true'] {
    background: var(--select);
    color: var(--accent);
    font-weight: 600;
  }
  .errors {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 8px 32px;
  }
  figure {
    margin: 0;
    flex: 0 1 420px;
    min-width: 220px;
  }
  svg {
    width: 100%;
    height: auto;
    overflow: visible;
  }
  rect.right {
    fill: var(--accent);
  }
  rect.wrong {
    fill: var(--edge);
  }
  line {
    stroke: var(--line);
  }
  text {
    font-size: 9px;
    fill: var(--ink);
    text-anchor: middle;
  }
  text.edge {
    fill: var(--dim);
  }
  text.from {
    text-anchor: start;
  }
  text.to {
    text-anchor: end;
  }
  .errors table td,
  .errors table th {
    padding: 1px 14px 1px 0;
  }
  .errors tr.right th,
  .errors tr.right td {
    font-weight: 600;
  }
  .warn {
    background: var(--warn-soft);
    padding: 6px 10px;
    border-radius: 7px;
  }
`;
