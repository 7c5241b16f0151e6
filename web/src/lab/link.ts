// The lab's state in the address: "lab1:" and base64url(JSON). A link holds what differs from the default; nothing in
// it is trusted.

import { fromBase64Url, toBase64Url } from '../model/url';
import { kDefaultFields } from './model';
import type { MemoryKind } from '../model/generated/common';
import type { LabFields } from '../model/generated/layout';

export interface LabLink {
  readonly fields: LabFields;
  readonly cursor: readonly number[];
}
export type DecodedLab =
  | { readonly kind: 'none' }
  | { readonly kind: 'state'; readonly link: LabLink }
  | { readonly kind: 'problem'; readonly text: string };

const kPrefix = 'lab1:';
const kMaxFragment = 64 * 1024;
const kMaxRank = 64;

export function encodeLab({ fields, cursor }: LabLink): string {
  const wire: Record<string, unknown> = { cursor };
  for (const key of Object.keys(kDefaultFields) as (keyof LabFields)[]) {
    if (JSON.stringify(fields[key]) !== JSON.stringify(kDefaultFields[key])) wire[key] = fields[key];
  }
  return kPrefix + toBase64Url(new TextEncoder().encode(JSON.stringify(wire)));
}

export function decodeLab(fragment: string): DecodedLab {
  const text = fragment.startsWith('#') ? fragment.slice(1) : fragment;
  if (text === '') return { kind: 'none' };
  const version = /^lab(\d{1,6}):/.exec(text);
  if (version === null) return problem('This link is not one of the layout lab’s.');
  if (version[1] !== '1')
    return problem(`This link was made by a newer layout lab (format ${version[1]}; this page reads format 1).`);
  const bytes = text.length > kMaxFragment ? null : fromBase64Url(text.slice(kPrefix.length));
  if (bytes === null) return problem('This link is damaged: it has characters, or a length, that no link has.');
  try {
    const wire: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return problem('This link holds no layout.');
    return { kind: 'state', link: readWire(wire as Record<string, unknown>) };
  } catch {
    return problem('This link is damaged: its end is probably missing.');
  }
}

function problem(text: string): DecodedLab {
  return { kind: 'problem', text };
}

// Fields of the wrong kind fall back to the default; what the values mean is checked by the engine.
function readWire(wire: Record<string, unknown>): LabLink {
  const d = kDefaultFields;
  const word = (value: unknown, otherwise: string): string =>
    typeof value === 'string' && value.length <= 4000 ? value : otherwise;
  const numbers = (value: unknown, otherwise: readonly number[]): readonly number[] =>
    isNumbers(value) ? value : otherwise;
  const pairs = wire['collapse'];
  const tile = numbers(wire['tile'], d.tile);
  const deviceDims = wire['deviceDims'];
  return {
    cursor: numbers(wire['cursor'], []),
    fields: {
      view: wire['view'] === 'ttnn' ? 'ttnn' : 'metal',
      device: word(wire['device'], d.device),
      shape: numbers(wire['shape'], d.shape),
      dtype: word(wire['dtype'], d.dtype),
      grid: numbers(wire['grid'], d.grid),
      collapse:
        Array.isArray(pairs) && pairs.length <= kMaxRank && pairs.every((pair) => isNumbers(pair) && pair.length === 2)
          ? (pairs as [number, number][])
          : d.collapse,
      strides: numbers(wire['strides'], d.strides),
      map: word(wire['map'], d.map),
      tiled: typeof wire['tiled'] === 'boolean' ? wire['tiled'] : d.tiled,
      tile: tile.length === 2 ? (tile as [number, number]) : d.tile,
      oob: word(wire['oob'], d.oob),
      buffer: word(wire['buffer'], d.buffer),
      memory: word(wire['memory'], d.memory) as MemoryKind, // the engine refuses other words
      deviceDims: typeof deviceDims === 'number' && Number.isSafeInteger(deviceDims) ? deviceDims : d.deviceDims,
    },
  };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= kMaxRank && value.every((number) => Number.isSafeInteger(number));
}
