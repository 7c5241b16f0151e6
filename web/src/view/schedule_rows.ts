// The rows of the schedule that are in the DOM, and the canvases that cover exactly these rows and scroll with them.
// A row that scrolls out of view leaves its elements to the one that comes in: nothing is made while it scrolls.

import { html, nothing, render, type TemplateResult } from 'lit';

import { rowView, type RowContext } from './row_view';
import { kRowHeight, type ColumnPlan, type RowWindow } from './schedule_geometry';

const kRestMs = 160; // without scrolling

// What shows one row.
interface Slot {
  readonly host: HTMLElement;
  line: number; // -1: nothing is shown
  context: RowContext | null; // that it was rendered with
}

export class RowPool {
  private slots_: Slot[] = [];
  private spare_: Slot | null = null; // of the selected row while it is out of view
  private rest_ = 0;

  // Rows that were rendered with the same `context` are left as they are.
  show(parent: HTMLElement, context: RowContext, { first, end }: RowWindow): void {
    const { order, selected } = context;
    const lines = Math.max(0, Math.min(end, order.lines) - first);
    while (this.slots_.length > lines) this.slots_.pop()!.host.remove();
    while (this.slots_.length < lines) this.slots_.push(madeSlot(parent));
    for (let line = first; line < first + lines; line++) showLine(this.slots_[line % lines]!, line, context);
    // The active row stays in the DOM when it is scrolled away: screen readers follow aria-activedescendant to it.
    const line = order.lineOf(selected);
    const away = order.shows(selected) && (line < first || line >= first + lines);
    this.spare_ ??= away ? madeSlot(parent) : null;
    if (this.spare_ !== null) showLine(this.spare_, away ? line : -1, context);
    window.clearTimeout(this.rest_);
    this.rest_ = window.setTimeout(() => this.sort(parent), kRestMs);
  }

  // Screen readers go through rows as they stand in the DOM. What moves is laid out anew: not while it scrolls.
  private sort(parent: HTMLElement): void {
    if ((parent.getRootNode() as ShadowRoot).activeElement?.closest('.rows') != null) return;
    const sorted = this.slots_.toSorted((a, b) => a.line - b.line).map(({ host }) => host);
    const present = [...parent.children].filter((host) => host !== this.spare_?.host);
    const begin = present.indexOf(sorted[0]!); // in most cases they are only turned around: as few as can be are moved
    if (begin > present.length / 2) parent.prepend(...present.slice(begin));
    else if (begin > 0) parent.append(...present.slice(0, begin));
    if (sorted.some((host, at) => at > 0 && host.previousElementSibling !== sorted[at - 1])) parent.append(...sorted);
  }
}

function madeSlot(parent: HTMLElement): Slot {
  const host = document.createElement('div');
  parent.append(host);
  return { host, line: -1, context: null };
}

function showLine(slot: Slot, line: number, context: RowContext): void {
  if (slot.line === line && slot.context === context) return;
  slot.line = line;
  slot.context = context;
  render(line < 0 ? nothing : rowView(context, context.order.rowAt(line)), slot.host);
}

// What the pool fills, and the canvases that there is room for.
export function rowsAndCanvases(plan: ColumnPlan | null): TemplateResult {
  return html`<div class="rows"></div>
    ${(plan?.lanesWidth ?? 0) > 0 ? html`<canvas class="lanes" aria-hidden="true"></canvas>` : nothing}
    ${(plan?.mapWidth ?? 0) > 0 ? html`<canvas class="map" aria-hidden="true"></canvas>` : nothing}`;
}

// Puts a canvas over the columns and lines that it shows.
export function placeCanvas(root: ParentNode, selector: string, left: number, width: number, rows: RowWindow): void {
  const style = root.querySelector<HTMLCanvasElement>(selector)?.style;
  style?.setProperty('transform', `translateY(${rows.first * kRowHeight}px)`);
  style?.setProperty('height', `${(rows.end - rows.first) * kRowHeight}px`);
  style?.setProperty('left', `${left}px`);
  style?.setProperty('width', `${width}px`);
}
