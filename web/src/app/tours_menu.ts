// The guided tours to choose from: in the bar at the top, and where the page is empty.

import { css, html, type TemplateResult } from 'lit';

import { kTours, type Tour } from '../model/tours';
import { sharedStyles } from '../view/element';
import { menuStyles, Popover, popoverStyles } from '../view/popover';

export class TesseraToursMenu extends Popover {
  protected override render(): TemplateResult {
    return this.renderMenu(
      { title: 'Tours', label: 'Guided tours', tip: 'Guided tours over the samples, a minute each' },
      () => kTours.map((tour) => this.renderTour(tour)),
    );
  }

  private renderTour({ id, title, about }: Tour): TemplateResult {
    return html`<button class="one" data-tour=${id} @click=${() => this.take(id)}>
      <b>${title}</b><small>${about}</small>
    </button>`;
  }

  private take(id: string): void {
    this.close();
    this.send({ type: 'tour', place: { id, stop: 0 } });
  }

  static override styles = [
    sharedStyles,
    popoverStyles,
    menuStyles,
    css`
      .sheet {
        width: 340px;
        padding: 6px;
      }
      @media (max-width: 820px) {
        .sheet {
          width: auto;
        }
        .one {
          min-height: 44px;
        }
      }
    `,
  ];
}

customElements.define('tessera-tours-menu', TesseraToursMenu);
