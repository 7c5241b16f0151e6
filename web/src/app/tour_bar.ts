// Where the page is in a guided tour: what is seen, and the way on.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { TourPlace } from '../model/tour_place';
import { tourAt } from '../model/tours';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';

export class TesseraTourBar extends TesseraElement {
  static override properties = { place: { attribute: false } };
  declare place: TourPlace | null;

  constructor() {
    super();
    this.place = null;
    this.addEventListener('keydown', (event) => this.onKey(event));
  }

  // The focus goes along with a tour that begins, so that the keys work at once.
  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('place');
    if (this.place !== null && changed.has('place') && before?.id !== this.place.id)
      this.renderRoot.querySelector<HTMLElement>('[data-go=next]')?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { place } = this;
    const tour = tourAt(place);
    const stop = tour?.stops[place?.stop ?? -1];
    if (place === null || tour === undefined || stop === undefined) return nothing;
    const last = place.stop === tour.stops.length - 1;
    return html`<section role="region" aria-label="Guided tour: ${tour.title}">
      <p role="status">
        <b>${tour.title} <span>${place.stop + 1} of ${tour.stops.length}</span></b> ${stop.text}
      </p>
      <span class="ways">
        <button class="btn" data-go="back" ?disabled=${place.stop === 0} @click=${() => this.go(-1)}>Back</button>
        <button class="btn primary" data-go="next" @click=${() => this.go(1)}>${last ? 'Done' : 'Next'}</button>
        <button class="btn icon quiet" aria-label="End the tour" @click=${() => this.end()}>${icons.close}</button>
      </span>
    </section>`;
  }

  private onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) this.end();
    else this.go(step);
  }

  private go(step: number): void {
    const { place } = this;
    const count = tourAt(place)?.stops.length ?? 0;
    if (place === null || place.stop + step < 0) return;
    if (place.stop + step >= count) this.end();
    else this.send({ type: 'tour', place: { ...place, stop: place.stop + step } });
  }

  private end(): void {
    this.send({ type: 'tour', place: null });
    this.ask({ type: 'focus-schedule' });
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        flex: none;
      }
      section {
        display: flex;
        align-items: center;
        gap: 8px 16px;
        padding: 8px 12px;
        background: var(--select);
        border-bottom: 1px solid var(--line);
      }
      p {
        flex: 1;
        min-width: 0;
        max-width: 110ch;
        line-height: 1.45;
      }
      b span {
        font-weight: 400;
      }
      .ways {
        display: flex;
        gap: 6px;
        margin-left: auto;
      }
      @media (max-width: 820px) {
        section {
          flex-direction: column;
          align-items: stretch;
        }
        p {
          max-height: 30vh;
          overflow: auto;
        }
        .ways .btn {
          min-height: 44px;
          min-width: 44px;
        }
      }
    `,
  ];
}

customElements.define('tessera-tour-bar', TesseraTourBar);
