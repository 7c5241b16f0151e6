// The schedule as markup that stands in the page from the start: made when the page is built, from the report that the
// engine gave (scripts/first_picture.mjs). Its rows lie where the page's own will be.

import { formatTime } from '../model/format';
import { readReport, type WireReport } from '../model/wire';
import { variablePalette } from '../view/palette';
import { asSvg, runPicture } from '../view/run_picture';
import { foldOf } from '../view/schedule_geometry';
import { escapeXml } from '../view/svg_canvas';

const kMostRows = 45; // as a high screen shows

// `name`: of the graph.
export function firstPicture(json: string, name: string): string {
  const { run, device, policy } = readReport(JSON.parse(json) as WireReport);
  if (run === null || device === null) throw new Error(`${name} has no run`);
  const title = [name, policy?.title ?? '', device.title].join(' · ');
  const fold = foldOf(run.rows);
  const picture = asSvg(runPicture(run, device, title, variablePalette(), kMostRows, fold), title);
  const about = `${escapeXml(title)} · ${formatTime(run.totals.time)}`;
  return `<p class="first-head"><b>Tessera</b> ${about}</p><div class="first" slot="first">${picture}</div>`;
}
