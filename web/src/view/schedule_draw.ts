// Draws the canvases of the schedule: lanes and map, of the rows that are in the DOM.

import type { Run } from '../model/report';
import { drawPart, pixelRatio } from './canvas';
import { drawLanes } from './lanes_draw';
import type { LanePicture } from './lanes_geometry';
import { drawMap } from './map_draw';
import type { MapBox, MapPicture } from './map_geometry';
import type { Palette } from './palette';
import type { RowOrder } from './row_order';
import { kRowHeight, type ColumnPlan, type RowWindow } from './schedule_geometry';

export interface ScheduleScene {
  readonly run: Run;
  readonly lanes: LanePicture;
  readonly map: MapPicture | null;
  readonly plan: ColumnPlan;
  readonly rows: RowWindow;
  readonly order: RowOrder;
  readonly selected: number;
  readonly hovered: MapBox | null;
  readonly palette: Palette;
}

// Both canvases are drawn line by line: when the schedule scrolls, only the lines that come into view.
export function drawSchedule(root: ParentNode, scene: ScheduleScene): void {
  const { run, lanes, map, plan, rows, order, selected, hovered, palette } = scene;
  const [top, height] = [rows.first * kRowHeight, (rows.end - rows.first) * kRowHeight];
  const band = (from: number, to: number): RowWindow => ({
    first: rows.first + from / kRowHeight,
    end: rows.first + to / kRowHeight,
  });
  const shared = { run, order, selected, palette };
  const about = [run, order, selected, palette, kRowHeight];
  const { lanesWidth, mapWidth } = plan;
  drawPart(root, '.lanes', { width: lanesWidth, height, top, scene: [...about, lanes] }, (context, from, to) =>
    drawLanes(context, { ...shared, rows: band(from, to), picture: lanes, width: lanesWidth }),
  );
  if (map === null) return;
  const results = new Set(run.rows[selected]?.results);
  const operands = new Set(run.rows[selected]?.operands);
  drawPart(root, '.map', { width: mapWidth, height, top, scene: [...about, map, hovered] }, (context, from, to) =>
    drawMap(context, {
      ...shared,
      ...{ rows: band(from, to), picture: map, width: mapWidth, dpr: pixelRatio(), hovered, results, operands },
      font: '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    }),
  );
}
