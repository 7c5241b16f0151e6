import { css } from 'lit';

export const handEditStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    overflow: hidden;
  }
  .note {
    padding: 12px 16px;
  }
  .both {
    flex: 1;
    min-height: 0;
    display: grid;
    grid-template-columns: minmax(140px, 260px) minmax(0, 1fr);
  }
  .ops {
    overflow: auto;
    border-right: 1px solid var(--line);
  }
  .pick {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    width: 100%;
    border: 0;
    background: none;
    padding: 3px 10px;
    text-align: left;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  /* On a line of its own where both do not fit. */
  .pick .dim {
    margin-left: auto;
  }
  .pick:hover {
    background: var(--hover);
  }
  .pick[aria-current='true'] {
    background: var(--select);
  }
  .op {
    overflow: auto;
    padding: 10px 14px;
  }
  .operand {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    margin: 6px 0;
  }
  .moves {
    margin: 6px 0;
  }
  table {
    margin-top: 10px;
  }
  tr[aria-current='true'] {
    background: var(--select);
  }
  /* One above the other. */
  @media (max-width: 820px) {
    .both {
      grid-template: minmax(0, 2fr) minmax(0, 3fr) / minmax(0, 1fr);
    }
    .ops {
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
    .pick {
      align-items: center;
    }
  }
`;
