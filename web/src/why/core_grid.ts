// Which cores hold the shards of a tensor, and how much lies in the L1 of each at a step. The geometry is pure; the
// pictures are SVG.

import { html, svg, type TemplateResult } from 'lit';

import { formatBytes, plural } from '../model/format';
import { isSharded, kindOf } from '../model/layout_kind';
import type { DeviceInfo, Layout, Row, Run } from '../model/report';
import type { MapBox } from '../view/map_geometry';

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

export interface CoreBytes {
  readonly tensors: readonly number[]; // bytes, row by row of the grid
  readonly circular: readonly number[];
}

// What lies in each core's L1 while `row` runs: `boxes` are the buffers alive then. A buffer takes room on the cores
// that its tensor is spread over; those of an op's own (a halo) and circular buffers are on the cores that compute.
// What the op frees before its result is allocated never lies beside it.
export function bytesPerCore(run: Run, row: Row, boxes: readonly MapBox[], device: DeviceInfo): CoreBytes {
  const count = device.grid[0] * device.grid[1];
  const tensors = new Array<number>(count).fill(0);
  const computing = Math.min(count, row.cores > 0 ? row.cores : count);
  for (const box of boxes) {
    if (box.value >= 0 && [box.value, ...box.sharedBy].includes(row.freedOperand)) continue;
    const layout = run.values[box.value]?.layout ?? null;
    const cores = layout === null ? null : coresOf(layout, device.grid);
    for (let core = 0; core < count; core++)
      if (cores === null || cores.count === 0 ? core < computing : cores.used[core]) tensors[core]! += box.bytes;
  }
  const circular = tensors.map((_, core) => (core < computing ? row.l1.circularBuffers : 0));
  return { tensors, circular };
}

const kDigits = 7.4; // CSS pixels high: a figure of four digits fits a cell

// The cores with what lies in each: filled from below as far as the budget is used.
export function coreBytesView(bytes: CoreBytes, budget: number, device: DeviceInfo, what: string): TemplateResult {
  const [rows, cols] = device.grid;
  const cell = kCell + 6;
  const totals = bytes.tensors.map((tensors, core) => tensors + bytes.circular[core]!);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const caption =
    least === most
      ? `${formatBytes(most)} on each of ${plural(rows * cols, 'core')}`
      : `${formatBytes(least)} to ${formatBytes(most)} per core of ${rows}×${cols}`;
  const width = cols * (cell + kGap) - kGap;
  const height = rows * (cell + kGap) - kGap;
  const share = (part: number): number => Math.min(1, part / Math.max(1, budget)) * (cell - 2);
  return html`<svg
      class="cores bytes"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${what}: ${caption}, budget ${formatBytes(budget)}"
    >
      ${totals.map((total, core) => {
        const x = (core % cols) * (cell + kGap);
        const y = Math.floor(core / cols) * (cell + kGap);
        const text = { x: x + cell / 2, y: y + cell / 2 + kDigits / 2 - 1, kb: Math.round(total / 1024) };
        const tensors = share(bytes.tensors[core]!);
        const circular = Math.min(cell - 2 - tensors, share(bytes.circular[core]!));
        const tip =
          `Core ${Math.floor(core / cols)}, ${core % cols}: tensors ${formatBytes(bytes.tensors[core]!)}, ` +
          `circular buffers ${formatBytes(bytes.circular[core]!)}`;
        return svg`<g data-tip=${tip}><rect class="off" x=${x + 0.5} y=${y + 0.5}
            width=${cell - 1} height=${cell - 1} rx="3"/>
          <rect class="tensors" x=${x + 1} y=${y + cell - 1 - tensors} width=${cell - 2} height=${tensors}/>
          <rect class="cb" x=${x + 1} y=${y + cell - 1 - tensors - circular} width=${cell - 2} height=${circular}/>
          <text x=${text.x} y=${text.y} font-size=${kDigits}>${text.kb}</text>
        </g>`;
      })}
    </svg>
    <p class="caption">${caption}, in KB; budget ${formatBytes(budget)}</p>`;
}
