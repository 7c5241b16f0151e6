// Makes files of a run: what the engine writes, and what the page draws.

import type { EngineClient } from '../engine/client';
import { runCsv } from '../model/table_text';
import { encodeState, kStateMark } from '../model/url';
import type { Action, AppState } from '../model/state';
import type { ExportKind } from '../view/element';
import { readPalette } from '../view/palette';
import { askedRun } from '../model/plan';
import { runTitle, sourceTitle, toShared } from './address';
import { saveFile } from './save';

export class Exporter {
  constructor(
    private readonly client: EngineClient,
    private readonly state: () => AppState,
    private readonly dispatch: (action: Action) => void,
    private readonly host: Element, // has the theme's colours
  ) {}

  async save(what: ExportKind): Promise<void> {
    const stem =
      sourceTitle(this.state())
        .replace(/\.[a-z]+$/i, '')
        .replace(/[^\w.-]+/g, '_')
        .slice(0, 80) || 'tessera';
    switch (what) {
      case 'csv': {
        const run = this.state().report?.run;
        return run == null ? undefined : saveFile(`${stem}.csv`, runCsv(run), 'text/csv');
      }
      case 'report':
        return saveFile(`${stem}.report.json`, JSON.stringify(this.state().report));
      case 'session': {
        const shared = toShared(this.state(), true);
        return saveFile(`${stem}.tessera`, `${kStateMark}${await encodeState(shared)}\n`, 'text/plain');
      }
      case 'html':
        return this.page(stem);
      case 'svg':
      case 'png':
        return this.picture(what, stem);
      default:
        return this.byEngine(what);
    }
  }

  private async picture(what: 'svg' | 'png', stem: string): Promise<void> {
    const { report } = this.state();
    if (report?.run == null || report.device === null) return;
    const { asPng, asSvg, kMostPngRows, kMostSvgRows, runPicture } = await import('../view/run_picture');
    const title = runTitle(this.state());
    const most = what === 'svg' ? kMostSvgRows : kMostPngRows;
    const picture = runPicture(report.run, report.device, title, readPalette(this.host), most);
    if (what === 'svg') return saveFile(`${stem}.svg`, asSvg(picture, title), 'image/svg+xml');
    const blob = await asPng(picture);
    if (blob !== null) saveFile(`${stem}.png`, blob);
  }

  private async page(stem: string): Promise<void> {
    const { report, answers, view } = this.state();
    if (report === null) return;
    const compared = view.main === 'compare' ? (answers.comparison.value ?? []) : [];
    const { reportPage } = await import('./report_page');
    const page = await reportPage(sourceTitle(this.state()), compared.length > 1 ? compared : [report]);
    if (page !== null) return saveFile(`${stem}.html`, page, 'text/html');
    this.dispatch({ type: 'notice', severity: 'error', text: 'The file could not be made: its template is missing.' });
  }

  private async byEngine(what: ExportKind): Promise<void> {
    const outcome = await this.client.exportFile(this.state().source.text, askedRun(this.state()), what);
    if (outcome.kind === 'superseded' || outcome.kind === 'stopped') return;
    if (outcome.kind === 'done' && outcome.value.file !== null && outcome.value.content !== null)
      return saveFile(outcome.value.file, outcome.value.content);
    const error =
      outcome.kind === 'done' ? outcome.value.diagnostics.find(({ severity }) => severity === 'error') : undefined;
    const text = `The file could not be made${error === undefined ? '' : `: ${error.message}`}.`;
    this.dispatch({ type: 'notice', severity: 'error', text });
  }
}
