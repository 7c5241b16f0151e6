// The candidates of one op as a table: what was asked, what came out, the score's fields, which entries it comes from,
// why it lost.

import { html, nothing, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, formatTime, plural } from '../model/format';
import type { BeamPicture, CandidateRow } from '../view/beam_picture';
import { traceBadge } from '../view/trace_layout';

const kMostShown = 40;

export interface CandidateHooks {
  readonly slot: number; // entry whose history is shown; -1: none
  readonly pick: (slot: number) => void;
  readonly goTo: (at: number, slot: number) => void;
}

export function candidatesView(picture: BeamPicture, at: number, hooks: CandidateHooks): TemplateResult {
  const op = picture.ops[at];
  if (op === undefined) return html`<p class="dim pad">Select an op to see its candidates.</p>`;
  const rows = picture.candidates(at);
  const more = rows.length - Math.min(rows.length, kMostShown) + op.candidatesLeftOut;
  return html`<div class="heading">
      <h2>${picture.title(at)}</h2>
      <p class="dim">
        ${op.op} · step ${picture.step(at)} · ${plural(op.tries, 'evaluation')} over
        ${plural(op.combinations, 'combination')} of operand
        layouts${op.inPlace ? ' · works in place' : ''}${
          op.fallback ? ' · no candidate was legal: the fallback, DRAM' : ''
        }
      </p>
      ${forkText(picture, at, hooks)}
    </div>
    ${
      rows.length === 0
        ? html`<p class="dim pad">The trace holds no candidates of this op.</p>`
        : candidateTable(picture, at, rows.slice(0, kMostShown), hooks)
    }
    ${more > 0 ? html`<p class="dim pad">and ${plural(more, 'more candidate')}</p>` : nothing}`;
}

function forkText(picture: BeamPicture, at: number, hooks: CandidateHooks): TemplateResult | typeof nothing {
  const fork = picture.forkAt.get(at);
  if (fork === undefined) return nothing;
  return html`<p>
    <b>Fork.</b> ${plural(fork.consumers.length, 'reader')}:
    ${fork.consumers.map(
      (consumer, place) =>
        html`${place > 0 ? ', ' : ''}<button class="link" @click=${() => hooks.goTo(consumer, -1)}>
            ${picture.title(consumer)}
          </button>`,
    )}.
    ${fork.votes.map((votes, slot) => voteText(votes, slot))}Rank ${formatInteger(fork.slot)} was chosen.
  </p>`;
}

function voteText(votes: number, slot: number): string {
  return votes > 0 ? `${plural(votes, 'reader')} ${votes === 1 ? 'prefers' : 'prefer'} rank ${slot}. ` : '';
}

function candidateTable(
  picture: BeamPicture,
  at: number,
  rows: readonly CandidateRow[],
  hooks: CandidateHooks,
): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Candidates of ${picture.title(at)}">
    <table class="candidates">
      <thead>
        <tr>
          <th scope="col">Rank</th>
          <th scope="col">Asked for</th>
          <th scope="col">Result</th>
          <th scope="col">Operands</th>
          <th scope="col" class="num">Cores</th>
          <th scope="col" class="num">L1 of result</th>
          <th scope="col" class="num">DRAM read</th>
          <th scope="col" class="num">Path</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => candidateRow(picture, row, hooks))}
      </tbody>
    </table>
  </div>`;
}

function candidateRow(picture: BeamPicture, row: CandidateRow, hooks: CandidateHooks): TemplateResult {
  const { score } = row;
  return html`<tr class="${row.fate} ${row.rank >= 0 && row.rank === hooks.slot ? 'looked' : ''}">
    <td>
      ${
        row.rank < 0
          ? ''
          : html`<button
              class="link rank"
              aria-pressed=${row.rank === hooks.slot ? 'true' : 'false'}
              data-tip="Show what leads to this entry"
              @click=${() => hooks.pick(row.rank)}
            >
              ${row.rank}
            </button>`
      }
    </td>
    <td>${row.hint === null ? '' : traceBadge(row.hint)}</td>
    <td>${row.output === null ? '' : traceBadge(row.output)}</td>
    <td class="inputs">
      ${row.inputs.map((input) => operandView(picture, row, input, hooks))}${
        row.count > 1 ? html`<i>${formatInteger(row.count)} alike</i>` : nothing
      }
    </td>
    <td class="num">${score === null ? '' : formatInteger(score[4])}</td>
    <td class="num">${score === null || score[5] === 0 ? '' : formatBytes(score[5])}</td>
    <td class="num">${score === null || score[2] === 0 ? '' : formatBytes(score[2])}</td>
    <td class="num">${pathText(row)}</td>
    <td><b class="fate">${row.fate}</b> ${row.why}</td>
  </tr>`;
}

// An operand with a beam leads to the entry that it is read from.
function operandView(
  picture: BeamPicture,
  row: CandidateRow,
  input: CandidateRow['inputs'][number],
  hooks: CandidateHooks,
): TemplateResult {
  const link = row.entry?.links?.find(([operand]) => operand === input.operand);
  const badge = html`${traceBadge(input.layout)}${
    input.reshard
      ? html`<i
          class="resharded"
          data-tip=${
            link === undefined
              ? 'The operand is converted first'
              : `Converted from ${picture.layout(picture.ops[link[1]]?.beam[link[2]]?.output ?? -1).full}`
          }
          >reshard</i
        >`
      : nothing
  }`;
  if (link === undefined) return html`<span>${badge}</span>`;
  return html`<span
    >${badge}<button
      class="link from"
      data-tip="Operand ${input.operand}: ${picture.title(link[1])}, rank ${link[2]}"
      aria-label="Operand ${input.operand}: rank ${link[2]} of ${picture.title(link[1])}"
      @click=${() => hooks.goTo(link[1], link[2])}
    >
      ↑${link[2]}
    </button></span
  >`;
}

function pathText(row: CandidateRow): TemplateResult | string {
  if (row.entry === null) return '';
  const { minCores, pathReshards, pathTime } = row.entry;
  const parts = [
    minCores === undefined ? '' : minCores === 0 ? 'through DRAM' : plural(minCores, 'core'),
    pathReshards === undefined ? '' : `+${pathReshards} reshards`,
    pathTime === undefined ? '' : `+${formatTime(pathTime)}`,
  ].filter((part) => part !== '');
  return parts.length === 0
    ? ''
    : html`<span
        data-tip="Of the whole path: cores of its narrowest op, and reshards and time beyond those of the best entry"
        >${parts.join(', ')}</span
      >`;
}
