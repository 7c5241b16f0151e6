import { css } from 'lit';

export const viewStyles = css`
  :host {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    overflow: hidden;
    background: var(--bg);
  }
  .bar {
    background: var(--panel);
  }
  .body {
    flex: 1;
    overflow: auto;
    padding: 12px 16px 24px;
  }
  .files {
    color: var(--dim);
    overflow-wrap: anywhere;
  }
  .status {
    margin-left: auto;
  }
  progress {
    width: 120px;
    accent-color: var(--accent);
  }
  .settings {
    margin: 0 0 8px;
  }
  summary {
    cursor: pointer;
    width: fit-content;
    padding: 2px 0;
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
    margin: 6px 0;
    padding: 4px 10px 8px;
    border: 1px solid var(--line);
    border-radius: 8px;
  }
  legend {
    color: var(--dim);
    font-size: 12px;
    padding: 0 4px;
  }
  fieldset label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .values {
    display: grid;
    gap: 2px;
    max-width: 420px;
    color: var(--dim);
    font-size: 12px;
  }
  .values input {
    color: var(--ink);
    font: 12px var(--mono);
  }
  .save {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    margin: 0 0 12px;
  }
`;
