// The rows of the schedule that are in the DOM, and the canvases that cover exactly these rows and scroll with them.

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';

import { cssProps } from './element';
import { rowView, type RowContext } from './row_view';
import { kRowHeight, type ColumnPlan, type RowWindow } from './schedule_geometry';

// Rows that were rendered with the same `context` are left as they are.
export function scheduleRows(context: RowContext, { first, end }: RowWindow, plan: ColumnPlan): TemplateResult {
  const { order, selected } = context;
  const count = Math.max(0, Math.min(end, order.lines) - first);
  const shown = Array.from({ length: count }, (_, at) => order.rowAt(first + at));
  // The active row stays in the DOM when it is scrolled away: screen readers follow aria-activedescendant to it.
  const line = order.lineOf(selected);
  if (order.shows(selected) && (line < first || line >= end)) shown.push(selected);
  const top = `translateY(${first * kRowHeight}px)`;
  const height = `${(end - first) * kRowHeight}px`;
  const canvas = (name: string, left: number, width: number): TemplateResult | typeof nothing => {
    const place = cssProps({ transform: top, height, width: `${width}px`, left: `${left}px` });
    return width > 0 ? html`<canvas class=${name} aria-hidden="true" ${place}></canvas>` : nothing;
  };
  return html`${repeat(
    shown,
    (row) => row,
    (row) => guard([context], () => rowView(context, row)),
  )}
  ${canvas('lanes', plan.lanesLeft, plan.lanesWidth)} ${canvas('map', plan.mapLeft, plan.mapWidth)}`;
}
