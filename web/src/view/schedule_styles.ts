import { css } from 'lit';

export const scheduleStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    position: relative;
    background: var(--panel);
  }
  .tools {
    display: flex;
    align-items: center;
    gap: 4px;
    min-height: 38px;
    padding: 0 8px;
    border-bottom: 1px solid var(--line);
    flex: none;
  }
  .search {
    display: flex;
    align-items: center;
    gap: 6px;
    color: var(--dim);
    flex: 0 1 300px;
    min-width: 90px;
    position: relative;
  }
  .search svg {
    position: absolute;
    left: 8px;
    pointer-events: none;
  }
  .search input {
    width: 100%;
    padding-left: 30px;
    color: var(--ink);
  }
  .count,
  .jumplabel {
    color: var(--dim);
    font-variant-numeric: tabular-nums;
    padding: 0 4px;
    white-space: nowrap;
  }
  .space {
    flex: 1;
  }
  .tools .on {
    background: var(--select);
    color: var(--accent);
  }
  .heatkey {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    color: var(--dim);
    font-size: 11px;
    white-space: nowrap;
  }
  .heatkey i {
    font-style: normal;
    padding: 1px 5px;
    color: var(--ink);
    border-radius: 3px;
  }
  .heatkey .heat-0 {
    border: 1px solid var(--line);
    color: var(--dim);
    padding: 0 5px;
  }
  .heat-1 {
    background: color-mix(in srgb, var(--bad) 9%, transparent);
  }
  .heat-2 {
    background: color-mix(in srgb, var(--bad) 20%, transparent);
  }
  .heat-3 {
    background: color-mix(in srgb, var(--bad) 36%, transparent);
  }
  .heat-4 {
    background: color-mix(in srgb, var(--bad) 54%, transparent);
    font-weight: 600;
  }
  .jumps {
    display: inline-flex;
    align-items: center;
  }
  /* Their room is there before they are. */
  tessera-minimap {
    display: block;
    flex: none;
    height: 52px;
    border-bottom: 1px solid var(--line);
  }
  tessera-filter-menu {
    flex: none;
    min-width: 62px;
    min-height: 28px;
  }
  .none {
    position: absolute;
    top: 160px;
    left: 0;
    right: 0;
    text-align: center;
    color: var(--dim);
  }
  .none .btn {
    color: var(--ink);
    margin-left: 8px;
  }
  .scroller {
    flex: 1;
    min-height: 0;
    overflow-y: scroll;
    overflow-x: hidden;
    position: relative;
    scrollbar-width: thin;
    overflow-anchor: none;
  }
  .scroller:focus-visible {
    outline-offset: -2px;
  }
  .header {
    position: sticky;
    top: 0;
    z-index: 3;
    height: 30px;
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    background: var(--soft);
    border-bottom: 1px solid var(--line);
    color: var(--dim);
    font-size: 11px;
    text-transform: uppercase;
    letter-spacing: 0.04em;
  }
  .header > span {
    padding: 0 8px;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .h-step {
    text-align: right;
    padding: 0 6px 0 4px !important;
  }
  .h-op {
    padding-left: 4px !important;
  }
  .h-place {
    padding-left: 4px !important;
  }
  .h-cores,
  .h-dram {
    text-align: right;
    padding: 0 8px 0 0 !important;
  }
  .h-shape {
    padding: 0 4px !important;
  }
  .h-time {
    text-align: right;
  }
  .h-regret {
    text-align: right;
    padding: 0 6px 0 0 !important;
    letter-spacing: 0;
  }
  .h-lanes {
    text-overflow: clip !important;
    padding: 0 0 0 6px !important;
  }
  .header > .h-map {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .h-map .budget {
    margin-left: auto;
  }
  .axis {
    flex: none;
  }
  .range {
    font-style: normal;
    text-transform: none;
    letter-spacing: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .cutbtn {
    border: 1px solid var(--line);
    background: var(--panel);
    border-radius: 5px;
    padding: 1px 6px;
    font-size: 11px;
    color: var(--accent);
    cursor: pointer;
    white-space: nowrap;
  }
  .cutbtn.on {
    background: var(--select);
    border-color: var(--accent);
  }
  .budget {
    color: var(--bad);
    text-transform: none;
    letter-spacing: 0;
    display: inline-flex;
    align-items: center;
    gap: 5px;
    flex: none;
  }
  .body {
    position: relative;
    contain: layout style;
  }
  .body canvas {
    position: absolute;
    top: 0;
    z-index: 1;
    pointer-events: none;
  }
  .map {
    border-left: 1px solid var(--line);
  }
  .splitter {
    position: absolute;
    top: 90px;
    bottom: 0;
    width: 8px;
    cursor: col-resize;
    z-index: 4;
    touch-action: none;
  }
  .splitter::after {
    content: '';
    position: absolute;
    left: 4px;
    top: 0;
    bottom: 0;
    width: 1px;
    background: transparent;
  }
  .splitter:hover::after,
  .splitter:focus-visible::after {
    background: var(--accent);
    width: 2px;
    left: 3px;
  }
  :host(.stale) canvas,
  :host(.stale) .bar {
    opacity: 0.4;
  }
  :host(.stale) .body {
    background: var(--soft);
  }
  :host([compact]) .jumplabel,
  :host([compact]) .heatkey {
    display: none;
  }
`;
