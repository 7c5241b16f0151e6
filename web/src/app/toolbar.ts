// The bar at the top: sample, device, policy, options, duration, link, theme. All choices come from the catalog.

import { css, html, nothing, type TemplateResult } from 'lit';

import { formatDuration, plural } from '../model/format';
import { kFunction } from '../model/plan';
import { effectiveOption, type AppState, type Theme } from '../model/state';
import { shownName } from '../view/names';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import './export_menu';
import { functionSelect } from './function_select';
import './options';
import './policy_menu';
import './tours_menu';

export class TesseraToolbar extends TesseraElement {
  static override properties = { state: { attribute: false }, copied: { type: Boolean } };
  declare state: AppState;
  declare copied: boolean;

  protected override render(): TemplateResult {
    const { state } = this;
    return html` <h1 class="brand">${icons.brand}<span>Tessera</span></h1>
      <label><span class="vh">Sample</span>${this.renderSamples()}</label>
      ${functionSelect(this.state, (value) => this.send({ type: 'option', id: kFunction, value }))}
      <label><span class="vh">Device</span>${this.renderDevices()}</label>
      ${this.renderPolicies()}
      <tessera-options .catalog=${state.catalog} .options=${state.options}></tessera-options>
      <a class="lab" href="./lab.html" data-tip="One tensor, its layout, and where every element lies">Layout lab</a>
      <tessera-tours-menu></tessera-tours-menu>
      <span class="space"></span>
      ${this.renderStatus()}
      <tessera-export-menu .state=${state}></tessera-export-menu>
      <button
        class="btn primary"
        data-tip="Copies the address, which holds the graph and all settings"
        @click=${() => this.ask({ type: 'copy-link' })}
      >
        ${icons.link}<span class="wide">${this.copied ? 'Copied' : 'Copy link'}</span
        ><span class="vh narrow">Copy link</span>
      </button>
      ${this.renderTheme()}`;
  }

  private renderSamples(): TemplateResult {
    const { openedTrace, source, view } = this.state;
    const { origin } = source;
    const trace = view.main === 'beam' ? (openedTrace?.name ?? '') : '';
    const current = origin.kind === 'sample' && trace === '' ? origin.id : '';
    const own =
      trace !== ''
        ? shownName(trace)
        : origin.kind === 'file' || (origin.kind === 'link' && origin.name !== '')
          ? shownName(origin.name)
          : origin.kind === 'empty'
            ? 'Samples…'
            : origin.kind === 'sample'
              ? ''
              : 'Your graph';
    return html`<select
      class="samples"
      aria-label="Sample"
      data-tip="Graphs to try. Your own: drop a file anywhere on the page"
      @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        if (value !== '') this.ask({ type: 'load-sample', id: value });
      }}
    >
      ${own === '' ? nothing : html`<option value="" ?selected=${current === ''}>${own}</option>`}
      ${this.state.samples.map(
        (sample) =>
          html`<option value=${sample.id} title=${sample.description} .selected=${sample.id === current}>
            ${sample.title} · ${plural(sample.ops, 'source op')}
          </option>`,
      )}
    </select>`;
  }

  private renderDevices(): TemplateResult {
    const value = effectiveOption(this.state, 'device');
    const choices = this.state.catalog?.devices ?? [];
    const known = choices.some(({ id }) => id === value);
    return html`<select
      aria-label="Device"
      data-tip="The chip that the graph is laid out for, and its grid of cores"
      ?disabled=${choices.length === 0}
      @change=${(event: Event) =>
        this.send({ type: 'option', id: 'device', value: (event.target as HTMLSelectElement).value })}
    >
      ${choices.length === 0 ? html`<option>Device</option>` : nothing}
      ${known || choices.length === 0 ? nothing : html`<option .selected=${true}>${value} (unknown)</option>`}
      ${choices.map(
        ({ id, title, grid }) =>
          html`<option value=${id} .selected=${id === value}>${title} · ${grid[0]}×${grid[1]}</option>`,
      )}
    </select>`;
  }

  private renderPolicies(): TemplateResult {
    const { state } = this;
    return html`<tessera-policy-menu
      .policies=${state.catalog?.policies ?? []}
      .current=${String(effectiveOption(state, 'policy') ?? '')}
    ></tessera-policy-menu>`;
  }

  private renderStatus(): TemplateResult {
    const { engine, running, durationMs } = this.state;
    const text =
      engine === 'failed'
        ? 'engine not available'
        : engine === 'starting'
          ? 'starting…'
          : running
            ? 'running…'
            : durationMs === null
              ? ''
              : `ran in ${formatDuration(durationMs)}`;
    return html`<span class="status ${engine === 'failed' ? 'bad' : ''}" role="status">${text}</span> ${
        running
          ? html`<button
              class="btn icon quiet stop"
              aria-label="Stop the run"
              data-tip="Stop the run"
              @click=${() => this.ask({ type: 'stop' })}
            >
              ${icons.stop}
            </button>`
          : nothing
      }`;
  }

  private renderTheme(): TemplateResult {
    const order: Theme[] = ['system', 'light', 'dark'];
    const { theme } = this.state;
    const next = order[(order.indexOf(theme) + 1) % order.length]!;
    const drawing = { system: icons.auto, light: icons.sun, dark: icons.moon }[theme];
    return html`<button
      class="btn icon theme"
      aria-label="Theme: ${theme}. Switch to ${next}"
      data-tip="Theme: ${theme}"
      @click=${() => this.send({ type: 'theme', theme: next })}
    >
      ${drawing}
    </button>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 46px;
        padding: 6px 12px;
        background: var(--panel);
        border-bottom: 1px solid var(--line);
      }
      .brand {
        display: flex;
        align-items: center;
        gap: 8px;
        font-size: 15px;
        font-weight: 650;
        margin: 0 6px 0 0;
      }
      .b1 {
        fill: var(--block);
      }
      .b2 {
        fill: var(--height);
      }
      .b3 {
        fill: var(--interleaved);
      }
      .b4 {
        fill: var(--width);
      }
      :host > label,
      tessera-policy-menu {
        flex: 0 1 auto;
        min-width: 60px;
      }
      select {
        max-width: 240px;
        width: 100%;
        text-overflow: ellipsis;
      }
      .function {
        flex: 0 1 auto;
        width: auto;
        max-width: 180px;
      }
      .samples {
        font-weight: 550;
      }
      .space {
        flex: 1;
      }
      .lab {
        color: var(--accent);
        text-decoration: none;
        white-space: nowrap;
        padding: 4px;
      }
      .lab:hover {
        text-decoration: underline;
      }
      .status {
        flex: none;
        color: var(--dim);
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
        min-width: 84px;
        text-align: right;
      }
      .status.bad {
        color: var(--bad);
      }
      .narrow {
        display: none;
      }
      @media (max-width: 820px) {
        :host {
          flex-wrap: wrap;
          gap: 6px;
          padding: 6px 8px;
        }
        .brand {
          flex: 1;
        }
        .space {
          display: none;
        }
        .brand {
          order: -4;
        }
        .status {
          order: -3;
        }
        .stop {
          order: -3;
        }
        .btn.primary {
          order: -2;
        }
        .theme {
          order: -1;
        }
        .wide {
          display: none;
        }
        .narrow {
          display: inline;
        }
        :host > label,
        tessera-policy-menu {
          flex: 1 1 90px;
          min-width: 0;
        }
        select {
          width: 100%;
          max-width: none;
        }
      }
    `,
  ];
}

customElements.define('tessera-toolbar', TesseraToolbar);
