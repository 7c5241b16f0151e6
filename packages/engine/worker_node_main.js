import { parentPort } from 'node:worker_threads';

import { createEngine } from './node.js';
import { answerCalls } from './worker_calls.js';

answerCalls(
  { postMessage: (message) => parentPort.postMessage(message), onMessage: (take) => parentPort.on('message', take) },
  createEngine,
);
