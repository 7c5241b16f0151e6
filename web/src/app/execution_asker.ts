// The client of what executes graphs and plans: a module and a worker of their own, loaded with the first call.

import { EngineClient } from '../engine/client';
import type { WorkerLike } from '../engine/worker_pair';

let client: EngineClient | null = null;

export function executionClient(): EngineClient {
  client ??= new EngineClient({
    engineUrl: new URL('engine/tessera_execute.js', document.baseURI).href,
    test: false,
    makeWorker: () =>
      new Worker(new URL('../engine/worker.ts', import.meta.url), {
        type: 'module',
        name: 'execution',
      }) as unknown as WorkerLike,
  });
  return client;
}
