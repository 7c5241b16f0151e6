// State <-> the part of the address after '#': "v1:" and base64url(deflate(JSON)). Nothing in a link is trusted: every
// field is checked, sizes are capped, unknown fields are ignored.

import { asPlan, type PlanInUse } from './plan';
import { kMostCode } from './policy_lab';
import type { RowKey } from './rows';
import type { Tab, ViewSettings } from './state';
import type { OptionValue, Options } from './option_values';

export interface SharedState {
  readonly source:
    | { readonly kind: 'sample'; readonly id: string }
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'text'; readonly text: string; readonly name: string } // of its file; ''
    // The graph did not fit into a link; kept: its number in this browser.
    | { readonly kind: 'too-large'; readonly kept?: string }
    | { readonly kind: 'none' };
  readonly options: Options;
  readonly selected: RowKey | null;
  readonly view: Partial<ViewSettings>;
  readonly compareRuns: readonly Options[] | null;
  readonly plan: PlanInUse | null;
  readonly policyCode: string | null; // of the policy lab
}

export type Decoded =
  | { readonly kind: 'none' }
  | { readonly kind: 'state'; readonly state: SharedState }
  | { readonly kind: 'problem'; readonly text: string };

export const kLinkWarningLength = 8 * 1024; // some mail and chat programs cut longer addresses
export const kMaxLinkText = 4 * 1024 * 1024; // characters of source; beyond it a link holds the settings alone
export const kMaxDecodedBytes = 64 * 1024 * 1024;
export const kStateMark = 'tessera-state '; // before the same in a file, which may be of any size
const kPrefix = 'v1:';
const kStepsView = 'steps'; // of links made when the steps were a view: they are under the schedule now
const kMaxOptions = 200;
const kMaxRuns = 12;
const kMaxFilters = 40;
const kMaxString = 2000;

// Keys are short because they stand in every link; the JSON never holds null or defaults.
interface Wire {
  s?: string; // sample id
  u?: string; // address of the source
  t?: string; // source text
  n?: string; // name of its file
  x?: 1; // the text was too large
  i?: string; // where it is kept
  o?: Record<string, OptionValue>;
  r?: [string, string, number]; // selected row: name, label, row
  // source pane, why pane, split, tab, all of L1, planned addresses, regrets, map of DRAM, column of DRAM, filters,
  // main view, step
  v?: {
    p?: 0 | 1;
    y?: 0 | 1;
    w?: number;
    t?: Tab;
    a?: 1;
    g?: 1;
    h?: 1;
    d?: 1;
    b?: 1;
    f?: string[];
    m?: string;
    e?: number;
  };
  c?: Record<string, OptionValue>[]; // compared runs
  p?: unknown; // plan
  k?: string; // code of a policy
}

export async function encodeState(state: SharedState): Promise<string> {
  const bytes = new TextEncoder().encode(stateText(state));
  return kPrefix + toBase64Url(await pipe(bytes, new CompressionStream('deflate-raw'), Infinity));
}

// The same as text, at once.
export function stateText(state: SharedState): string {
  return JSON.stringify(toWire(state));
}

// Of such a text; null when it is none.
export function readState(text: string): SharedState | null {
  try {
    return fromWire(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function decodeFragment(fragment: string): Promise<Decoded> {
  const text = fragment.startsWith('#') ? fragment.slice(1) : fragment;
  if (text === '') return { kind: 'none' };
  const version = /^v(\d{1,6}):/.exec(text);
  if (version === null) return problem('This link is not one of Tessera’s, or its beginning is missing.');
  if (version[1] !== '1') {
    return problem(
      `This link was made by a newer version of Tessera (format ${version[1]}; this page reads format 1).`,
    );
  }
  const bytes = fromBase64Url(text.slice(kPrefix.length));
  if (bytes === null) return problem('This link has characters that no link has; it was probably changed on its way.');
  let json: unknown;
  try {
    const plain = await pipe(bytes, new DecompressionStream('deflate-raw'), kMaxDecodedBytes);
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain));
  } catch {
    return problem('This link is damaged: its end is probably missing.');
  }
  const state = fromWire(json);
  return state === null
    ? problem('This link can be unpacked, but what it holds is no state of this page.')
    : { kind: 'state', state };
}

function problem(text: string): Decoded {
  return { kind: 'problem', text };
}

function toWire(state: SharedState): Wire {
  const wire: Wire = {};
  if (state.source.kind === 'sample') wire.s = state.source.id;
  if (state.source.kind === 'url') wire.u = state.source.url;
  if (state.source.kind === 'text') wire.t = state.source.text;
  if (state.source.kind === 'text' && state.source.name !== '') wire.n = state.source.name;
  if (state.source.kind === 'too-large') wire.x = 1;
  if (state.source.kind === 'too-large' && state.source.kept !== undefined) wire.i = state.source.kept;
  if (Object.keys(state.options).length > 0) wire.o = { ...state.options };
  if (state.selected !== null) wire.r = [state.selected.name, state.selected.label, state.selected.row];
  const view: NonNullable<Wire['v']> = {};
  if (state.view.sourceOpen === true) view.p = 1;
  if (typeof state.view.whyOpen === 'boolean') view.y = state.view.whyOpen ? 1 : 0;
  if (typeof state.view.split === 'number') view.w = Math.round(state.view.split * 1000) / 1000;
  if (state.view.tab !== undefined && state.view.tab !== 'schedule') view.t = state.view.tab;
  if (state.view.whole === true) view.a = 1;
  if (state.view.planned === true) view.g = 1;
  if (state.view.regret === true) view.h = 1;
  if (state.view.memory === 'dram') view.d = 1;
  if (state.view.dram === true) view.b = 1;
  if (state.view.filters !== undefined && state.view.filters.length > 0) view.f = [...state.view.filters];
  if (state.view.main !== undefined && state.view.main !== 'schedule') view.m = state.view.main;
  if (typeof state.view.step === 'number') view.e = state.view.step;
  if (Object.keys(view).length > 0) wire.v = view;
  if (state.compareRuns !== null) wire.c = state.compareRuns.map((run) => ({ ...run }));
  if (state.plan !== null) wire.p = state.plan.plan;
  if (state.policyCode !== null) wire.k = state.policyCode;
  return wire;
}

function fromWire(value: unknown): SharedState | null {
  if (!isRecord(value)) return null;
  return {
    source: readSource(value),
    options: readOptions(value['o']),
    selected: readKey(value['r']),
    view: readView(value['v']),
    compareRuns: readRuns(value['c']),
    plan: asPlan(value['p']),
    policyCode: readCode(value['k']),
  };
}

function readSource(wire: Record<string, unknown>): SharedState['source'] {
  if (isShortString(wire['s'])) return { kind: 'sample', id: wire['s'] };
  if (isShortString(wire['u'])) return { kind: 'url', url: wire['u'] };
  const name = isShortString(wire['n']) ? wire['n'] : '';
  if (typeof wire['t'] === 'string') return { kind: 'text', text: wire['t'], name };
  if (wire['x'] !== 1) return { kind: 'none' };
  return isShortString(wire['i']) ? { kind: 'too-large', kept: wire['i'] } : { kind: 'too-large' };
}

function readOptions(value: unknown): Options {
  if (!isRecord(value)) return {};
  const options: Record<string, OptionValue> = {};
  for (const [id, option] of Object.entries(value).slice(0, kMaxOptions)) {
    if (typeof option === 'boolean' || isShortString(option) || isFinite_(option)) options[id] = option;
  }
  return options;
}

function readRuns(value: unknown): readonly Options[] | null {
  return Array.isArray(value) && value.length > 0 ? value.slice(0, kMaxRuns).map(readOptions) : null;
}

function readCode(value: unknown): string | null {
  return typeof value === 'string' && value.length <= kMostCode ? value : null;
}

function readKey(value: unknown): RowKey | null {
  if (!Array.isArray(value)) return null;
  const [name, label, row] = value as unknown[];
  return isShortString(name) && isShortString(label) && isFinite_(row) ? { name, label, row: Math.trunc(row) } : null;
}

function readView(value: unknown): Partial<ViewSettings> {
  if (!isRecord(value)) return {};
  const { p, y, w, t, a, g, h, d, b, f, m, e } = value;
  const step = isFinite_(e) ? Math.max(-1, Math.trunc(e)) : m === kStepsView ? -1 : null;
  return {
    ...(p === 0 || p === 1 ? { sourceOpen: p === 1 } : {}),
    ...(y === 0 || y === 1 ? { whyOpen: y === 1 } : {}),
    ...(isFinite_(w) ? { split: Math.min(0.9, Math.max(0.1, w)) } : {}),
    ...(t === 'map' || t === 'why' || t === 'source' ? { tab: t } : {}),
    ...(a === 1 ? { whole: true } : {}),
    ...(g === 1 ? { planned: true } : {}),
    ...(h === 1 ? { regret: true } : {}),
    ...(d === 1 ? { memory: 'dram' } : {}),
    ...(b === 1 ? { dram: true } : {}),
    ...(Array.isArray(f) ? { filters: f.slice(0, kMaxFilters).filter(isShortString) } : {}),
    ...(isShortString(m) && m !== kStepsView ? { main: m } : {}),
    ...(step === null ? {} : { step }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isShortString(value: unknown): value is string {
  return typeof value === 'string' && value.length <= kMaxString;
}
function isFinite_(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

// Throws when the stream is damaged or gives more than `limit` bytes (a few bytes can unpack to gigabytes).
async function pipe(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new Error('too long');
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// New browsers have it.
interface Base64Bytes extends Uint8Array {
  toBase64?(how: { readonly alphabet: 'base64url'; readonly omitPadding: true }): string;
}

export function toBase64Url(bytes: Base64Bytes): string {
  if (bytes.toBase64 !== undefined) return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
  let binary = '';
  const step = 0x8000; // arguments of one call are limited
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return null; // a length that no base64 text has
  }
}
