// Which cores hold the shards of a tensor. The geometry is pure; the picture is an SVG.

import { html, svg, type TemplateResult } from 'lit';

import { formatBytes, plural } from '../model/format';
import { isSharded, kindOf } from '../model/layout_kind';
import type { DeviceInfo, Layout } from '../model/report';

export interface CoreUse {
  readonly rows: number;
  readonly cols: number;
  readonly used: readonly boolean[]; // row by row
  readonly count: number;
}

// A block-sharded grid lies on the cores as it is; height and width sharding deal their bands out row by row.
export function coresOf(layout: Layout, deviceGrid: readonly [number, number]): CoreUse {
  const [rows, cols] = deviceGrid;
  const used = new Array<boolean>(rows * cols).fill(false);
  const kind = kindOf(layout);
  const [gridRows, gridCols] = layout.grid;
  if (layout.buffer !== 'l1' && layout.buffer !== 'l1_small') return { rows, cols, used, count: 0 };
  if (kind === 'interleaved') used.fill(true);
  else if (kind === 'single') used[0] = true;
  else if (kind === 'block' && gridRows <= rows && gridCols <= cols) {
    for (let y = 0; y < gridRows; y++) for (let x = 0; x < gridCols; x++) used[y * cols + x] = true;
  } else used.fill(true, 0, Math.min(rows * cols, gridRows * gridCols));
  return { rows, cols, used, count: used.filter(Boolean).length };
}

const kCell = 18;
const kGap = 3;

export function coreGridView(layout: Layout, device: DeviceInfo): TemplateResult {
  const cores = coresOf(layout, device.grid);
  const kind = kindOf(layout);
  const width = cores.cols * (kCell + kGap) - kGap;
  const height = cores.rows * (kCell + kGap) - kGap;
  const what = isSharded(kind)
    ? `one shard of ${layout.shard[0]}×${layout.shard[1]} ${layout.page === 'tile' ? 'tiles' : 'elements'} on each`
    : 'pages dealt out in turn';
  const caption =
    `${cores.count} of ${plural(cores.rows * cores.cols, 'core')}, ${what}, ` +
    `${formatBytes(layout.bytesPerCore)} per core`;
  return html`<svg class="cores k-${kind}" viewBox="0 0 ${width} ${height}" role="img" aria-label=${caption}>
      ${cores.used.map((used, at) => {
        const x = (at % cores.cols) * (kCell + kGap);
        const y = Math.floor(at / cores.cols) * (kCell + kGap);
        return svg`<rect class=${used ? 'on' : 'off'} x=${x + 0.5}
            y=${y + 0.5} width=${kCell - 1} height=${kCell - 1} rx="3"/>`;
      })}
    </svg>
    <p class="caption">${caption}</p>`;
}
