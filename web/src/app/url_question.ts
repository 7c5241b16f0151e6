// A link may name an address to load a graph from: nothing is fetched before the user agrees.

import { html, nothing, type TemplateResult } from 'lit';

const kMostShown = 300; // characters

export function urlQuestion(url: string, answer: (load: boolean) => void): TemplateResult | typeof nothing {
  if (url === '') return nothing;
  const shown = url.length > kMostShown ? `${url.slice(0, kMostShown)}…` : url;
  return html`<section class="question" role="region" aria-label="Load from an address">
    <p>The link asks for a graph from <bdi>${shown}</bdi>. Its host will see that you fetch it.</p>
    <button class="btn primary" @click=${() => answer(true)}>Load it</button>
    <button class="btn" @click=${() => answer(false)}>Do not</button>
  </section>`;
}
