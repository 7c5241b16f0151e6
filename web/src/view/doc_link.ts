// A link to a document beside the page, in a tab of its own.

import { html, type TemplateResult } from 'lit';

export function docLink(address: string, text: string): TemplateResult {
  return html`<a class="doc" href=${address} target="_blank" rel="noopener">${text}</a>`;
}
