import { css } from 'lit';

export const policyLabStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    overflow: hidden;
  }
  .editor {
    flex: 3 1 160px;
    min-height: 120px;
    overflow: hidden;
  }
  .below {
    flex: 0 1 auto;
    max-height: 50%;
    overflow: auto;
    border-top: 1px solid var(--line);
    padding: 0 12px;
  }
  .below > * {
    margin: 8px 0;
  }
  h3 {
    font-size: 12px;
    color: var(--dim);
    margin-bottom: 4px;
  }
  .error {
    color: var(--bad);
    background: var(--bad-soft);
    padding: 6px 10px;
    border-radius: 7px;
    overflow-wrap: anywhere;
  }
  .problems li {
    overflow-wrap: anywhere;
    padding: 1px 0;
  }
  .log {
    font-family: var(--mono);
    font-size: 12px;
    margin: 0;
    max-height: 160px;
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  th,
  td {
    text-align: right;
  }
  th:first-child {
    text-align: left;
  }
  tfoot th,
  tfoot td {
    font-weight: 600;
  }
`;
