import { css } from 'lit';

export const passesStyles = css`
  .doc {
    color: var(--accent);
  }
  :host {
    display: grid;
    grid-template-columns: 230px minmax(0, 1fr);
    min-height: 0;
    min-width: 0;
    background: var(--panel);
  }
  nav {
    overflow: auto;
    border-right: 1px solid var(--line);
    padding: 6px;
  }
  nav h2 {
    font-size: 11px;
    text-transform: uppercase;
    letter-spacing: 0.04em;
    color: var(--dim);
    padding: 10px 8px 3px;
    font-weight: 600;
  }
  .pass {
    display: block;
    width: 100%;
    text-align: left;
    border: 0;
    background: none;
    border-radius: 7px;
    padding: 4px 8px;
    cursor: pointer;
  }
  .pass:hover {
    background: var(--hover);
  }
  .pass[aria-current='true'] {
    background: var(--select);
  }
  .pass b {
    display: block;
    font-weight: 550;
  }
  .pass small {
    color: var(--dim);
    font-variant-numeric: tabular-nums;
  }
  .pass.idle b {
    color: var(--dim);
    font-weight: 400;
  }
  .pass[aria-current='true'] small {
    color: var(--ink);
  }
  .check {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    padding: 6px 8px 2px;
  }
  .mark.same {
    color: var(--good);
  }
  .mark.different {
    color: var(--bad);
    font-weight: 600;
  }
  .mark.not_compared {
    color: var(--dim);
  }
  .bad {
    color: var(--bad);
    font-style: normal;
  }
  .detail {
    overflow: auto;
    padding: 10px 14px 24px;
    min-width: 0;
  }
  .detail > * + * {
    margin-top: 6px;
  }
  h2 {
    font-size: 15px;
  }
  summary {
    cursor: pointer;
    font-weight: 550;
  }
  .notes li {
    padding: 2px 0;
    overflow-wrap: anywhere;
  }
  .diffbox {
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: 7px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  .diff {
    table-layout: fixed;
    font: 11.5px/1.5 var(--mono);
  }
  .diff td {
    padding: 0 8px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    vertical-align: top;
  }
  .diff col.n {
    width: 46px;
  }
  .diff td.n {
    color: var(--dim);
    text-align: right;
    padding: 0 6px;
    white-space: nowrap;
  }
  .diff .gone {
    background: var(--bad-soft);
  }
  .diff .new {
    background: var(--good-soft);
  }
  .diff .gone::before {
    content: '− ';
  }
  .diff .new::before {
    content: '+ ';
  }
  .diff .gap td {
    background: var(--soft);
    color: var(--dim);
    text-align: center;
  }
  .follow th,
  .follow td {
    text-align: left;
    font-weight: 400;
    padding: 3px 10px;
    border-bottom: 1px solid var(--line);
    vertical-align: top;
  }
  .follow thead th {
    color: var(--dim);
    font-size: 11.5px;
  }
  td small {
    display: block;
  }
  .to + .to::before {
    content: ', ';
  }
  input[type='search'] {
    width: min(320px, 100%);
  }
  .find {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .find input {
    flex: 0 1 320px;
    min-width: 0;
  }
  .find span {
    white-space: nowrap;
  }
  .note {
    padding: 14px;
  }
  .whole {
    grid-column: 1 / -1;
  }
  .whole .btn {
    margin-top: 12px;
  }
  @media (max-width: 820px) {
    :host {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: minmax(90px, 32%) minmax(0, 1fr);
    }
    nav {
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
    .diff col.n {
      width: 0;
    }
    .diff td.n {
      font-size: 0;
      padding: 0;
    }
    .diff td {
      padding: 0 4px;
    }
    .follow th,
    .follow td {
      padding: 3px 6px;
    }
    .follow th {
      min-width: 116px;
    }
    .follow th .mono {
      display: block;
    }
    .follow td {
      min-width: 190px;
      overflow-wrap: anywhere;
    }
  }
  /* Before and after one below the other: half of a phone is too narrow for a line. */
  @media (max-width: 620px) {
    .diff,
    .diff tbody,
    .diff tr,
    .diff td {
      display: block;
    }
    .diff td.n,
    .diff td.none,
    .diff .same td:last-child {
      display: none;
    }
  }
`;
