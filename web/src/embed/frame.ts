// The page inside a frame: one element, read-only unless it is asked otherwise, that talks to its parent.
//
// The address says what to show: report, src, policy, device, view, select, step, compare, hide, theme, name, and
// `controls` for what changes the run. `allow` lists the origins that may talk to it; a list in the file's own
// <meta name="tessera-allow"> counts instead. Without either only a page of the same origin may.

import { defineElement } from './define';
import type { TesseraPlayground } from './playground';
import { kProtocol, readMessage, readOrigins, type FromFrame } from './frame_protocol';

const kTexts = [
  ...(['report', 'src', 'policy', 'device', 'view', 'select', 'compare', 'theme', 'name'] as const),
] as const;

const asked = new URLSearchParams(location.search);
const fixed = document.querySelector<HTMLMetaElement>('meta[name="tessera-allow"]')?.content ?? '';
const listed = readOrigins(fixed === '' ? (asked.get('allow') ?? '') : fixed);
const allowed = new Set(listed.length === 0 ? [location.origin] : listed);

defineElement(import.meta.url);
const element = document.createElement('tessera-playground') as TesseraPlayground;
for (const name of kTexts) {
  const value = asked.get(name);
  if (value !== null) element.setAttribute(name, sameOrigin(name, value));
}
if (asked.has('step')) element.setAttribute('step', String(Number(asked.get('step')) || -1));
element.setAttribute('height', 'auto');
element.setAttribute('hide', [asked.get('hide') ?? '', asked.has('controls') ? '' : 'controls'].join(' ').trim());

// Files are taken from the frame's own host alone.
function sameOrigin(name: string, value: string): string {
  if (name !== 'report' && name !== 'src') return value;
  const { origin, href } = new URL(value, document.baseURI);
  return origin === location.origin ? href : '';
}

let parentOrigin = firstOrigin();

// The parent's, where the browser tells it; it must be on the list.
function firstOrigin(): string {
  const told = (location as { ancestorOrigins?: DOMStringList }).ancestorOrigins?.[0] ?? originOf(document.referrer);
  return allowed.has(told) ? told : '';
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}

function post(message: FromFrame): void {
  if (parent !== window && parentOrigin !== '') parent.postMessage({ tessera: kProtocol, ...message }, parentOrigin);
}

window.addEventListener('message', ({ data, origin, source }: MessageEvent) => {
  if (source !== parent || !allowed.has(origin)) return;
  const message = readMessage(data);
  if (message === null) return;
  parentOrigin = origin;
  if (message.type === 'ping') return post({ type: 'pong', id: message.id, version: kProtocol });
  if (message.type === 'set-state') Object.assign(element, { state: message.state });
  post({ type: 'state', id: message.id, state: element.state });
});

let lastState = '';
function tellState(): void {
  const { state } = element;
  const text = JSON.stringify(state);
  if (text !== lastState) post({ type: 'state-changed', state });
  lastState = text;
}

element.addEventListener('tessera-ready', () => post({ type: 'ready' }));
for (const name of ['tessera-run', 'tessera-select', 'tessera-look']) element.addEventListener(name, tellState);
element.addEventListener('tessera-error', ({ detail }) => post({ type: 'error', message: detail.message }));

let lastHeight = 0;
new ResizeObserver(() => {
  const height = Math.ceil(element.getBoundingClientRect().height);
  if (height !== lastHeight) post({ type: 'height-changed', height });
  lastHeight = height;
}).observe(element);

document.querySelector('main')!.append(element);
