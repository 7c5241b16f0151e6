// Small drawings. Kind glyphs repeat the patterns of the map: see patterns.ts.

import { svg, html, type TemplateResult } from 'lit';

import type { LayoutKind } from '../model/layout_kind';

const kGlyphs: Record<LayoutKind | 'circular', TemplateResult> = {
  block: svg`<rect x=".5" y=".5" width="9" height="9" rx="1.5"/><path d="M5 .5v9M.5 5h9"/>`,
  height: svg`<rect x=".5" y=".5" width="9" height="9" rx="1.5"/><path d="M.5 3.5h9M.5 6.5h9"/>`,
  width: svg`<rect x=".5" y=".5" width="9" height="9" rx="1.5"/><path d="M3.5 .5v9M6.5 .5v9"/>`,
  interleaved: svg`<rect x=".5" y=".5" width="9" height="9" rx="1.5"/>
    <circle cx="3.4" cy="3.4" r=".6"/>
    <circle cx="6.6" cy="3.4" r=".6"/>
    <circle cx="3.4" cy="6.6" r=".6"/>
    <circle cx="6.6" cy="6.6" r=".6"/>`,
  single: svg`<rect x=".5" y=".5" width="9" height="9" rx="1.5"/><circle cx="5" cy="5" r="1"/>`,
  dram: svg`<rect x=".5" y="2.5" width="9" height="5" rx="1"/><path d="M2.5 7.5v2M5 7.5v2M7.5 7.5v2"/>`,
  system: svg`<circle cx="5" cy="5" r="4.2"/>`,
  none: svg`<path d="M2 5h6"/>`,
  circular: svg`<path d="M0 6 6 0M1 10 10 1M5 10l5-5"/>`,
};

export function glyph(kind: LayoutKind | 'circular'): TemplateResult {
  return html`<svg
    class="glyph"
    viewBox="0 0 10 10"
    width="11"
    height="11"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
  >
    ${kGlyphs[kind]}
  </svg>`;
}

const icon = (content: TemplateResult): TemplateResult =>
  html`<svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    ${content}
  </svg>`;

export const icons = {
  brand: html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <rect class="b1" x="1" y="1" width="8" height="8" rx="1.5" />
    <rect class="b2" x="11" y="1" width="8" height="8" rx="1.5" />
    <rect class="b3" x="1" y="11" width="8" height="8" rx="1.5" />
    <rect class="b4" x="11" y="11" width="8" height="8" rx="1.5" />
  </svg>`,
  sun: icon(
    svg`<circle cx="8" cy="8" r="3"/>
      <path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"/>`,
  ),
  moon: icon(svg`<path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z"/>`),
  auto: icon(svg`<circle cx="8" cy="8" r="6"/><path d="M8 2v12a6 6 0 0 0 0-12z" fill="currentColor" stroke="none"/>`),
  link: icon(
    svg`<path d="M6.5 9.5l3-3M7 4.5l1.2-1.2a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.2 1.2a3 3 0 0 1-4.3-4.3L4.7 7.2"/>`,
  ),
  sliders: icon(
    svg`<path d="M2 5h6M12 5h2M2 11h2M8 11h6"/><circle cx="10" cy="5" r="2"/><circle cx="6" cy="11" r="2"/>`,
  ),
  collapse: icon(svg`<path d="M2.500 3h11v10h-11zM6.500 3v10M11 6.500 9.500 8 11 9.500"/>`),
  expand: icon(svg`<path d="M2.500 3h11v10h-11zM6.500 3v10M9.500 6.500 11 8 9.500 9.500"/>`),
  file: icon(svg`<path d="M4 1.500h5l3.500 3.500v9.500H4zM9 1.500V5h3.500"/>`),
  plus: icon(svg`<path d="M8 3v10M3 8h10"/>`),
  close: icon(svg`<path d="M4 4l8 8M12 4l-8 8"/>`),
  up: icon(svg`<path d="M4 10l4-4 4 4"/>`),
  down: icon(svg`<path d="M4 6l4 4 4-4"/>`),
  unfold: icon(svg`<path d="M6 4l4 4-4 4"/>`),
  search: icon(svg`<circle cx="7" cy="7" r="4.500"/><path d="M10.500 10.500 14 14"/>`),
  stop: icon(svg`<rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor"/>`),
};
