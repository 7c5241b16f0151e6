// What lies under the pointer in the schedule. Pure.

import type { Run } from '../model/report';
import { boxAt, circularAt, type MapBox, type MapPicture } from './map_geometry';
import { bufferTip, circularTip, stepTip } from './map_tip';
import type { RowOrder } from './row_order';
import { kRowHeight, type ColumnPlan } from './schedule_geometry';

export interface UnderPointer {
  readonly row: number;
  readonly box: MapBox | null; // of the map
  readonly tip: string; // what there is to say about it
}

interface Picture {
  readonly run: Run | null;
  readonly map: MapPicture | null;
  readonly plan: ColumnPlan | null;
  readonly order: RowOrder;
}

// `x`, `y`: CSS pixels from the upper left corner of the rows.
export function underPointer({ run, map, plan, order }: Picture, x: number, y: number): UnderPointer {
  const row = order.rowAt(Math.floor(y / kRowHeight));
  const across = x - (plan?.mapLeft ?? 0);
  const step = run?.rows[row];
  if (run === null || plan === null || map === null || plan.mapWidth <= 0 || across < 0 || step === undefined)
    return { row, box: null, tip: '' };
  const box = boxAt(map, row, across, plan.mapWidth);
  if (box !== null) return { row, box, tip: bufferTip(run, box) };
  const circular = circularAt(run, map, row, across, plan.mapWidth);
  return { row, box: null, tip: circular === null ? stepTip(run, map, row) : circularTip(run, row, circular) };
}
