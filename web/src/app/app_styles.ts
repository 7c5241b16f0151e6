import { css } from 'lit';

export const appStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    height: 100vh;
    height: 100dvh;
    overflow: hidden;
  }
  tessera-toolbar,
  tessera-totals {
    flex: none;
  }
  tessera-toolbar {
    position: relative;
    z-index: 10;
  }
  tessera-totals {
    position: relative;
    z-index: 9;
  }
  main {
    flex: 1;
    min-height: 0;
    position: relative;
  }
  main.wide {
    --why: 34px;
    display: grid;
    grid-template-columns: 34px minmax(0, 1fr) var(--why);
    grid-template-rows: minmax(0, 1fr);
  }
  main.wide.with-why {
    --why: clamp(280px, 20vw, 400px);
  }
  main.wide.with-source {
    grid-template-columns: clamp(220px, 18vw, 480px) minmax(0, 1fr) var(--why);
  }
  main.narrow {
    display: flex;
    flex-direction: column;
  }
  main.narrow > * {
    flex: 1;
    min-height: 0;
  }
  main.wide > tessera-source {
    border-right: 1px solid var(--line);
  }
  main.wide > tessera-why {
    border-left: 1px solid var(--line);
    min-height: 0;
  }
  .center {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  tessera-schedule,
  tessera-graph,
  tessera-compare,
  tessera-compiled,
  tessera-policylab,
  tessera-pass-log,
  tessera-handedit,
  tessera-passes,
  tessera-optimum {
    flex: 1;
    min-height: 0;
  }
  /* An earlier picture loses its colours and its drawings fade; its texts stay readable. */
  .stale {
    filter: grayscale(1);
  }
  .steps {
    flex: none;
    border: 0;
    border-top: 1px solid var(--line);
    padding: 3px 12px;
    background: var(--panel);
    color: var(--dim);
    text-align: left;
    cursor: pointer;
  }
  .steps:hover {
    background: var(--hover);
    color: var(--ink);
  }
  tessera-totals,
  tessera-schedule,
  tessera-why {
    transition: filter 0.15s;
  }
  .stalenote {
    padding: 7px 12px;
    background: var(--bad-soft);
    border-bottom: 1px solid var(--line);
  }
  .stalenote b {
    color: var(--bad);
  }
  .question {
    display: flex;
    flex-wrap: wrap;
    gap: 10px;
    align-items: center;
    padding: 8px 12px;
    background: var(--warn-soft);
    border-bottom: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  .drop {
    position: fixed;
    inset: 0;
    z-index: 40;
    display: grid;
    place-items: center;
    background: color-mix(in srgb, var(--bg) 78%, transparent);
    pointer-events: none;
  }
  .drop span {
    border: 2px dashed var(--accent);
    border-radius: 14px;
    padding: 34px 56px;
    font-size: 18px;
    background: var(--panel);
  }
  @media (prefers-reduced-motion: reduce) {
    tessera-totals,
    tessera-schedule,
    tessera-why {
      transition: none;
    }
  }
  .calibration {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    padding: 5px 12px;
    background: var(--warn-soft);
    border-bottom: 1px solid var(--line);
    max-height: 66px;
    overflow: auto;
  }
`;
