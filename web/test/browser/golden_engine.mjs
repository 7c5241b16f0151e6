// The engine of the golden pictures: answers that were recorded once, so that no figure of the model changes a picture.
// While they are made again the real engine answers, in this process.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { kDist, kEmptyModule } from './server.mjs';

const kRecorded = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, 'golden', 'answers.json.gz');
const kSample = 'l1-pressure.mlir'; // whose text is recorded, too

// Its functions ask this process, and wait for the answer as the real ones do.
const kShim = `
const call = (name) => (...args) => {
  const request = new XMLHttpRequest();
  request.open('POST', '/golden/' + name, false);
  request.send(JSON.stringify(args));
  if (request.status !== 200) throw new Error(request.responseText);
  return request.responseText;
};
export default async () => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : call(String(name))) });
`;

const keyOf = (name, args) => createHash('sha256').update(`${name} ${args}`).digest('base64url').slice(0, 16);

export class GoldenEngine {
  constructor(update) {
    this.update = update;
    if (update) {
      this.text = readFileSync(join(kDist, 'samples', kSample), 'utf8');
      this.answers = {};
    } else if (existsSync(kRecorded)) {
      const { text, answers } = JSON.parse(gunzipSync(readFileSync(kRecorded)).toString());
      [this.text, this.answers] = [text, answers];
    }
  }

  // Of the recorded graph; the options are the page's own.
  link(options = {}) {
    const state = { t: this.text, n: kSample, ...(Object.keys(options).length > 0 ? { o: options } : {}) };
    return `#v1:${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
  }

  async serve(context) {
    await context.route('**/engine/tessera.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: kShim }),
    );
    await context.route('**/engine/tessera.wasm', (route) =>
      route.fulfill({ contentType: 'application/wasm', body: kEmptyModule }),
    );
    await context.route('**/golden/*', async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1);
      const answer = await this.answer(name, route.request().postData() ?? '[]');
      if (answer === undefined)
        return route.fulfill({ status: 404, body: `no answer is recorded for ${name}: npm run update:golden` });
      return route.fulfill({ contentType: 'application/json', body: answer });
    });
  }

  async answer(name, args) {
    const key = keyOf(name, args);
    if (this.update && this.answers[key] === undefined) {
      this.real ??= import(pathToFileURL(join(kDist, 'engine', 'tessera.js')).href).then(({ default: make }) =>
        make({ wasmBinary: readFileSync(join(kDist, 'engine', 'tessera.wasm')) }),
      );
      this.answers[key] = (await this.real)[name](...JSON.parse(args));
    }
    return this.answers[key];
  }

  save() {
    const sorted = Object.fromEntries(Object.entries(this.answers).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(kRecorded, gzipSync(JSON.stringify({ text: this.text, answers: sorted }), { level: 9 }));
  }
}
