import { css } from 'lit';

export const handEditStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    overflow: hidden;
  }
  .note {
    padding: 12px 16px;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 8px 12px;
    border-bottom: 1px solid var(--line);
  }
  .good {
    color: var(--good, var(--accent));
  }
  .bad {
    color: var(--bad);
  }
  .both {
    flex: 1;
    min-height: 0;
    display: grid;
    grid-template-columns: minmax(140px, 260px) minmax(0, 1fr);
  }
  .ops {
    overflow: auto;
    border-right: 1px solid var(--line);
  }
  .pick {
    display: flex;
    justify-content: space-between;
    gap: 8px;
    width: 100%;
    border: 0;
    background: none;
    padding: 3px 10px;
    text-align: left;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  .pick:hover {
    background: var(--hover);
  }
  .pick[aria-current='true'] {
    background: var(--select);
  }
  .op {
    overflow: auto;
    padding: 10px 14px;
  }
  .operand {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    margin: 6px 0;
  }
  .moves {
    margin: 6px 0;
  }
  table {
    border-collapse: collapse;
    margin-top: 10px;
  }
  caption {
    text-align: left;
    font-weight: 600;
    padding: 4px 0;
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
  }
  tr[aria-current='true'] {
    background: var(--select);
  }
`;
