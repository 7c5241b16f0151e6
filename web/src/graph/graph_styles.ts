import { css } from 'lit';

export const graphStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    background: var(--panel);
  }
  .tools {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px;
    min-height: 38px;
    padding: 2px 8px;
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .count {
    color: var(--dim);
    font-variant-numeric: tabular-nums;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 0 6px;
  }
  @media (max-width: 820px) {
    label {
      min-height: 44px;
    }
  }
  .space {
    flex: 1;
  }
  .view {
    flex: 1;
    min-height: 120px;
    position: relative;
    overflow: hidden;
    touch-action: none;
    cursor: grab;
    background: var(--bg);
  }
  .view:active {
    cursor: grabbing;
  }
  .view:focus-visible {
    outline-offset: -2px;
  }
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  .at {
    flex: none;
    padding: 6px 12px;
    border-top: 1px solid var(--line);
    overflow-wrap: anywhere;
    max-height: 70px;
    overflow: hidden;
  }
  details {
    flex: none;
    border-top: 1px solid var(--line);
  }
  summary {
    padding: 6px 12px;
    cursor: pointer;
    color: var(--dim);
  }
  .rows {
    max-height: 38vh;
    overflow: auto;
    padding: 0 12px 8px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-size: 12px;
  }
  th,
  td {
    text-align: left;
    padding: 4px 8px 4px 0;
    border-bottom: 1px solid var(--line);
    vertical-align: top;
    overflow-wrap: anywhere;
  }
  th {
    color: var(--dim);
    font-weight: 500;
    position: sticky;
    top: 0;
    background: var(--panel);
  }
  td:nth-child(2),
  td:nth-child(3) {
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  tr.chosen {
    background: var(--select);
  }
`;
