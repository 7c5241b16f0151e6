// What can be taken away from a run: pictures, tables, files for other programs, and the state of the page.

import { css, html, type TemplateResult } from 'lit';

import { effectivePolicy, type AppState } from '../model/state';
import { hasTrait } from '../model/traits';
import { sharedStyles, type ExportKind } from '../view/element';
import { menuStyles, Popover, popoverStyles } from '../view/popover';

interface Export {
  readonly what: ExportKind | 'link';
  readonly title: string;
  readonly help: string;
  readonly applies?: (state: AppState) => boolean;
}

const kExports: readonly Export[] = [
  { what: 'link', title: 'Copy link', help: 'The address, which holds the graph and all settings' },
  { what: 'session', title: 'State of the page', help: 'One file with the graph, however large: drop it here again' },
  { what: 'svg', title: 'Picture, SVG', help: 'Schedule and L1 map as drawings' },
  { what: 'png', title: 'Picture, PNG', help: 'The same as pixels' },
  { what: 'csv', title: 'Table, CSV', help: 'A line per step with place, time and bytes' },
  { what: 'html', title: 'Report, one file', help: 'Opens from disk: this run, or all that are compared' },
  { what: 'report', title: 'Report, JSON', help: 'Everything that the page shows' },
  { what: 'mlir', title: 'MLIR', help: 'The graph with layouts and inserted moves' },
  { what: 'plan', title: 'Plan', help: 'Layouts, order and moves, to be changed and carried out again' },
  { what: 'overrides', title: 'Override string', help: 'The layouts in the compiler’s own notation' },
  { what: 'trace-events', title: 'Trace events', help: 'Steps, memory and what bounds each op, for Perfetto' },
  {
    what: 'decision-trace',
    title: 'Decision trace',
    help: 'What the passes considered, as the compiler writes it',
    applies: (state) => hasTrait(state.catalog, effectivePolicy(state), 'beam-trace'),
  },
  { what: 'model-explorer', title: 'Model Explorer graph', help: 'With time, place and moves over it' },
];

export class TesseraExportMenu extends Popover {
  static override properties = { state: { attribute: false } };
  declare state: AppState;

  protected override render(): TemplateResult {
    const shown = kExports.filter(({ applies }) => applies === undefined || applies(this.state));
    const disabled = this.state.report?.run == null;
    return this.renderMenu(
      { title: 'Export', label: 'Export', tip: 'Pictures, tables and files of this run', disabled },
      () => shown.map((one) => this.renderExport(one)),
    );
  }

  private renderExport({ what, title, help }: Export): TemplateResult {
    return html`<button class="one" data-export=${what} @click=${() => this.take(what)}>
      <b>${title}</b><small>${help}</small>
    </button>`;
  }

  private take(what: ExportKind | 'link'): void {
    this.close();
    this.ask(what === 'link' ? { type: 'copy-link' } : { type: 'export', what });
  }

  static override styles = [
    sharedStyles,
    popoverStyles,
    menuStyles,
    css`
      .sheet {
        left: auto;
        right: 0;
        width: 340px;
        padding: 6px;
      }
      @media (max-width: 820px) {
        .sheet {
          left: 8px;
          right: 8px;
          width: auto;
        }
      }
    `,
  ];
}

customElements.define('tessera-export-menu', TesseraExportMenu);
