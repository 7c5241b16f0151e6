// The engine's code, compiled once beside the page's work and shared by all workers.

import type { WorkerLike } from './worker_pair';

// In a worker of its own, so that the page's thread has nothing to do with it.
export function compileApart(url: string, makeWorker: () => WorkerLike): Promise<WebAssembly.Module | null> {
  return new Promise((resolve) => {
    const worker = makeWorker();
    const end = (module: WebAssembly.Module | null): void => {
      worker.terminate();
      resolve(module);
    };
    worker.onmessage = ({ data }) => data.type === 'compiled' && end(data.module);
    worker.onerror = (event) => {
      event.preventDefault?.();
      end(null);
    };
    worker.postMessage({ type: 'compile', url });
  });
}

export async function compileOnce(url: string): Promise<WebAssembly.Module | null> {
  try {
    const response = await fetch(url, { credentials: 'same-origin' });
    return response.ok ? await WebAssembly.compileStreaming(response) : null;
  } catch {
    return null; // a host that does not call it application/wasm: each worker loads it in its own way
  }
}
