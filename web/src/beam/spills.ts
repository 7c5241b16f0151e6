// What had to leave L1, step by step.

import { html, nothing, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, plural } from '../model/format';
import type { BeamPicture, SpillEvent } from '../view/beam_picture';
import { traceBadge } from '../view/trace_layout';

const kMostShown = 400;

export function spillsView(picture: BeamPicture, selected: number, goTo: (at: number) => void): TemplateResult {
  const { spills } = picture.trace;
  if (spills === null)
    return html`<p class="dim pad">The trace has no spill management: the compiler writes it when that pass runs.</p>`;
  const { events } = picture;
  const more = events.length - kMostShown;
  return html`<div class="heading">
      <h2>${events.length === 0 ? 'Nothing had to leave L1' : plural(events.length, 'event')}</h2>
      <p class="dim">
        Budget ${formatBytes(spills.budget)} per core. At the end ${plural(spills.finalLive, 'tensor')} with
        ${formatBytes(spills.finalOccupied)} per core are in L1.
      </p>
    </div>
    ${
      events.length === 0
        ? nothing
        : html`<div class="scroll" tabindex="0" role="group" aria-label="Spill events">
            <table class="spills">
              <thead>
                <tr>
                  <th scope="col">Step</th>
                  <th scope="col">What ran</th>
                  <th scope="col">Victim</th>
                  <th scope="col">From, to</th>
                  <th scope="col" class="num">Size</th>
                  <th scope="col" class="num">L1 before, after</th>
                  <th scope="col" class="num">Wanted</th>
                  <th scope="col">Cause</th>
                </tr>
              </thead>
              <tbody>
                ${events
                  .slice(0, kMostShown)
                  .map((event) => spillRow(picture, event, event.at >= 0 && event.at === selected, goTo))}
              </tbody>
            </table>
          </div>`
    }
    ${more > 0 ? html`<p class="dim pad">and ${formatInteger(more)} more</p>` : nothing}`;
}

function spillRow(
  picture: BeamPicture,
  event: SpillEvent,
  current: boolean,
  goTo: (at: number) => void,
): TemplateResult {
  const link = (at: number, text: string): TemplateResult =>
    at < 0
      ? html`<span class="mono">${text}</span>`
      : html`<button class="link mono" @click=${() => goTo(at)}>${text}</button>`;
  return html`<tr class="${event.kind} ${current ? 'looked' : ''}">
    <td class="num">${event.at >= 0 ? picture.step(event.at) : event.position}</td>
    <td>${link(event.at, event.at >= 0 ? picture.title(event.at) : event.op)}</td>
    <td>${link(event.victimAt, event.victim)}</td>
    <td class="moves">
      ${event.from === null ? nothing : traceBadge(event.from)}${
        event.to === null ? nothing : html`<span aria-label="to">→</span>${traceBadge(event.to)}`
      }
      <i>${event.action}</i>
    </td>
    <td class="num">${event.bytes > 0 ? formatBytes(event.bytes) : ''}</td>
    <td class="num">${formatBytes(event.before)} → ${formatBytes(event.after)}</td>
    <td class="num">${event.needed > 0 ? formatBytes(event.needed) : ''}</td>
    <td>${event.cause}</td>
  </tr>`;
}
