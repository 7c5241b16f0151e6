import { css } from 'lit';

export const compiledStyles = css`
  :host {
    display: block;
    overflow: auto;
    padding: 12px 16px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    margin-bottom: 14px;
  }
  caption {
    text-align: left;
    font-weight: 600;
    padding: 4px 0 8px;
  }
  th,
  td {
    text-align: left;
    font-weight: 400;
    padding: 4px 10px 4px 0;
    border-bottom: 1px solid var(--line);
    font-variant-numeric: tabular-nums;
  }
  thead th {
    color: var(--dim);
    font-size: 12px;
  }
  .note {
    margin-bottom: 14px;
  }
  .all {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 8px;
  }
  .all h3 {
    font-size: 13px;
  }
  textarea {
    width: 100%;
    font-family: var(--mono);
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: 7px;
    padding: 6px 8px;
    overflow-wrap: anywhere;
  }
  .more {
    margin-bottom: 14px;
  }
`;
