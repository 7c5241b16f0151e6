// Writes links of large graphs beside the page. The text comes once; what else a link holds changes more often.

import { encodeState, type SharedState } from '../model/url';

export interface LinkMessage {
  readonly id: number;
  readonly text: string | null; // null: as before
  readonly state: SharedState;
}

let text = '';

self.addEventListener('message', async ({ data }: MessageEvent<LinkMessage>) => {
  text = data.text ?? text;
  const { source } = data.state;
  const state = source.kind === 'text' ? { ...data.state, source: { ...source, text } } : data.state;
  self.postMessage({ id: data.id, fragment: await encodeState(state) });
});
