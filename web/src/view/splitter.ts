// The line between table and map: dragged, or moved with the arrow keys; a double click puts it back.

import { html, type TemplateResult } from 'lit';

import { cssProps } from './element';
import { clampSplit } from './schedule_geometry';

export interface Splitter {
  readonly left: number; // CSS pixels
  readonly width: number; // of the whole
  readonly share: number; // of the table
  readonly set: (share: number | null) => void; // null: the usual one
}

export function splitter(at: Splitter): TemplateResult {
  return html`<div
    class="splitter"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label="Width of the table"
    aria-valuenow=${Math.round((at.left / Math.max(1, at.width)) * 100)}
    aria-valuemin="20"
    aria-valuemax="90"
    ${cssProps({ left: `${at.left - 4}px` })}
    @pointerdown=${(event: PointerEvent) => drag(at, event)}
    @keydown=${(event: KeyboardEvent) => move(at, event)}
    @dblclick=${() => at.set(null)}
  ></div>`;
}

function drag({ left, width, set }: Splitter, event: PointerEvent): void {
  const handle = event.currentTarget as HTMLElement;
  handle.setPointerCapture(event.pointerId);
  const origin = event.clientX - left;
  const follow = (next: PointerEvent): void => set(clampSplit((next.clientX - origin) / Math.max(1, width), width));
  const end = (): void => handle.removeEventListener('pointermove', follow);
  handle.addEventListener('pointermove', follow);
  handle.addEventListener('lostpointercapture', end, { once: true });
}

function move({ width, share, set }: Splitter, event: KeyboardEvent): void {
  const step = event.key === 'ArrowLeft' ? -0.02 : event.key === 'ArrowRight' ? 0.02 : 0;
  if (step === 0) return;
  event.preventDefault();
  set(clampSplit(share + step, width));
}
