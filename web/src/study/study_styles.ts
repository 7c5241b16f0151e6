import { css } from 'lit';

// Colours of policies and causes: 3:1 on both panels.
export const seriesStyles = css`
  :host {
    --s0: light-dark(#0969da, #58a6ff);
    --s1: light-dark(#bc4c00, #f0883e);
    --s2: light-dark(#1a7f37, #3fb950);
    --s3: light-dark(#8250df, #bc8cff);
    --s4: light-dark(#9a6700, #d29922);
    --s5: light-dark(#57606a, #a8b3bd);
    --s6: light-dark(#bf3989, #f778ba);
    --s7: light-dark(#0e7c86, #39c5cf);
    --s8: light-dark(#a40e26, #ff7b72);
  }
`;

export const reportStyles = css`
  :host {
    display: block;
    color: var(--ink);
  }
  section {
    margin: 0 0 28px;
  }
  h2 {
    font-size: 15px;
    font-weight: 650;
    margin: 0 0 2px;
  }
  section > p {
    max-width: 90ch;
    margin: 0 0 8px;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
    align-items: end;
    margin: 10px 0 20px;
  }
  .filters label,
  label.inline {
    display: inline-flex;
    flex-direction: column;
    gap: 2px;
    color: var(--dim);
    font-size: 12px;
  }
  label.inline {
    flex-direction: row;
    align-items: center;
    gap: 6px;
  }
  label :is(select, input) {
    color: var(--ink);
    font-size: 13px;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    margin: 0 0 4px;
  }
  .legend li {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    font-size: 12px;
  }
  .legend svg {
    display: block;
  }
  .legend i {
    width: 10px;
    height: 10px;
    border-radius: 2px;
  }
  .pair .scroll {
    max-height: 340px;
  }
  .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px 28px;
    align-items: start;
  }
  @container (min-width: 1180px) {
    .pair {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .pair .scroll {
      max-height: 760px;
    }
  }
  .all {
    container-type: inline-size;
  }
  figure {
    margin: 0;
    min-width: 0;
  }
  .scroll {
    overflow: auto;
    max-height: 760px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--panel);
  }
  table {
    border-collapse: separate;
    border-spacing: 0;
    width: 100%;
  }
  th,
  td {
    padding: 3px 8px;
    font-size: 12px;
    white-space: nowrap;
  }
  thead th {
    position: sticky;
    top: 0;
    z-index: 1;
    background: var(--soft);
    vertical-align: bottom;
  }
  tbody th {
    position: sticky;
    left: 0;
    background: var(--panel);
    max-width: 260px;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  caption {
    padding: 6px 10px;
  }
  tr:last-child > * {
    border-bottom: 0;
  }
  td.best {
    font-weight: 650;
    color: var(--good);
  }
  td.reason {
    white-space: normal;
    min-width: 260px;
  }
  .sort {
    border: 0;
    background: none;
    padding: 0;
    cursor: pointer;
    font-size: 12px;
    color: inherit;
  }
  .sort:hover {
    color: var(--ink);
  }
  th[aria-sort='ascending'] .sort::after {
    content: ' ▲';
  }
  th[aria-sort='descending'] .sort::after {
    content: ' ▼';
  }
  .more {
    margin: 8px 0 0;
  }
`;
