// What the parts of time look like: each has a colour of its own and a pattern, so that none is told by colour alone.

import { html, svg, css, type TemplateResult } from 'lit';

import { kTimeParts, type TimePart } from './time_geometry';

const kFills: Readonly<Record<TimePart, string>> = {
  compute: 'var(--t-compute)',
  dram: 'url(#time-dram)',
  noc: 'url(#time-noc)',
  fixed: 'transparent',
};

// Of an SVG shape whose root has `timePatterns` in the same tree.
export function timeFill(part: TimePart): string {
  return kFills[part];
}

export function timePatterns(): TemplateResult {
  return html`<svg class="timepatterns" width="0" height="0" aria-hidden="true">
    <defs>
      <pattern id="time-dram" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="skewX(-35)">
        <rect class="p-dram weak" width="4" height="4" />
        <rect class="p-dram" width="2.4" height="4" />
      </pattern>
      <pattern id="time-noc" width="4" height="4" patternUnits="userSpaceOnUse">
        <rect class="p-noc weak" width="4" height="4" />
        <rect class="p-noc" width="4" height="2.2" />
      </pattern>
    </defs>
  </svg>`;
}

export function timeSwatch(part: TimePart): TemplateResult {
  return html`<svg class="swatch" width="14" height="10" aria-hidden="true">
    ${svg`<rect class="t-${part}" fill=${timeFill(part)} x=".5" y=".5" width="13" height="9"/>`}
  </svg>`;
}

export function timeTitle(part: TimePart): string {
  return kTimeParts.find((info) => info.part === part)!.title;
}

export const timeStyles = css`
  .timepatterns {
    position: absolute;
  }
  .p-dram {
    fill: var(--t-dram);
  }
  .p-noc {
    fill: var(--t-noc);
  }
  .weak {
    fill-opacity: 0.35;
  }
  .t-compute,
  .t-dram,
  .t-noc,
  .t-fixed {
    stroke-width: 1;
    vector-effect: non-scaling-stroke;
  }
  .t-compute {
    stroke: var(--t-compute);
  }
  .t-dram {
    stroke: var(--t-dram);
  }
  .t-noc {
    stroke: var(--t-noc);
  }
  .t-fixed {
    stroke: var(--t-fixed);
  }
`;
