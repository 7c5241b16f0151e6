// The frame that the lab's parts share.

import { css } from 'lit';

export const panelStyles = css`
  :host {
    display: block;
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: 9px;
    padding: 9px 10px;
  }
  h2 {
    font-size: 13px;
  }
`;
