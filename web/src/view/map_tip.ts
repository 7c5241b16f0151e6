// What the page says about a buffer of the L1 map.

import { formatAddress, formatBytes, formatShape } from '../model/format';
import type { Run } from '../model/report';
import type { MapBox } from './map_geometry';
import { valueTitle } from './names';

export function bufferTip(run: Run, box: MapBox): string {
  const value = run.values[box.value];
  const steps = box.from === box.to ? `step ${box.from}` : `steps ${box.from} to ${box.to}`;
  const layout = value?.layout?.text ?? '';
  return [
    `${valueTitle(run, box.value)}  ${formatShape(value?.shape ?? '')} ${value?.dtype ?? ''}`,
    `${layout}, ${formatBytes(box.bytes)} per core`,
    `${formatAddress(box.address)} to ${formatAddress(box.address + box.bytes)}, alive ${steps}`,
  ].join('\n');
}
