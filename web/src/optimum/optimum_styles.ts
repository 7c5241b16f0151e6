import { css } from 'lit';

export const optimumStyles = css`
  :host {
    display: block;
    overflow: auto;
    min-height: 0;
    min-width: 0;
    padding: 10px 14px 24px;
    background: var(--panel);
    scrollbar-width: thin;
  }
  .head > * + * {
    margin-top: 8px;
  }
  .head > p {
    max-width: 900px;
    line-height: 1.5;
  }
  .outdated dl,
  .proof {
    padding: 10px 14px 24px;
  }
  .proof summary {
    cursor: pointer;
    color: var(--accent);
    padding: 4px 0;
  }
  .outdated .bounds,
  .outdated table {
    opacity: 0.55;
  }
  .facts,
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 26px;
    margin: 0;
  }
  dt {
    font-size: 11px;
    text-transform: uppercase;
    letter-spacing: 0.04em;
    color: var(--dim);
  }
  dd {
    margin: 0;
    font-size: 17px;
    font-weight: 650;
    font-variant-numeric: tabular-nums;
  }
  .status {
    align-self: end;
    padding-bottom: 2px;
  }
  .good {
    color: var(--good);
  }
  .bar,
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 14px;
  }
  .bar {
    margin-top: 14px;
  }
  .bar label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .box {
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: 7px;
    margin-top: 6px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    text-align: left;
    font-weight: 400;
    padding: 3px 10px;
    border-bottom: 1px solid var(--line);
    white-space: nowrap;
  }
  tbody tr:last-child > * {
    border-bottom: 0;
  }
  tbody tr:hover {
    background: var(--hover);
  }
  thead th {
    color: var(--dim);
    font-size: 11.5px;
  }
  td {
    font-variant-numeric: tabular-nums;
  }
  .heat {
    background: linear-gradient(to right, var(--bad-soft) var(--part), transparent var(--part));
    min-width: 90px;
  }
  th[scope='row'] {
    max-width: 320px;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  td select {
    max-width: 180px;
    width: 100%;
    min-height: 22px;
    padding: 0 4px;
    font-size: 12px;
  }
  select.pinned {
    border-color: var(--accent);
    color: var(--accent);
  }
  .note {
    padding: 14px;
  }
  .forced {
    border: 1px solid var(--line);
    border-radius: 7px;
    padding: 8px 12px;
    max-width: 900px;
  }
  .forced > * + * {
    margin-top: 6px;
  }
  .forced h3 {
    font-size: 13px;
  }
  .forced ul {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 8px;
  }
  .forced li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    background: var(--soft);
    border-radius: 6px;
    padding: 0 2px 0 8px;
  }
  figure {
    margin: 14px 0 0;
    max-width: 640px;
  }
  figcaption {
    font-weight: 600;
    margin-bottom: 6px;
  }
  .plot {
    display: grid;
    grid-template-columns: auto 1fr auto;
    grid-template-rows: auto 1fr auto auto;
    column-gap: 8px;
    font-size: 11px;
    color: var(--dim);
    font-variant-numeric: tabular-nums;
  }
  .plot svg {
    grid-column: 2 / 4;
    grid-row: 1 / 4;
    width: 100%;
    height: 120px;
    border-left: 1px solid var(--line);
    border-bottom: 1px solid var(--line);
    overflow: visible;
  }
  .top {
    grid-row: 1;
    grid-column: 1;
    text-align: right;
  }
  .bottom {
    grid-row: 3;
    grid-column: 1;
    text-align: right;
  }
  .from {
    grid-row: 4;
    grid-column: 2;
  }
  .to {
    grid-row: 4;
    grid-column: 3;
    text-align: right;
  }
  polyline {
    fill: none;
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  .gap {
    fill: var(--soft);
  }
  polyline.upper {
    stroke: var(--bad);
  }
  polyline.lower {
    stroke: var(--good);
    stroke-dasharray: 5 3;
  }
  .keys {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 18px;
    margin: 6px 0;
    font-size: 12px;
    color: var(--dim);
  }
  .keys span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .keys i {
    width: 20px;
    border-top: 2px solid var(--bad);
  }
  .keys i.lower {
    border-top: 2px dashed var(--good);
  }
  @media (max-width: 820px) {
    dl {
      gap: 6px 18px;
    }
    dd {
      font-size: 15px;
    }
    :host {
      padding: 8px 10px 20px;
    }
  }
`;
