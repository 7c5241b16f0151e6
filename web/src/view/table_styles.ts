// Plain tables of the views, and the bar of buttons above them.

import { css } from 'lit';

export const tableStyles = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 8px 12px;
    border-bottom: 1px solid var(--line);
  }
  table {
    border-collapse: collapse;
  }
  caption {
    text-align: left;
    font-weight: 600;
    padding: 4px 0 6px;
  }
  th,
  td {
    text-align: left;
    font-weight: 400;
    padding: 3px 14px 3px 0;
    border-bottom: 1px solid var(--line);
    font-variant-numeric: tabular-nums;
  }
  thead th {
    color: var(--dim);
    font-size: 12px;
    vertical-align: bottom;
  }
  th.number,
  td.number {
    text-align: right;
  }
  .good {
    color: var(--good, var(--accent));
  }
  .bad {
    color: var(--bad);
  }
`;
