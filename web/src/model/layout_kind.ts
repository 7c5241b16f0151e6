// Where a tensor lives, as one of a few kinds; each has a letter code, a name, a colour and a pattern, so that no kind
// is told by its colour alone.

import type { Layout } from './report';

export type LayoutKind = 'block' | 'height' | 'width' | 'interleaved' | 'single' | 'dram' | 'system' | 'none';

export interface KindInfo {
  readonly kind: LayoutKind;
  readonly code: string;
  readonly title: string;
  readonly explanation: string;
}

export const kKinds: readonly KindInfo[] = [
  {
    kind: 'block',
    code: 'BS',
    title: 'block sharded',
    explanation: 'In L1, cut into rows and columns of blocks, one block per core.',
  },
  {
    kind: 'height',
    code: 'HS',
    title: 'height sharded',
    explanation: 'In L1, cut into bands of rows, one band per core.',
  },
  {
    kind: 'width',
    code: 'WS',
    title: 'width sharded',
    explanation: 'In L1, cut into bands of columns, one band per core.',
  },
  {
    kind: 'interleaved',
    code: 'IL',
    title: 'L1 interleaved',
    explanation: 'In L1, its pages dealt out to all cores in turn.',
  },
  { kind: 'single', code: 'SB', title: 'L1, one bank', explanation: 'In the L1 of one core.' },
  { kind: 'dram', code: 'DR', title: 'DRAM', explanation: 'In DRAM, its pages dealt out to all banks in turn.' },
  { kind: 'system', code: 'SY', title: 'host memory', explanation: 'In the host’s memory.' },
  { kind: 'none', code: '–', title: 'no tensor', explanation: 'Not a tensor, or its place is not decided.' },
];

const kByKind = new Map(kKinds.map((info) => [info.kind, info]));

export function kindInfo(kind: LayoutKind): KindInfo {
  return kByKind.get(kind)!;
}

export function kindOf(layout: Layout | null | undefined): LayoutKind {
  if (layout === null || layout === undefined) return 'none';
  if (layout.buffer === 'dram' || layout.buffer === 'trace') return 'dram';
  if (layout.buffer === 'system_memory') return 'system';
  switch (layout.memory) {
    case 'block_sharded':
      return 'block';
    case 'height_sharded':
      return 'height';
    case 'width_sharded':
      return 'width';
    case 'single_bank':
      return 'single';
    default:
      return 'interleaved';
  }
}

export function isSharded(kind: LayoutKind): boolean {
  return kind === 'block' || kind === 'height' || kind === 'width';
}

// What badges call a place.
export function kindText(kind: LayoutKind): string {
  return kind === 'dram' ? 'DRAM' : kind === 'system' ? 'host' : kindInfo(kind).code;
}

// "BS 8×8", "IL", "DRAM": what the badge of a row says.
export function badgeText(layout: Layout | null): string {
  const kind = kindOf(layout);
  if (layout !== null && isSharded(kind)) return `${kindInfo(kind).code} ${layout.grid[0]}×${layout.grid[1]}`;
  const spread = layout === null || layout.memory === 'interleaved' || layout.memory === 'none';
  return kind === 'dram' && !spread ? 'DRAM sh.' : kindText(kind);
}
