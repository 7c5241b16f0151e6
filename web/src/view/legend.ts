// The legend: what badges, lanes, time bars, the map and marks mean, made of the same drawings.

import { css, html, svg, type TemplateResult } from 'lit';

import { kKinds, type LayoutKind } from '../model/layout_kind';
import { kMoves, type MoveKind } from '../model/moves';
import { badgeStyles, kindBadge } from './badge';
import { sharedStyles } from './element';
import { glyph } from './icons';
import { Popover, popoverStyles } from './popover';
import { kTimeParts, type TimePart } from './time_geometry';
import { timePatterns, timeStyles, timeSwatch } from './time_patterns';

const kPartHelp: Readonly<Record<TimePart, string>> = {
  compute: 'the cores compute',
  dram: 'to and from DRAM',
  noc: 'between cores, over the network on the chip',
  fixed: 'launch of the op, whatever its size',
};

// As drawn in the lanes: lanes_draw.ts.
const kLaneShapes: Readonly<Record<MoveKind, string>> = {
  spill: 'M2 3h12L8 13z',
  demotion: 'M2 3h12L8 13z',
  return: 'M2 3h12L8 13z',
  reload: 'M2 13h12L8 3z',
  reshard: 'M8 2l6 6-6 6-6-6z',
};

const kShownKinds: readonly LayoutKind[] = ['block', 'height', 'width', 'interleaved', 'dram', 'system'];

export const kLegendKinds = kKinds.filter(({ kind }) => kShownKinds.includes(kind));

export class TesseraLegend extends Popover {
  protected override render(): TemplateResult {
    return html`<button
        class="btn quiet"
        aria-expanded=${this.open_ ? 'true' : 'false'}
        aria-controls="sheet"
        data-tip="What badges, lanes, bars and marks mean"
        @click=${() => (this.open_ = !this.open_)}
      >
        Legend
      </button>
      <div id="sheet" class="sheet" role="group" tabindex="0" aria-label="Legend" ?hidden=${!this.open_}>
        ${this.open_ ? [this.renderPlaces(), this.renderTime(), this.renderLanes(), this.renderMap()] : ''}
      </div>`;
  }

  private renderPlaces(): TemplateResult {
    return html`<h2>Where a result lives</h2>
      <ul>
        ${kLegendKinds.map(
          ({ kind, title, explanation }) =>
            html`<li>
              ${kindBadge(kind)}<span><b>${title}</b> ${explanation}</span>
            </li>`,
        )}
      </ul>
      <p class="dim">8×8 behind the letters: columns and rows of the cores that hold a shard each.</p>`;
  }

  private renderTime(): TemplateResult {
    return html`${timePatterns()}
      <h2>Time of an op</h2>
      <ul>
        ${kTimeParts.map(
          ({ part, title }) =>
            html`<li>
              ${timeSwatch(part)}<span><b>${title}</b> ${kPartHelp[part]}</span>
            </li>`,
        )}
      </ul>
      <p class="dim">
        The fixed cost comes first, then what takes longest; strips below run beside it. Two strokes: the bar is cut.
      </p>`;
  }

  private renderLanes(): TemplateResult {
    return html`<h2>Chains and moves</h2>
      <ul>
        ${kMoves.map(
          ({ kind, word, help }) =>
            html`<li>
              <svg class="mark m-${kind}" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
                ${svg`<path d=${kLaneShapes[kind]}/>`}</svg
              ><span><b>${word}</b> ${help}</span>
            </li>`,
        )}
      </ul>
      <p class="dim">
        A thick line joins the ops of an L1 chain; its marks have the shape of the place: bands lie or stand, blocks are
        square. A dashed line is a result that is read again later.
      </p>`;
  }

  private renderMap(): TemplateResult {
    return html`<h2>L1 map</h2>
      <ul>
        <li>
          <span class="k-circular">${glyph('circular')}</span
          ><span><b>circular buffers</b> scratch space of an op while it runs, from the start of L1</span>
        </li>
        <li>
          <svg class="mark budget" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="M8 0v16" /></svg
          ><span><b>budget</b> tensors that reach left of the dashed line exceed it</span>
        </li>
        <li>
          <svg class="mark cut" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="M4 0l2 4-2 4 2 4-2 4M12 0l2 4-2 4 2 4-2 4" /></svg
          ><span><b>cut</b> addresses between zigzag lines are drawn narrow: hardly a step uses them</span>
        </li>
      </ul>
      <p class="dim">Left of a row: points down, the selected op reads it; points up, it reads the selected op.</p>`;
  }

  static override styles = [
    sharedStyles,
    badgeStyles,
    timeStyles,
    popoverStyles,
    css`
      .sheet {
        left: auto;
        right: 0;
        width: 430px;
      }
      @media (max-width: 820px) {
        .sheet {
          left: 8px;
          right: 8px;
          width: auto;
        }
      }
      h2 {
        font-size: 13px;
        margin: 12px 0 4px;
      }
      li {
        display: grid;
        grid-template-columns: 74px 1fr;
        gap: 10px;
        align-items: start;
        padding: 4px 0;
        font-size: 12px;
      }
      li b {
        font-weight: 600;
      }
      p {
        font-size: 12px;
        margin-top: 4px;
      }
      .mark {
        fill: none;
      }
      .m-spill {
        fill: var(--bad);
      }
      .m-reload,
      .m-reshard {
        fill: var(--reshard);
      }
      .m-demotion,
      .m-return {
        fill: var(--dram);
      }
      .budget {
        stroke: var(--bad);
        stroke-width: 2;
        stroke-dasharray: 4 2;
      }
      .cut {
        stroke: var(--dim);
      }
    `,
  ];
}

customElements.define('tessera-legend', TesseraLegend);
