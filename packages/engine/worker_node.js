// An engine in a worker thread of Node.

import { Worker } from 'node:worker_threads';

import { WorkerEngine } from './worker_calls.js';

export function createWorkerEngine() {
  const worker = new Worker(new URL('./worker_node_main.js', import.meta.url));
  return new WorkerEngine({
    postMessage: (message) => worker.postMessage(message),
    onMessage: (take) => worker.on('message', take),
    onError: (take) => worker.on('error', take),
    terminate: () => worker.terminate(),
  });
}
