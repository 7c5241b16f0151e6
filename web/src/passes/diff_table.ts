// Two texts side by side, as a table.

import { html, type TemplateResult } from 'lit';

import { plural } from '../model/format';
import type { DiffRow } from './diff_rows';

function renderRow(row: DiffRow): TemplateResult {
  if (row.kind === 'gap')
    return html`<tr class="gap">
      <td colspan="4">${plural(row.lines, 'line')} alike</td>
    </tr>`;
  const changed = row.kind === 'changed';
  return html`<tr>
    <td class="n">${row.leftLine === 0 ? '' : row.leftLine}</td>
    <td class=${changed && row.left !== null ? 'gone' : ''}>${row.left ?? ''}</td>
    <td class="n">${row.rightLine === 0 ? '' : row.rightLine}</td>
    <td class=${changed && row.right !== null ? 'new' : ''}>${row.right ?? ''}</td>
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
