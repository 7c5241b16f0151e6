/// <reference types="vite/client" />
// The theme's colours: what is drawn can be told from its ground, and a colour stands for one thing.
import { expect, test } from 'vitest';

import css from '../../src/theme.css?raw';

const themes = ['light', 'dark'].map((name, at) => {
  const block = css.split(':root')[at + 1]!;
  const colors = new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1]!, match[2]!]));
  return { name, color: (id: string) => colors.get(id)! };
});

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const kPlaces = ['block', 'height', 'width', 'interleaved', 'dram'];
const kTimes = ['t-compute', 't-dram', 't-noc', 't-fixed'];
const kGrounds = ['panel', 'bg', 'soft', 'select', 'hover'];

test.each(themes)('$name: drawings and edges keep 3:1, texts 4.5:1', ({ color }) => {
  for (const ground of kGrounds) {
    for (const id of [...kPlaces, ...kTimes, 'circular', 'reshard', 'bad', 'edge'])
      expect(contrast(color(id), color(ground)), `${id} on ${ground}`).toBeGreaterThanOrEqual(3);
    for (const id of ['ink', 'dim', 'accent', 'bad', 'warn', 'good'])
      expect(contrast(color(id), color(ground)), `${id} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
});

// Distance in RGB: crude, but the colours that were taken for each other were less than 20 apart.
test.each(themes)('$name: parts of time, places and circular buffers have colours of their own', ({ color }) => {
  const ids = [...kPlaces, ...kTimes.slice(0, 3), 'circular'];
  const rgb = (id: string): number[] => [1, 3, 5].map((at) => parseInt(color(id).slice(at, at + 2), 16));
  for (const [at, a] of ids.entries())
    for (const b of ids.slice(at + 1)) {
      const apart = Math.hypot(...rgb(a).map((part, axis) => part - rgb(b)[axis]!));
      expect(apart, `${a} and ${b}`).toBeGreaterThan(45);
    }
});
