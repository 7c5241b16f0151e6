// Clients of modules beside the engine: each in a worker of its own, which is loaded with the first call.

import { EngineClient } from './client';
import type { WorkerLike } from './worker_pair';

const clients = new Map<string, EngineClient>();

// `module`: the file in engine/ without its ending, "tessera_profile".
export function moduleClient(module: string): EngineClient {
  const known = clients.get(module);
  if (known !== undefined) return known;
  const client = new EngineClient({
    engineUrl: new URL(`engine/${module}.js`, document.baseURI).href,
    test: false,
    makeWorker: () =>
      new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: module }) as unknown as WorkerLike,
  });
  clients.set(module, client);
  return client;
}
