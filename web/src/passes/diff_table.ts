// Two texts side by side, as a table.

import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

import { formatInteger, plural } from '../model/format';
import { shownName } from '../view/names';
import type { DiffRow } from './diff_rows';

const kMostOfLine = 2000; // characters, then the rest on demand

function showRest(event: Event, text: string): void {
  const button = event.currentTarget as HTMLElement;
  button.previousElementSibling!.textContent = shownName(text.slice(kMostOfLine - 1), text.length);
  button.hidden = true;
}

// A line of a file: without controls of direction, long ones in two parts.
function lineText(text: string | null): unknown {
  if (text === null) return '';
  const begin = shownName(text, kMostOfLine);
  if (text.length <= kMostOfLine) return begin;
  const rest = html`${begin}<span></span
    ><button class="btn quiet" @click=${(event: Event) => showRest(event, text)}>
      ${formatInteger(text.length)} characters
    </button>`;
  return keyed(text, rest);
}

function renderRow(row: DiffRow): TemplateResult {
  if (row.kind === 'gap')
    return html`<tr class="gap">
      <td colspan="4">${plural(row.lines, 'line')} alike</td>
    </tr>`;
  const kind = (text: string | null, changed: string): string =>
    text === null ? 'none' : row.kind === 'changed' ? changed : '';
  return html`<tr class=${row.kind}>
    <td class="n">${row.leftLine === 0 ? '' : row.leftLine}</td>
    <td class=${kind(row.left, 'gone')}>${lineText(row.left)}</td>
    <td class="n">${row.rightLine === 0 ? '' : row.rightLine}</td>
    <td class=${kind(row.right, 'new')}>${lineText(row.right)}</td>
  </tr>`;
}

export function diffTable(rows: readonly DiffRow[]): TemplateResult {
  return html`<div class="diffbox" tabindex="0" role="group" aria-label="Before and after">
    <table class="diff">
      <colgroup>
        <col class="n" />
        <col />
        <col class="n" />
        <col />
      </colgroup>
      <thead class="vh">
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Before</th>
          <th scope="col">Line</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(renderRow)}
      </tbody>
    </table>
  </div>`;
}
