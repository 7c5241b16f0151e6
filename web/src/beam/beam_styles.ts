import { css } from 'lit';

export const beamStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    background: var(--panel);
  }
  .bar {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: end;
    gap: 8px 18px;
    padding: 8px 12px;
    border-bottom: 1px solid var(--line);
  }
  .bar .facts {
    flex: 1 1 260px;
    color: var(--dim);
    font-size: 12px;
    min-width: 180px;
    align-self: center;
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  .bar .file {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .panes {
    flex: 1;
    min-height: 0;
    display: grid;
    grid-template-rows: minmax(120px, 11fr) minmax(120px, 9fr);
  }
  .scroller {
    overflow: auto;
    position: relative;
    min-width: 0;
    scrollbar-width: thin;
  }
  .header {
    position: sticky;
    top: 0;
    z-index: 2;
    display: grid;
    grid-template-columns: var(--columns);
    background: var(--panel);
    border-bottom: 1px solid var(--line);
    font-size: 11.5px;
    color: var(--dim);
  }
  .header span {
    padding: 6px 6px 5px;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .body {
    position: relative;
  }
  li {
    position: absolute;
    left: 0;
    right: 0;
    height: 26px;
  }
  li button {
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    width: 100%;
    height: 26px;
    border: 0;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
    padding: 0;
    background: none;
    text-align: left;
  }
  li button > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    padding: 0 6px;
  }
  li button:hover {
    background: var(--hover);
  }
  li .on {
    background: var(--select);
    box-shadow: inset 3px 0 var(--accent);
  }
  li button:focus-visible {
    outline-offset: -2px;
  }
  .step {
    color: var(--dim);
    text-align: right;
    font: 11px var(--mono);
  }
  .op {
    font: 12px var(--mono);
  }
  .op i {
    font-style: normal;
    color: var(--dim);
  }
  .fork {
    font: 600 10px var(--sans);
    color: var(--reshard);
    border: 1px solid currentColor;
    border-radius: 4px;
    padding: 0 3px;
    margin-left: 4px;
  }
  canvas {
    position: absolute;
    top: 0;
    pointer-events: none;
  }
  .details {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    border-top: 2px solid var(--line);
  }
  .tabs {
    display: flex;
    flex: none;
    gap: 2px;
    padding: 4px 8px 0;
  }
  .tabs button {
    border: 0;
    border-bottom: 2px solid transparent;
    background: none;
    padding: 5px 10px;
    color: var(--dim);
    cursor: pointer;
  }
  .tabs [aria-pressed='true'] {
    color: var(--accent);
    border-bottom-color: var(--accent);
    font-weight: 600;
  }
  .heading {
    flex: none;
    padding: 8px 12px 6px;
  }
  .heading h2 {
    font-size: 14px;
    overflow-wrap: anywhere;
  }
  .heading p {
    font-size: 12px;
    margin-top: 2px;
  }
  .pad {
    padding: 6px 12px;
    font-size: 12px;
  }
  .scroll {
    flex: 1;
    min-height: 0;
    overflow: auto;
    scrollbar-width: thin;
  }
  .scroll:focus-visible {
    outline-offset: -2px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-size: 12px;
  }
  th {
    position: sticky;
    top: 0;
    background: var(--panel);
    z-index: 1;
  }
  th,
  td {
    text-align: left;
    padding: 4px 8px;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 70%, transparent);
    vertical-align: top;
    white-space: nowrap;
  }
  th {
    font-weight: 500;
    color: var(--dim);
  }
  td:last-child {
    white-space: normal;
    min-width: 190px;
  }
  .num {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  td i {
    font-style: normal;
    color: var(--dim);
  }
  .inputs span {
    display: inline-flex;
    align-items: center;
    gap: 3px;
    margin-right: 6px;
  }
  .resharded {
    color: var(--reshard) !important;
    font-weight: 600;
    font-size: 11px;
  }
  .candidates .fate {
    text-transform: none;
  }
  .chosen .fate {
    color: var(--good);
  }
  .refused .fate,
  .fail td {
    color: var(--bad);
  }
  .worse .fate {
    color: var(--dim);
  }
  tr.chosen {
    background: color-mix(in srgb, var(--good-soft) 50%, var(--panel));
  }
  tr.looked {
    background: var(--select);
  }
  .rank,
  .from {
    font-family: var(--mono);
    min-width: 24px;
    min-height: 24px;
    text-align: center;
  }
  .moves .badge {
    margin: 0 2px;
  }
  .none {
    padding: clamp(24px, 9vh, 90px) 24px;
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 10px;
    text-align: center;
    overflow: auto;
  }
  .none h2 {
    font-size: 17px;
  }
  .none p {
    max-width: 540px;
    color: var(--dim);
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  .none ul {
    text-align: left;
    max-width: 640px;
  }
  .none li {
    position: static;
    height: auto;
    padding: 4px 0;
    overflow-wrap: anywhere;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    justify-content: center;
  }
  @media (max-width: 820px) {
    :host {
      overflow: auto;
    }
    .bar {
      display: grid;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      gap: 4px 12px;
    }
    .bar .btn {
      justify-content: center;
    }
    .bar .facts,
    .bar .file {
      text-align: left;
      grid-column: 1 / 3;
      min-width: 0;
    }
    .panes {
      flex: none;
      grid-template-rows: 290px 360px;
    }
  }
  @media (max-width: 560px) {
    .place {
      visibility: hidden;
      padding: 0 !important;
    }
  }
`;
