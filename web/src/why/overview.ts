// What the why panel shows while no op is selected: what is worth a look in this run.

import { html, nothing, type TemplateResult } from 'lit';

import { formatInteger, formatPercent, formatTime, plural } from '../model/format';
import { kMoves, moveKind } from '../model/moves';
import type { Row, Run } from '../model/report';
import { kindWord, rowTitle } from '../view/names';
import { badge } from '../view/badge';

const kSlowest = 6;
const kMostOfAKind = 8;

export function slowestRows(run: Run, count: number): number[] {
  return run.rows
    .map((_, row) => row)
    .sort((a, b) => run.rows[b]!.time.total - run.rows[a]!.time.total || a - b)
    .slice(0, count)
    .filter((row) => run.rows[row]!.time.total > 0);
}

export function overview(
  run: Run,
  goTo: (row: number) => void,
  placement: TemplateResult | typeof nothing,
  gains: TemplateResult | typeof nothing,
): TemplateResult {
  const listWhere = (title: string, test: (row: Row) => boolean): TemplateResult | typeof nothing =>
    list(
      run,
      title,
      run.rows.flatMap((row, at) => (test(row) ? [at] : [])),
      goTo,
    );
  return html`<h2 tabindex="-1">${run.function === '' ? 'The run' : `@${run.function}`}</h2>
    <p class="sub">${plural(run.totals.ops, 'op')}, ${plural(run.totals.chains, 'L1 chain')}</p>
    <p class="why">
      Select an op to see where its result lives and why, which other candidates there were, and how full L1 is at its
      step.
    </p>
    ${listWhere('Does not fit', (row) => row.verdict !== null)} ${slowest(run, goTo)} ${gains}
    ${kMoves.map(({ kind, title }) => listWhere(title, (row) => moveKind(row) === kind))} ${placement} ${kKeys}`;
}

function slowest(run: Run, goTo: (row: number) => void): TemplateResult {
  const rows = slowestRows(run, kSlowest);
  const sum = rows.reduce((time, row) => time + run.rows[row]!.time.total, 0);
  return html`<section>
    <h3>Where the time goes <i>${formatPercent(sum, run.totals.time)} in ${rows.length}</i></h3>
    <ul class="values">
      ${rows.map((row) => item(run, row, goTo))}
    </ul>
  </section>`;
}

const kKeys = html`<section class="keys">
  <h3>Keys</h3>
  <dl>
    <div>
      <dt><kbd>↑</kbd> <kbd>↓</kbd></dt>
      <dd>previous, next op</dd>
    </div>
    <div>
      <dt><kbd>n</kbd> <kbd>p</kbd></dt>
      <dd>next, previous move of a tensor</dd>
    </div>
    <div>
      <dt><kbd>/</kbd></dt>
      <dd>search</dd>
    </div>
    <div>
      <dt><kbd>Enter</kbd></dt>
      <dd>to this panel</dd>
    </div>
  </dl>
</section>`;

function list(
  run: Run,
  title: string,
  rows: readonly number[],
  goTo: (row: number) => void,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  const more = rows.length - kMostOfAKind;
  return html`<section>
    <h3>${title} <i>${formatInteger(rows.length)}</i></h3>
    <ul class="values">
      ${rows.slice(0, kMostOfAKind).map((row) => item(run, row, goTo))}
    </ul>
    ${more > 0 ? html`<p class="dim">and ${formatInteger(more)} more (key n)</p>` : nothing}
  </section>`;
}

function item(run: Run, index: number, goTo: (row: number) => void): TemplateResult {
  const row = run.rows[index]!;
  const result = run.values[row.results[0] ?? -1];
  return html`<li>
    <button class="link mono" data-clip @click=${() => goTo(index)}>
      ${rowTitle(run, row)} <span class="dim">${kindWord(row)}</span>
    </button>
    ${result === undefined ? nothing : badge(result.layout)}<span class="num">${formatTime(row.time.total)}</span>
  </li>`;
}
