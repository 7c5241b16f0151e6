// Executes plans on simulated memory, in a module and a worker of their own, which are loaded with the first one.

import { EngineClient, type Outcome } from '../engine/client';
import type { WorkerLike } from '../engine/worker_pair';
import type { RunAsked } from '../model/option_values';
import type { PlanExecution } from '../model/passes';

let client: EngineClient | null = null;

export function askExecution(text: string, options: RunAsked): Promise<Outcome<PlanExecution>> {
  client ??= new EngineClient({
    engineUrl: new URL('engine/tessera_execute.js', document.baseURI).href,
    test: false,
    makeWorker: () =>
      new Worker(new URL('../engine/worker.ts', import.meta.url), {
        type: 'module',
        name: 'execution',
      }) as unknown as WorkerLike,
  });
  return client.executePlan(text, options);
}
