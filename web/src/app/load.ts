// Getting texts: samples, files, addresses. Each answers with a text or with a sentence for the user.

import { formatBytes } from '../model/format';
import type { Report } from '../model/report';
import { readReport, type WireReport } from '../model/wire';
import { shownName } from '../view/names';
import type { SampleInfo } from '../model/state';

export const kMaxTextBytes = 64 * 1024 * 1024;

export type Loaded<T> =
  { readonly kind: 'ok'; readonly value: T } | { readonly kind: 'problem'; readonly text: string };

function problem<T>(text: string): Loaded<T> {
  return { kind: 'problem', text };
}

export function tooLarge(what: string, bytes: number): string {
  return (
    `${what} has ${formatBytes(bytes)}; texts up to ${formatBytes(kMaxTextBytes)} can be read. Nothing was ` +
    'changed.'
  );
}

export async function loadSampleList(): Promise<readonly SampleInfo[]> {
  try {
    const response = await fetch(new URL('samples/index.json', document.baseURI));
    if (!response.ok) return [];
    const list = (await response.json()) as unknown;
    return Array.isArray(list) ? list.filter(isSample) : [];
  } catch {
    return [];
  }
}

function isSample(value: unknown): value is SampleInfo {
  const sample = value as Partial<SampleInfo> | null;
  return typeof sample?.id === 'string' && typeof sample.title === 'string' && typeof sample.file === 'string';
}

export async function loadSample(sample: SampleInfo): Promise<Loaded<string>> {
  try {
    const response = await fetch(new URL(`samples/${encodeURIComponent(sample.file)}`, document.baseURI));
    if (!response.ok) return problem(`The sample “${sample.title}” could not be loaded (HTTP ${response.status}).`);
    return { kind: 'ok', value: await response.text() };
  } catch {
    return problem(`The sample “${sample.title}” could not be loaded.`);
  }
}

// What the engine answers on a sample without options, made when the page was built; null where there is none.
export async function loadMade(sample: SampleInfo): Promise<Report | null> {
  try {
    const file = `samples/${encodeURIComponent(sample.id)}.report.json`;
    const response = await fetch(new URL(file, document.baseURI));
    return response.ok ? readReport((await response.json()) as WireReport) : null;
  } catch {
    return null; // the engine will say it
  }
}

export async function loadFile(file: File): Promise<Loaded<string>> {
  if (file.size > kMaxTextBytes) return problem(tooLarge(`The file “${shownName(file.name)}”`, file.size));
  try {
    return { kind: 'ok', value: await file.text() };
  } catch {
    return problem(`The file “${shownName(file.name)}” could not be read. Is it a folder, or has it been moved?`);
  }
}

// Only what the page's Content-Security-Policy lets through: its own host, and any host over https.
export async function loadUrl(address: string): Promise<Loaded<string>> {
  let url: URL;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    return problem(`“${address.slice(0, 200)}” is not an address.`);
  }
  if (url.protocol !== 'https:' && url.origin !== location.origin)
    return problem(`Only https addresses can be loaded, not ${url.protocol}//`);
  try {
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (!response.ok) return problem(`${url.href.slice(0, 300)} answered with HTTP ${response.status}.`);
    return await readCapped(response, url);
  } catch {
    return problem(
      `${url.href.slice(0, 300)} could not be loaded. Its host must be reachable and must allow other ` +
        'pages to read it (CORS).',
    );
  }
}

async function readCapped(response: Response, url: URL): Promise<Loaded<string>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { kind: 'ok', value: '' };
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { kind: 'ok', value: text + decoder.decode() };
    bytes += value.length;
    if (bytes > kMaxTextBytes) {
      await reader.cancel();
      return problem(tooLarge(url.href.slice(0, 300), bytes));
    }
    text += decoder.decode(value, { stream: true });
  }
}
