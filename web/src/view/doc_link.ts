// A link to a document beside the page, in a tab of its own.

import { html, nothing, type TemplateResult } from 'lit';

let base: string | null = ''; // of the documents; null: there are none, and the text stands alone

// Elsewhere than beside the page, or nowhere.
export function setDocBase(address: string | null): void {
  base = address;
}

export function docLink(address: string, text: string): TemplateResult {
  return base === null
    ? html`${text}`
    : html`<a class="doc" href=${base + address} target="_blank" rel="noopener">${text}</a>`;
}

// Beside what is said; nothing where there are no documents.
export function asideLink(address: string, text: string): TemplateResult | typeof nothing {
  return base === null ? nothing : docLink(address, text);
}
