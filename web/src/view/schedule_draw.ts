// Draws the canvases of the schedule: lanes and map, of the rows that are in the DOM.

import type { Run } from '../model/report';
import { pixelRatio, readyCanvas } from './canvas';
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

export function drawSchedule(root: ParentNode, scene: ScheduleScene): void {
  const { run, lanes, map, plan, rows, order, selected, hovered, palette } = scene;
  const height = (rows.end - rows.first) * kRowHeight;
  const shared = { run, rows, order, selected, palette };
  const lanesContext = readyCanvas(root, '.lanes', plan.lanesWidth, height);
  if (lanesContext !== null) drawLanes(lanesContext, { ...shared, picture: lanes, width: plan.lanesWidth });
  const mapContext = readyCanvas(root, '.map', plan.mapWidth, height);
  if (mapContext === null || map === null) return;
  drawMap(mapContext, {
    ...shared,
    picture: map,
    width: plan.mapWidth,
    dpr: pixelRatio(),
    hovered,
    results: new Set(run.rows[selected]?.results),
    operands: new Set(run.rows[selected]?.operands),
    font: '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  });
}
