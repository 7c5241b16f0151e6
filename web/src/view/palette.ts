// The theme's colours for canvases, read from the CSS variables of an element.

import type { LayoutKind } from '../model/layout_kind';

export interface Palette {
  readonly ink: string;
  readonly dim: string;
  readonly line: string;
  readonly panel: string;
  readonly accent: string;
  readonly bad: string;
  readonly reshard: string;
  readonly circular: string;
  readonly kinds: Readonly<Record<LayoutKind, string>>;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  return paletteOf((name) => style.getPropertyValue(name).trim() || '#888');
}

// The variables themselves: for markup, which follows the theme of the page that it stands in.
export function variablePalette(): Palette {
  return paletteOf((name) => `var(${name})`);
}

function paletteOf(color: (name: string) => string): Palette {
  return {
    ink: color('--ink'),
    dim: color('--dim'),
    line: color('--line'),
    panel: color('--panel'),
    accent: color('--accent'),
    bad: color('--bad'),
    reshard: color('--reshard'),
    circular: color('--circular'),
    kinds: {
      block: color('--block'),
      height: color('--height'),
      width: color('--width'),
      interleaved: color('--interleaved'),
      single: color('--interleaved'),
      dram: color('--dram'),
      system: color('--dram'),
      none: color('--dram'),
    },
  };
}
