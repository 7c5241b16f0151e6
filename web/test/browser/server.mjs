// Serves the built page from 127.0.0.1, under any path prefix. With `fakeEngine` the fixture stands in for the engine.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
export const kDist = join(here, '..', '..', 'dist');
const kFixtures = join(here, '..', 'fixtures');

export const kEmptyModule = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]); // the invented engine has no code

const kTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.mlir': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

// `root`: the folder that is served, or a function that gives the one of now. `compress`: as hosts do it.
export function startServer({ prefix = '/', fakeEngine = false, root = kDist, compress = false } = {}) {
  const packed = new Map(); // file -> its bytes, compressed
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    let file = null;
    if (path.startsWith(prefix)) {
      let inside = path.slice(prefix.length) || 'index.html';
      if (inside.endsWith('/')) inside += 'index.html';
      if (fakeEngine && inside === 'engine/tessera.wasm') {
        response.writeHead(200, { 'Content-Type': 'application/wasm' });
        response.end(kEmptyModule);
        return;
      }
      if (fakeEngine && inside.endsWith('.report.json')) {
        response.writeHead(204); // they are the real engine's
        response.end();
        return;
      }
      if (fakeEngine && inside === 'engine/tessera.js') inside = 'engine/fake_engine.mjs';
      const invented = fakeEngine && inside.startsWith('engine/');
      const folder = invented ? kFixtures : typeof root === 'function' ? root() : root;
      file = join(folder, normalize(invented ? inside.slice(7) : inside));
      if (!file.startsWith(folder + sep) || !existsSync(file) || !statSync(file).isFile()) file = null;
    }
    if (file === null) {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('not found');
      return;
    }
    const type = { 'Content-Type': kTypes[extname(file)] ?? 'application/octet-stream' };
    response.writeHead(200, compress ? { ...type, 'Content-Encoding': 'gzip' } : type);
    if (!compress) return createReadStream(file).pipe(response);
    if (!packed.has(file)) packed.set(file, gzipSync(readFileSync(file)));
    response.end(packed.get(file));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      resolve({
        url: `http://127.0.0.1:${port}${prefix}`,
        close: () =>
          new Promise((done) => {
            server.closeAllConnections();
            server.close(done);
          }),
      });
    });
  });
}
