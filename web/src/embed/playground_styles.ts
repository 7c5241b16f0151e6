import { css } from 'lit';

export const playgroundStyles = css`
  :host {
    display: block;
    height: 560px;
    min-width: 0;
  }
  :host([hidden]) {
    display: none;
  }
  :host([height]) {
    height: auto;
  }
  .box {
    all: initial;
    display: flex;
    flex-direction: column;
    position: relative;
    box-sizing: border-box;
    height: 100%;
    min-height: 0;
    overflow: hidden;
    border: 1px solid #8a94a0;
    border-radius: 8px;
    font:
      13px/1.4 system-ui,
      sans-serif;
  }
  .box.fit {
    height: auto;
  }
  tessera-report {
    flex: 1;
    min-height: 0;
  }
  .poster {
    flex: 1;
    min-height: 0;
    overflow: auto;
  }
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .controls select {
    max-width: 180px;
  }
  .status {
    order: 1; /* while it says nothing, the others are at their place */
    color: var(--dim);
  }
  .problem,
  .wait {
    flex: none;
    margin: 0;
    padding: 8px 12px;
    overflow-wrap: anywhere;
    color: #333c46;
    background: #eef2f6;
  }
  .problem {
    color: #8f1f18;
    background: #fdecea;
  }
`;
