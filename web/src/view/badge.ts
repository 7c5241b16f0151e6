// The badge that says where a tensor lives: glyph, letter code and colour.

import { css, html, type TemplateResult } from 'lit';

import { formatBytes } from '../model/format';
import { badgeText, kindInfo, kindOf } from '../model/layout_kind';
import type { Layout } from '../model/report';
import { glyph } from './icons';

export function badge(layout: Layout | null): TemplateResult {
  const kind = kindOf(layout);
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

export const badgeStyles = css`
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    font: 600 11px/1 var(--mono);
    border-radius: 5px;
    padding: 3px 6px;
    border: 1px solid color-mix(in srgb, currentColor 35%, transparent);
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
    color: var(--width);
  }
`;
