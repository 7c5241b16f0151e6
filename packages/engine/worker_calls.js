// Both sides of an engine in a worker: one message per call, one per answer, matched by number.

import { kMethods } from './engine.js';

// The side that asks. `port`: postMessage, onMessage, onError and terminate of a worker.
export class WorkerEngine {
  #port;
  #waiting = new Map(); // number -> { resolve, reject }
  #last = 0;
  #ended = null;

  constructor(port) {
    this.#port = port;
    port.onMessage(({ id, value, error }) => {
      const call = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) call?.resolve(value);
      else call?.reject(new Error(error));
    });
    port.onError((error) => this.#end(error));
  }

  ask(method, texts) {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, method, texts });
    });
  }

  terminate() {
    this.#end(new Error('the engine was terminated'));
  }

  #end(error) {
    if (this.#ended !== null) return;
    this.#ended = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    void this.#port.terminate();
  }
}

for (const method of kMethods)
  Object.defineProperty(WorkerEngine.prototype, method, {
    value(...texts) {
      return this.ask(method, texts);
    },
  });

// The side that answers.
export function answerCalls(port, createEngine) {
  const engine = createEngine();
  engine.catch(() => {}); // every call tells it
  port.onMessage(async ({ id, method, texts }) => {
    try {
      if (!kMethods.includes(method)) throw new Error(`the engine has no method ${method}`);
      port.postMessage({ id, value: (await engine)[method](...texts) });
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
}
