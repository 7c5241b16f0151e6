// A place for a chart: drawn as wide as it is, each chart in a task of its own, so that the page stays at hand.

import { css, html, type PropertyValues, type TemplateResult } from 'lit';

import { TesseraElement } from '../view/element';
import type { Drawing } from './study_charts';
import { seriesStyles } from './study_styles';

const kLeastWidth = 280;
let last = Promise.resolve(); // charts that wait

const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export class TesseraStudyChart extends TesseraElement {
  static override properties = {
    draw: { attribute: false },
    label: { attribute: false },
    width_: { state: true },
  };
  declare draw: Drawing;
  declare label: string;
  declare width_: number;
  private readonly sizes_ = new ResizeObserver(([entry]) => {
    this.width_ = Math.max(kLeastWidth, Math.floor(entry?.contentRect.width ?? 0));
  });

  constructor() {
    super();
    this.label = '';
    this.width_ = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes_.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes_.disconnect();
  }

  protected override updated(_: PropertyValues<this>): void {
    const { draw, width_: width } = this;
    if (width === 0) return;
    last = last.then(task).then(() => {
      if (!this.isConnected || this.draw !== draw || this.width_ !== width) return; // outdated while it waited
      const chart = draw(width);
      chart.setAttribute('role', 'img');
      chart.setAttribute('aria-label', this.label);
      this.renderRoot.querySelector('.chart')?.replaceChildren(chart);
    });
  }

  protected override render(): TemplateResult {
    return html`<div class="chart"></div>`;
  }

  static override styles = [
    seriesStyles,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      svg {
        display: block;
        max-width: 100%;
        height: auto;
        font: 11px var(--sans);
        --plot-background: var(--panel);
      }
      svg text {
        white-space: pre;
      }
    `,
  ];
}

customElements.define('tessera-study-chart', TesseraStudyChart);
