// The badge that says where a tensor lives: glyph, letter code and colour.

import { css, html, type TemplateResult } from 'lit';

import { formatBytes } from '../model/format';
import { badgeText, isSharded, kindInfo, kindOf, kindText, type LayoutKind } from '../model/layout_kind';
import type { Layout } from '../model/report';
import { glyph } from './icons';

export function badge(layout: Layout | null): TemplateResult {
  const kind = kindOf(layout);
  if (kind === 'none') return html`<span class="dim" data-tip=${kindInfo(kind).explanation}>–</span>`;
  return html`<span
    class="badge k-${kind}"
    data-tip=${
      layout === null
        ? kindInfo(kind).explanation
        : `${layout.text}${
            layout.bytesPerCore > 0 ? `, ${formatBytes(layout.bytesPerCore)} per core` : ''
          }. ${kindInfo(kind).explanation}`
    }
    >${glyph(kind)}${badgeText(layout)}</span
  >`;
}

// What the badges of a kind look like.
export function kindBadge(kind: LayoutKind): TemplateResult {
  const { code, explanation, title } = kindInfo(kind);
  const text = isSharded(kind) ? `${code} 8×8` : kindText(kind);
  return html`<span class="badge k-${kind}" data-tip="${title}. ${explanation}">${glyph(kind)}${text}</span>`;
}

// Of a layout that is told in words: 'L1 height 56x1', 'L1 interleaved', 'DRAM'.
export function wordsBadge(words: string): TemplateResult {
  const match = /^L1 (height|width|block) (\d+)x(\d+)$/.exec(words);
  const kind = (match?.[1] ?? (words === 'DRAM' ? 'dram' : 'interleaved')) as LayoutKind;
  if (match === null && words !== 'DRAM' && words !== 'L1 interleaved') return html`${words}`;
  const text = match === null ? kindText(kind) : `${kindInfo(kind).code} ${match[2]}×${match[3]}`;
  return html`<span class="badge k-${kind}" data-tip="${words}. ${kindInfo(kind).explanation}"
    >${glyph(kind)}${text}</span
  >`;
}

export const badgeStyles = css`
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    font: 600 11px/1 var(--mono);
    border-radius: 5px;
    padding: 3px 6px;
    border: 1px solid color-mix(in srgb, currentColor 60%, transparent);
    white-space: nowrap;
    vertical-align: middle;
  }
  .badge .glyph {
    flex: none;
  }
  .k-block {
    color: var(--block);
  }
  .k-height {
    color: var(--height);
  }
  .k-width {
    color: var(--width);
  }
  .k-interleaved,
  .k-single {
    color: var(--interleaved);
  }
  .k-dram,
  .k-system,
  .k-none {
    color: var(--dim);
  }
  .k-circular {
    color: var(--circular);
  }
`;
