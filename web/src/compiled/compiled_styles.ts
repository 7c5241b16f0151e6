import { css } from 'lit';

export const compiledStyles = css`
  :host {
    display: block;
    overflow: auto;
    padding: 12px 16px;
  }
  table {
    width: 100%;
    margin-bottom: 14px;
  }
  .note {
    margin-bottom: 14px;
  }
  .all {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 8px;
  }
  .all h2 {
    font-size: 13px;
  }
  textarea {
    width: 100%;
    font-family: var(--mono);
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: 7px;
    padding: 6px 8px;
    overflow-wrap: anywhere;
  }
  .more {
    margin-bottom: 14px;
  }
`;
