// The constraint query of an op: with which inputs and output the op model was asked, and what it answered: circular
// buffers by name, intermediates, time and what bounds it, the rule that decided.

import { html, nothing, svg, type TemplateResult } from 'lit';

import { formatAddress, formatBytes, formatPercent, formatShape, formatTime, plural } from '../model/format';
import type { Row, Run } from '../model/report';
import { ruleDoc } from '../model/doc_links';
import { badge } from '../view/badge';
import { docLink } from '../view/doc_link';
import { shownName, valueTitle } from '../view/names';
import { kTimeParts, timeSegments, type TimePart } from '../view/time_geometry';
import { timeFill, timePatterns, timeSwatch } from '../view/time_patterns';

const kMostListed = 12;

export function queryView(run: Run, row: Row, goTo: (row: number) => void): TemplateResult {
  const buffers = row.circularBuffers.length + (row.backedBuffers ?? []).length;
  return html`<section class="query">
    <h3>Op model</h3>
    ${
      row.operands.length === 0
        ? nothing
        : html`<h4>${row.operands.length === 1 ? 'Input' : 'Inputs'}</h4>
            ${inputs(run, row, goTo)}`
    }
    ${output(run, row)}
    ${
      buffers === 0
        ? nothing
        : html`<h4>Circular buffers <i>${formatBytes(row.l1.circularBuffers)} per core</i></h4>
            ${circularBuffers(row)}`
    }
    ${intermediates(row)} ${peak(row)}
    ${
      (row.refusal ?? '') === ''
        ? nothing
        : html`<p class="verdict">
            <b>Refused</b> ${row.refusal}. The device library would not run this op; its time counts for nothing.
          </p>`
    }
    ${row.time.total > 0 ? time(run, row) : nothing}
    ${
      row.rule === undefined || row.rule.name === ''
        ? nothing
        : html`<p class="dim">Rule: ${docLink(ruleDoc(row.rule.name), row.rule.name)} <i>${row.rule.source}</i></p>`
    }
  </section>`;
}

function output(run: Run, row: Row): TemplateResult | typeof nothing {
  const asked = run.values[row.results[0] ?? -1];
  if (asked === undefined) return nothing;
  return html`<h4>Output</h4>
    <ul class="values">
      <li>
        <span class="mono" data-clip>${valueTitle(run, row.results[0]!)}</span>${badge(asked.layout)}<span
          class="num mono"
          >${formatShape(asked.shape)}</span
        >
      </li>
      ${
        row.produced === null
          ? nothing
          : html`<li>
              <span class="produced">As the op makes it</span>${badge(row.produced)}<span class="num"></span>
            </li>`
      }
    </ul>`;
}

const kSpaces = { l1: '', l1_small: 'L1_SMALL', dram: 'DRAM' } as const;

function intermediates(row: Row): TemplateResult | typeof nothing {
  if (row.intermediates.length === 0) return nothing;
  return html`<h4>Intermediates</h4>
    <ul class="sizes">
      ${row.intermediates.map(
        ({ name, space, bytes }) =>
          html`<li><span>${name}</span><i>${kSpaces[space]}</i><span class="num">${formatBytes(bytes)}</span></li>`,
      )}
    </ul>`;
}

function peak({ constraints }: Row): TemplateResult | typeof nothing {
  if (constraints.peak <= 0) return nothing;
  return html`<p class="dim">
    Peak ${formatBytes(constraints.peak)} per core: circular buffers ${formatBytes(constraints.circularBuffers)},
    tensors it allocates ${formatBytes(constraints.tensors)}, of which results ${formatBytes(constraints.output)}.
  </p>`;
}

function roleText(role: string): string {
  return role === 'none' ? 'argument' : role.replace('_', ' ');
}

function inputs(run: Run, row: Row, goTo: (row: number) => void): TemplateResult {
  return html`<ul class="values">
      ${row.operands.slice(0, kMostListed).map((operand) => {
        const value = run.values[operand];
        if (value === undefined) return nothing;
        const name =
          value.producer >= 0
            ? html`<button class="link mono" data-clip @click=${() => goTo(value.producer)}>
                ${valueTitle(run, operand)}
              </button>`
            : html`<span class="mono" data-clip data-tip="${shownName(value.name)}, ${roleText(value.role)}"
                >${valueTitle(run, operand)}</span
              >`;
        return html`<li>${name}${badge(value.layout)}<span class="num mono">${formatShape(value.shape)}</span></li>`;
      })}
    </ul>
    ${
      row.operands.length > kMostListed
        ? html`<p class="dim">and ${row.operands.length - kMostListed} more</p>`
        : nothing
    }`;
}

function circularBuffers(row: Row): TemplateResult {
  return html`<ul class="sizes">
    ${row.circularBuffers.map(
      ({ name, address, bytes }) =>
        html`<li>
          <span>${name}</span><i></i
          ><span class="num" data-tip="${formatAddress(address)} to ${formatAddress(address + bytes)}"
            >${formatBytes(bytes)}</span
          >
        </li>`,
    )}${(row.backedBuffers ?? []).map(
      ({ name, bytes, operand }) =>
        html`<li class="dim">
          <span>${name}</span><i>${operand < 0 ? 'in the result' : `in operand ${operand}`}</i
          ><span class="num" data-tip="The buffer is the tensor's shard: no L1 of its own">${formatBytes(bytes)}</span>
        </li>`,
    )}
  </ul>`;
}

// One bar: the launch, then what takes the longest; what runs beside it as strips below.
function time(run: Run, row: Row): TemplateResult {
  const segments = timeSegments(row.time, row.time.total);
  const strips = Math.max(0, ...segments.map(({ strip }) => strip + 1));
  const label = kTimeParts.map(({ part, title }) => `${title} ${formatTime(row.time[part])}`).join(', ');
  return html`<h4>
      Time ${formatTime(row.time.total)} <i>${formatPercent(row.time.total, run.totals.time)} of all</i>
    </h4>
    <svg
      class="timebar"
      viewBox="0 0 100 ${10 + strips * 4}"
      height=${10 + strips * 4}
      preserveAspectRatio="none"
      role="img"
      aria-label=${label}
    >
      ${segments.map(({ part, x, width, strip }) => svgRect(part, x, width, strip))}
    </svg>
    <ul class="parts">
      ${kTimeParts.map(
        ({ part, title }) =>
          html`<li class=${row.bound === part ? 'bound' : ''}>
            ${timeSwatch(part)}<span>${title}</span><span class="num">${formatTime(row.time[part])}</span>
          </li>`,
      )}
    </ul>
    ${timePatterns()}
    <p class="dim">${boundText(row)}</p>`;
}

function svgRect(part: TimePart, x: number, width: number, strip: number): TemplateResult {
  return svg`<rect class="t-${part}" fill=${timeFill(part)} x=${x * 100} width=${width * 100}
      y=${strip < 0 ? 0 : 11 + strip * 4} height=${strip < 0 ? 10 : 3}/>`;
}

export function boundText(row: Row): string {
  const parts =
    row.bound === 'none'
      ? []
      : [
          `Bound by ${
            row.bound === 'fixed'
              ? 'the fixed cost of a launch'
              : row.bound === 'dram'
                ? 'DRAM'
                : row.bound === 'noc'
                  ? 'the NoC'
                  : 'compute'
          }.`,
        ];
  if (row.dramBytes > 0) parts.push(`${formatBytes(row.dramBytes)} to and from DRAM.`);
  if (row.nocBytes > 0) parts.push(`${formatBytes(row.nocBytes)} between cores.`);
  if (row.cores > 0) parts.push(`${plural(row.cores, 'core')}.`);
  return parts.join(' ');
}
