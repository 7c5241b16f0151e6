// Files of a run that need no engine, and the link that opens it in the whole page.

import type { Options } from '../model/option_values';
import type { Report } from '../model/report';
import { runCsv } from '../model/table_text';
import { encodeState } from '../model/url';
import { readPalette } from '../view/palette';
import { asSvg, kMostSvgRows, runPicture } from '../view/run_picture';
import type { ExportedText } from './api';
import { rowOf } from './playground_state';

// Null when the engine writes it.
export function drawn(what: string, report: Report, title: string, host: Element): ExportedText | null {
  const stem = title.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'tessera';
  if (what === 'report') return { name: `${stem}.report.json`, content: JSON.stringify(report) };
  if (report.run === null) return null;
  if (what === 'csv') return { name: `${stem}.csv`, content: runCsv(report.run) };
  if (what !== 'svg' || report.device === null) return null;
  const picture = runPicture(report.run, report.device, title, readPalette(host), kMostSvgRows);
  return { name: `${stem}.svg`, content: asSvg(picture, title) };
}

export async function linkTo(
  page: string,
  text: string,
  options: Options,
  report: Report,
  select: string,
): Promise<string> {
  const row = report.run === null ? -1 : rowOf(report.run, select);
  const found = report.run?.rows[row];
  const state = await encodeState({
    source: { kind: 'text', text, name: report.input.name },
    options,
    selected: found === undefined ? null : { name: found.name, label: found.label, row },
    view: {},
    compareRuns: null,
    plan: null,
    policyCode: null,
  });
  return `${new URL(page, document.baseURI).href}#${state}`;
}
