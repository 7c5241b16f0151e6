// Layouts as the decision trace writes them: "l1/width_sharded/1x64", "dram/interleaved/1x1", "null" for what is left
// to the backend.

import { html, type TemplateResult } from 'lit';

import { kindInfo, type LayoutKind } from '../model/layout_kind';
import { glyph } from './icons';

export interface TraceLayout {
  readonly kind: LayoutKind;
  readonly text: string; // "WS 1×64"
  readonly full: string; // as written
}

const kCodes: Readonly<Record<string, LayoutKind>> = {
  block_sharded: 'block',
  height_sharded: 'height',
  width_sharded: 'width',
  interleaved: 'interleaved',
  single_bank: 'single',
};

export function readTraceLayout(full: string | undefined): TraceLayout {
  if (full === undefined || full === '' || full === 'null')
    return { kind: 'none', text: full === undefined || full === '' ? '–' : 'backend', full: full ?? '' };
  const [buffer = '', memory = '', grid = ''] = full.toLowerCase().split('/');
  if (buffer === 'dram')
    return { kind: 'dram', text: memory === '' || memory === 'interleaved' ? 'DRAM' : 'DRAM sh.', full };
  if (buffer === 'system_memory') return { kind: 'system', text: 'host', full };
  const kind = buffer === 'l1' ? (kCodes[memory] ?? 'none') : 'none';
  if (kind === 'none') return { kind, text: full.slice(0, 24), full };
  if (kind === 'interleaved') return { kind, text: 'IL', full };
  return { kind, text: `${kindInfo(kind).code} ${grid.replace('x', '×')}`, full };
}

export function traceBadge(layout: TraceLayout): TemplateResult {
  if (layout.kind === 'none' && layout.text === 'backend')
    return html`<span class="dim" data-tip="Not the optimizer’s to decide: left to the backend">backend</span>`;
  return html`<span class="badge k-${layout.kind}" data-tip="${layout.full}. ${kindInfo(layout.kind).explanation}"
    >${glyph(layout.kind)}${layout.text}</span
  >`;
}
