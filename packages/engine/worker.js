// An engine in a worker of the browser.

import { WorkerEngine } from './worker_calls.js';

export function createWorkerEngine() {
  const worker = new Worker(new URL('./worker_main.js', import.meta.url), { type: 'module' });
  return new WorkerEngine({
    postMessage: (message) => worker.postMessage(message),
    onMessage: (take) => worker.addEventListener('message', ({ data }) => take(data)),
    onError: (take) =>
      worker.addEventListener('error', ({ message }) => take(new Error(message || 'the worker cannot be loaded'))),
    terminate: () => worker.terminate(),
  });
}
