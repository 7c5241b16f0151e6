// Engines for the page: each with workers of its own, all from one compiled module.

import { EngineClient } from '../engine/client';
import { LateWorker } from '../engine/late_worker';
import { compileApart } from '../engine/module';
import type { Overdue } from '../model/overdue';
import type { WorkerLike } from '../engine/worker_pair';

// Nothing is fetched and no worker starts before `begin`.
export function clientMaker(begin: Promise<unknown>): (overdue?: (overdue: Overdue | null) => void) => EngineClient {
  const makeWorker = (): WorkerLike =>
    new Worker(new URL('../engine/worker.ts', import.meta.url), {
      type: 'module',
      name: 'tessera',
    }) as unknown as WorkerLike;
  const module = begin.then(() => compileApart(new URL('engine/tessera.wasm', document.baseURI).href, makeWorker));
  return (overdue = () => {}) =>
    new EngineClient({
      engineUrl: new URL('engine/tessera.js', document.baseURI).href,
      test: new URLSearchParams(location.search).get('test') === '1',
      module,
      overdue,
      makeWorker: () => new LateWorker(begin, makeWorker),
    });
}
