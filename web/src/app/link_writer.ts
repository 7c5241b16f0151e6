// Turns the state into a link: at once, or beside the page where the graph is so large that it would stop it.

import { encodeState, type SharedState } from '../model/url';
import type { LinkMessage } from './link_worker';

const kLargeText = 64 * 1024; // characters

export class LinkWriter {
  private worker_: Worker | null = null;
  private sent_ = ''; // the text that the worker has
  private asked_ = 0;

  async write(state: SharedState): Promise<string> {
    const { source } = state;
    if (source.kind !== 'text' || source.text.length < kLargeText) return encodeState(state);
    try {
      return await this.beside(state, source.text);
    } catch {
      this.worker_?.terminate();
      this.worker_ = null;
      return encodeState(state);
    }
  }

  private beside(state: SharedState, text: string): Promise<string> {
    if (this.worker_ === null) {
      this.worker_ = new Worker(new URL('./link_worker.ts', import.meta.url), { type: 'module', name: 'link' });
      this.sent_ = '';
    }
    const worker = this.worker_;
    const id = ++this.asked_;
    const message: LinkMessage = {
      id,
      text: this.sent_ === text ? null : text,
      state: {
        ...state,
        source: { kind: 'text', text: '', name: state.source.kind === 'text' ? state.source.name : '' },
      },
    };
    this.sent_ = text;
    return new Promise((resolve, reject) => {
      const listen = ({ data }: MessageEvent<{ readonly id: number; readonly fragment: string }>): void => {
        if (data.id !== id) return;
        worker.removeEventListener('message', listen);
        resolve(data.fragment);
      };
      worker.addEventListener('message', listen);
      worker.addEventListener('error', reject, { once: true });
      worker.postMessage(message);
    });
  }
}
