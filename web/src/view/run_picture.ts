// A whole run as one picture, the schedule beside the L1 map: for files. Rows beyond a limit are left out, and it says
// so.

import { formatTime, plural } from '../model/format';
import { badgeText } from '../model/layout_kind';
import type { DeviceInfo, Run } from '../model/report';
import { drawLanes } from './lanes_draw';
import { buildLanes, lanesWidth } from './lanes_geometry';
import { drawMap } from './map_draw';
import { buildMap } from './map_geometry';
import { kindWord, rowTitle } from './names';
import type { Palette } from './palette';
import { rowsFrom, type RowOrder } from './row_order';
import { hiddenRows, kNoFold, kRowHeight, type Fold, type RowWindow } from './schedule_geometry';
import { escapeXml, SvgCanvas } from './svg_canvas';

export const kMostSvgRows = 2000;
export const kMostPngRows = 600; // canvases end at about 16,000 pixels
const kMap = 640; // CSS pixels
const kTable = 420;
const kHead = 30;
const kFont = '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';

export interface RunPicture {
  readonly width: number;
  readonly height: number;
  readonly draw: (context: CanvasRenderingContext2D) => void;
}

// `fold`: its rows are one, as where the schedule opens.
export function runPicture(
  run: Run,
  device: DeviceInfo,
  title: string,
  palette: Palette,
  most: number,
  fold: Fold = kNoFold,
): RunPicture {
  const order = rowsFrom(hiddenRows(fold, false), run.rows.length);
  const rows: RowWindow = { first: 0, end: Math.min(order.lines, most) };
  const lanes = buildLanes(run);
  const lane = Math.min(160, lanesWidth(lanes.lanes));
  const [width, height] = [kTable + lane + kMap, kHead + rows.end * kRowHeight];
  const left = order.lines - rows.end;
  const draw = (context: CanvasRenderingContext2D): void => {
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, width, height);
    const shared = { run, rows, order, selected: -1, palette };
    const head = `${title}${left > 0 ? ` (${left} more rows are left out)` : ''}`;
    drawTable(context, { run, rows, order, fold, lane, title: head, palette });
    context.save();
    context.translate(40, kHead);
    drawLanes(context, { ...shared, picture: lanes, width: lane });
    context.restore();
    context.save();
    context.translate(kTable + lane, kHead);
    const none: ReadonlySet<number> = new Set();
    drawMap(context, {
      ...shared,
      picture: buildMap(run, device, false),
      width: kMap,
      dpr: 1,
      hovered: null,
      results: none,
      operands: none,
      font: kFont,
    });
    context.restore();
  };
  return { width, height, draw };
}

interface Table {
  readonly run: Run;
  readonly rows: RowWindow;
  readonly order: RowOrder;
  readonly fold: Fold;
  readonly lane: number;
  readonly title: string;
  readonly palette: Palette;
}

function drawTable(context: CanvasRenderingContext2D, table: Table): void {
  const { run, rows, order, fold, lane, title, palette } = table;
  context.font = kFont;
  context.textBaseline = 'middle';
  context.fillStyle = palette.ink;
  context.fillText(title, 8, kHead / 2);
  for (let line = rows.first; line < rows.end; line++) {
    const at = order.rowAt(line);
    const row = run.rows[at]!;
    const folded = line === 0 && at > 0;
    const y = kHead + line * kRowHeight + kRowHeight / 2;
    const layout = run.values[row.results[0] ?? -1]?.layout ?? null;
    context.fillStyle = palette.dim;
    context.fillText(folded ? '0…' : String(at), 8, y);
    context.fillStyle = palette.ink;
    const name = folded ? plural(fold.values, 'cached weight') : `${rowTitle(run, row)} ${kindWord(row)}`;
    context.fillText(clip(name, 36), 46 + lane, y);
    context.fillText(row.results.length === 0 ? '' : badgeText(layout), 296 + lane, y);
    context.fillText(row.time.total > 0 ? formatTime(row.time.total) : '', 364 + lane, y);
  }
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

export function asSvg({ width, height, draw }: RunPicture, title: string): string {
  const canvas = new SvgCanvas();
  draw(canvas as unknown as CanvasRenderingContext2D);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">\n` +
    `<title>${escapeXml(title)}</title>\n` +
    `${canvas.toString()}\n</svg>\n`
  );
}

export function asPng({ width, height, draw }: RunPicture): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  draw(canvas.getContext('2d')!);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
