import { css } from 'lit';

export const compareStyles = css`
  :host {
    display: block;
    min-height: 0;
    min-width: 0;
    background: var(--panel);
  }
  .scroll {
    height: 100%;
    overflow: auto;
    padding: 10px 14px 24px;
  }
  .tablebox {
    overflow-x: auto;
    container-type: inline-size;
  }
  tr > :first-child {
    position: sticky;
    left: 0;
    z-index: 1;
    background: var(--panel);
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    text-align: left;
    padding: 4px 8px 4px 0;
    white-space: nowrap;
    border-bottom: 1px solid var(--line);
    font-weight: 400;
  }
  thead th {
    color: var(--dim);
    font-size: 11.5px;
    vertical-align: bottom;
  }
  .num {
    text-align: right;
  }
  .runs td.num {
    min-width: 44px;
  }
  .runs thead th {
    white-space: normal;
    line-height: 1.2;
  }
  .letter {
    display: inline-grid;
    place-items: center;
    width: 18px;
    height: 18px;
    margin-right: 6px;
    border-radius: 4px;
    background: var(--soft);
    font: 600 11px var(--mono);
    color: var(--dim);
  }
  .runs select {
    max-width: 146px;
    margin-right: 4px;
    text-overflow: ellipsis;
  }
  @container (max-width: 1120px) {
    .runs tbody th {
      display: grid;
      grid-template-columns: auto 1fr;
      justify-items: start;
      gap: 2px 0;
    }
    .runs .letter {
      grid-row: span 2;
      align-self: center;
    }
    .runs .problem {
      grid-column: 1 / -1;
    }
  }
  .best {
    color: var(--good);
    font-weight: 600;
  }
  .bad {
    color: var(--bad);
    font-weight: 600;
  }
  .bar {
    display: block;
    height: 3px;
    border-radius: 2px;
    background: var(--soft);
    margin-top: 2px;
  }
  .bar i {
    display: block;
    height: 100%;
    border-radius: 2px;
    background: var(--t-compute);
  }
  .problem {
    color: var(--bad);
    white-space: normal;
    max-width: 340px;
    font-size: 12px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
    padding: 8px 0;
  }
  .opshead {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 16px;
    margin: 14px 0 4px;
  }
  h2 {
    font-size: 14px;
  }
  .opshead label {
    color: var(--dim);
    display: inline-flex;
    gap: 5px;
    align-items: center;
  }
  .ops thead th {
    position: sticky;
    top: 0;
    background: var(--panel);
  }
  .ops th[scope='row'] {
    max-width: 300px;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .ops tr.selected {
    background: var(--select);
  }
  .t {
    font-size: 12px;
    color: var(--dim);
  }
  .t.best {
    color: var(--good);
  }
  .gain {
    color: var(--good);
    font-weight: 600;
  }
  .ops .why {
    white-space: normal;
    min-width: 260px;
    max-width: 560px;
    font-size: 12px;
    line-height: 1.4;
  }
  .note {
    padding: 14px 0;
  }
  @media (max-width: 820px) {
    .runs select {
      display: block;
      max-width: 112px;
      margin: 2px 0;
    }
    .runs th[scope='row'] {
      padding-right: 6px;
    }
    .ops th[scope='row'] {
      max-width: 150px;
    }
  }
  .plan {
    margin-right: 8px;
  }
  .set td {
    white-space: normal;
    padding: 0 0 6px 24px;
  }
  .set ul {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 16px;
    align-items: center;
  }
  .set li {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .set input[type='number'] {
    width: 90px;
  }
  .several {
    color: var(--dim);
    font-size: 12px;
  }
`;
