import { css } from 'lit';

export const labAppStyles = css`
  :host {
    display: block;
    min-height: 100%;
  }
  header {
    position: sticky;
    top: 0;
    z-index: 10;
    display: flex;
    align-items: center;
    gap: 10px;
    flex-wrap: wrap;
    padding: 6px 12px;
    background: var(--panel);
    border-bottom: 1px solid var(--line);
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: 15px;
    font-weight: 650;
    color: inherit;
    text-decoration: none;
  }
  .b1 {
    fill: var(--block);
  }
  .b2 {
    fill: var(--height);
  }
  .b3 {
    fill: var(--interleaved);
  }
  .b4 {
    fill: var(--width);
  }
  h1 {
    font-size: 15px;
    font-weight: 500;
    margin: 0 8px 0 0;
    color: var(--dim);
  }
  .space {
    flex: 1;
  }
  .presets {
    min-width: 0;
    flex: 0 1 360px;
  }
  .presets select {
    width: 100%;
  }
  .notice {
    padding: 7px 14px;
    border-bottom: 1px solid var(--line);
    background: var(--soft);
    line-height: 1.45;
    overflow-wrap: anywhere;
  }
  .notice.bad {
    background: var(--bad-soft);
  }
  main {
    display: grid;
    grid-template-columns: 258px minmax(0, 1fr) 332px;
    gap: 10px;
    padding: 10px;
    align-items: start;
    max-width: 2200px;
    margin: 0 auto;
  }
  .pictures,
  .facts {
    display: flex;
    flex-direction: column;
    gap: 10px;
    min-width: 0;
  }
  .pictures .notice {
    border: 1px solid var(--line);
    border-radius: 9px;
  }
  .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 10px;
    align-items: stretch;
  }
  .line {
    min-height: 30px;
    padding: 5px 10px;
    border-radius: 7px;
    background: var(--soft);
    font-variant-numeric: tabular-nums;
  }
  .stale lab-steps,
  .stale .pair,
  aside.stale {
    opacity: 0.55;
    filter: saturate(0.5);
  }
  .waiting {
    padding: 40px;
    text-align: center;
  }
  @media (max-width: 1240px) {
    main {
      grid-template-columns: 240px minmax(0, 1fr);
    }
    .facts {
      grid-column: 1 / -1;
      display: grid;
      grid-template-columns: repeat(auto-fit, minmax(280px, 1fr));
      align-items: start;
    }
  }
  @media (max-width: 820px) {
    main {
      grid-template-columns: minmax(0, 1fr);
      padding: 8px;
    }
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
    header {
      position: static;
      padding: 6px 8px;
      gap: 6px;
    }
    .wide {
      display: none;
    }
    .presets {
      flex: 1 1 100%;
      order: 5;
    }
    .facts {
      grid-template-columns: minmax(0, 1fr);
    }
    .line {
      position: sticky;
      top: 0;
      z-index: 5;
      border: 1px solid var(--line);
    }
  }
`;
