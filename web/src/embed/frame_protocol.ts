// The messages between a page and the frame that it shows. Documented in docs/embedding.md; a message of another
// version, of another window or of an origin that is not on the list is not answered.

import { readState } from './playground_state';
import type { PlaygroundState } from './api';

export const kProtocol = 1;
const kMostOrigins = 20;
const kMostId = 100; // characters

export type ToFrame =
  | { readonly type: 'ping'; readonly id: string }
  | { readonly type: 'get-state'; readonly id: string }
  | { readonly type: 'set-state'; readonly id: string; readonly state: Partial<PlaygroundState> };

export type FromFrame =
  | { readonly type: 'pong'; readonly id: string; readonly version: number }
  | { readonly type: 'state'; readonly id: string; readonly state: PlaygroundState }
  | { readonly type: 'ready' }
  | { readonly type: 'state-changed'; readonly state: PlaygroundState }
  | { readonly type: 'height-changed'; readonly height: number }
  | { readonly type: 'error'; readonly message: string };

// Null when it is none of ours.
export function readMessage(data: unknown): ToFrame | null {
  if (typeof data !== 'object' || data === null) return null;
  const { tessera, type, id, state } = data as Record<string, unknown>;
  if (tessera !== kProtocol) return null;
  const own = typeof id === 'string' ? id.slice(0, kMostId) : '';
  if (type === 'ping' || type === 'get-state') return { type, id: own };
  return type === 'set-state' ? { type, id: own, state: readState(state) } : null;
}

// Whole origins, "https://docs.example.org"; anything else is left out.
export function readOrigins(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .slice(0, kMostOrigins)
    .filter((word) => /^https?:\/\//.test(word) && URL.canParse(word) && new URL(word).origin === word);
}
