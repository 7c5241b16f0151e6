// L1 of one core at one step: circular buffers, free, tensors, against the budget.

import { html, nothing, svg, type TemplateResult } from 'lit';

import { formatAddress, formatBytes, formatInteger, formatPercent } from '../model/format';
import { kindOf } from '../model/layout_kind';
import type { MemoryHoles, Row, Run } from '../model/report';
import { badge } from '../view/badge';
import { valueTitle } from '../view/names';
import type { MapBox } from '../view/map_geometry';
import { holesText } from '../view/map_tip';

export interface L1Shares {
  readonly circular: number; // 0..1 of the scale
  readonly tensors: number;
  readonly budget: number;
  readonly free: number; // bytes, negative when over budget
}

export function l1Shares(row: Row, budget: number): L1Shares {
  const used = row.l1.circularBuffers + row.l1.tensors;
  const scale = Math.max(budget, used, 1);
  return {
    circular: row.l1.circularBuffers / scale,
    tensors: row.l1.tensors / scale,
    budget: budget / scale,
    free: budget - used,
  };
}

const kTop = 8;

// `free`: at the step, as the L1 map shows it; null: there is no map.
export function l1BarView(
  run: Run,
  row: Row,
  boxes: readonly MapBox[],
  free: MemoryHoles | null,
  goTo: (row: number) => void,
): TemplateResult {
  const shares = l1Shares(row, run.l1Budget);
  const label = `Circular buffers ${formatBytes(row.l1.circularBuffers)}, tensors ${formatBytes(row.l1.tensors)}, ${
    shares.free >= 0 ? `left of the budget ${formatBytes(shares.free)}` : `over budget by ${formatBytes(-shares.free)}`
  }, budget ${formatBytes(run.l1Budget)}`;
  return html`<svg class="l1bar" viewBox="0 0 100 14" preserveAspectRatio="none" role="img" aria-label=${label}>
      <defs>
        <pattern id="cbhatch" width="1.6" height="4" patternUnits="userSpaceOnUse" patternTransform="skewX(-30)">
          <rect class="cbline" width=".8" height="4" />
        </pattern>
      </defs>
      <rect class="free" width="100" height="14" />
      <rect class="cb" width=${shares.circular * 100} height="14" fill="url(#cbhatch)" />
      <rect class="tensors" x=${100 - shares.tensors * 100} width=${shares.tensors * 100} height="14" />
      ${shares.budget < 1 ? svg`<path class="over" d="M${shares.budget * 100} 0v14"/>` : nothing}
    </svg>
    <dl class="facts">
      <div>
        <dt>Circular buffers</dt>
        <dd>${formatBytes(row.l1.circularBuffers)}</dd>
      </div>
      <div>
        <dt>Tensors</dt>
        <dd>${formatBytes(row.l1.tensors)}</dd>
      </div>
      <div class=${shares.free < 0 ? 'bad' : ''}>
        <dt>${shares.free < 0 ? 'Over budget' : 'Left of the budget'}</dt>
        <dd>${formatBytes(Math.abs(shares.free))}</dd>
      </div>
      <div>
        <dt>Budget</dt>
        <dd>${formatBytes(run.l1Budget)} <i>${formatPercent(run.l1Budget - shares.free, run.l1Budget)} used</i></dd>
      </div>
    </dl>
    <p class="dim">${free === null ? nothing : html`L1 ${holesText(free)}; `}DRAM per bank ${holesText(row.dram)}.</p>
    ${
      boxes.length === 0 ? html`<p class="dim">No tensor is in L1 at this step.</p>` : bufferList(run, row, boxes, goTo)
    }`;
}

function bufferList(run: Run, row: Row, boxes: readonly MapBox[], goTo: (row: number) => void): TemplateResult {
  return html`<ul class="values">
      ${boxes.slice(0, kTop).map((box) => {
        const value = run.values[box.value];
        const where =
          `${formatAddress(box.address)} to ${formatAddress(box.address + box.bytes)}, steps ${box.from} to ` +
          `${box.to}`;
        if (value === undefined)
          return html`<li>
            <span class="mono" data-clip>${box.name}</span><span class="dim">intermediate</span
            ><span class="num" data-tip=${where}>${formatBytes(box.bytes)}</span>
          </li>`;
        const target = value.producer >= 0 ? value.producer : (value.uses[0] ?? box.from);
        return html`<li>
          <button class="link mono" data-clip @click=${() => goTo(target)}>${valueTitle(run, box.value)}</button>
          ${
            row.freedOperand === box.value
              ? html`<span
                  class="dim"
                  data-tip="The op frees it before its result is allocated, so the two never lie side by side."
                  >freed early</span
                >`
              : nothing
          }
          ${kindOf(value.layout) === 'none' ? nothing : badge(value.layout)}
          <span class="num" data-tip=${where}>${formatBytes(box.bytes)}</span>
        </li>`;
      })}
    </ul>
    ${boxes.length > kTop ? html`<p class="dim">and ${formatInteger(boxes.length - kTop)} smaller ones</p>` : nothing}`;
}
