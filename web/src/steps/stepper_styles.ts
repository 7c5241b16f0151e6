import { css } from 'lit';

export const stepperStyles = css`
  :host {
    display: block;
    flex: none;
    min-width: 0;
    background: var(--panel);
    border-top: 1px solid var(--edge);
  }
  /* As high at every step, so that the schedule above stays where it is. */
  .pane {
    display: flex;
    flex-direction: column;
    height: clamp(130px, 22vh, 210px);
  }
  .bar {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 6px;
    padding: 4px 8px;
  }
  .line {
    flex: 1 1 140px;
    min-width: 120px;
    position: relative;
    height: 28px;
  }
  .line svg {
    position: absolute;
    left: 8px;
    width: calc(100% - 16px);
    top: 4px;
    height: 20px;
    overflow: visible;
    pointer-events: none;
  }
  .line path {
    fill: none;
    stroke: var(--edge);
    vector-effect: non-scaling-stroke;
  }
  .line .turn {
    stroke: var(--reshard);
    stroke-width: 2;
  }
  .line .spill {
    stroke: var(--bad);
    stroke-width: 2;
  }
  .line input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 28px;
    margin: 0;
    accent-color: var(--accent);
    background: none;
    opacity: 0.85;
  }
  .count {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  label {
    display: inline-flex;
    gap: 5px;
    align-items: center;
    white-space: nowrap;
  }
  .close {
    margin-left: auto;
  }
  .told {
    flex: 1;
    min-height: 0;
    overflow: auto;
    padding: 2px 12px 8px;
    line-height: 1.45;
  }
  .phase {
    font-style: normal;
    font-size: 11.5px;
    color: var(--dim);
    margin-right: 6px;
  }
  .told p,
  .choices {
    overflow-wrap: anywhere;
  }
  b.good {
    color: var(--good);
  }
  b.bad {
    color: var(--bad);
  }
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 18px;
    margin: 4px 0;
    font-variant-numeric: tabular-nums;
  }
  dl div {
    display: flex;
    gap: 6px;
  }
  dt {
    color: var(--dim);
  }
  .choices {
    columns: 340px;
    column-gap: 24px;
    margin-top: 2px;
  }
  .choices li {
    break-inside: avoid;
    padding: 1px 0;
    font-size: 12px;
  }
  .choices b {
    font-weight: 600;
  }
  .choices .chosen b,
  .choices .kept b {
    color: var(--good);
  }
  .choices .refused b {
    color: var(--bad);
  }
  .short {
    display: flex;
    align-items: center;
    gap: 2px;
    padding: 2px 4px;
  }
  .short .what {
    flex: 1;
    min-width: 0;
    min-height: 44px;
    display: grid;
    border: 0;
    padding: 2px 6px;
    background: none;
    color: inherit;
    text-align: left;
    cursor: pointer;
  }
  .what > * {
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .what small {
    color: var(--dim);
    font-size: 11.5px;
  }
  @media (max-width: 820px) {
    .pane {
      height: 46vh;
    }
    .line {
      order: -1;
      flex-basis: 100%;
      height: 44px;
    }
    .line svg {
      top: 12px;
    }
    .line input {
      height: 44px;
    }
    /* The slider, then all buttons in one line that scrolls. */
    .tight {
      height: clamp(196px, 27vh, 230px);
    }
    .tight .line {
      flex: none;
      margin: 0 8px;
    }
    .tight .bar {
      flex-wrap: nowrap;
      overflow-x: auto;
      scrollbar-width: none;
      padding: 0 0 4px 8px;
    }
    .tight .bar > * {
      flex: none;
    }
    .tight .close {
      position: sticky;
      right: 0;
      background: var(--panel);
    }
  }
`;
