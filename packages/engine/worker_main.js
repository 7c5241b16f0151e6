import { createEngine } from './browser.js';
import { answerCalls } from './worker_calls.js';

const port = {
  postMessage: (message) => self.postMessage(message),
  onMessage: (take) => self.addEventListener('message', ({ data }) => take(data)),
};
answerCalls(port, createEngine);
