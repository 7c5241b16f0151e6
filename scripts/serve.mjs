#!/usr/bin/env node
// A static file server for the built page, for one's own machine only: it listens on 127.0.0.1.
//
//   node scripts/serve.mjs [folder] [port]     folder: web/dist, port: $PORT or 8080; the next free one if it is taken
//
// Nothing outside of the folder is served: not through "..", not through encoded separators, not through a link.

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm', // browsers compile while loading only with this type
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.mlir': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

// The file a request means, as a real path inside `root`; null when there is none.
async function fileFor(root, url) {
  let path;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return null; // a broken % escape
  }
  if (!path.startsWith('/') || path.includes('\0')) return null;
  try {
    let file = await realpath(join(root, path));
    if ((await stat(file)).isDirectory()) file = await realpath(join(file, 'index.html'));
    const inside = file.startsWith(root.endsWith(sep) ? root : root + sep);
    return inside && (await stat(file)).isFile() ? file : null;
  } catch {
    return null; // no such file
  }
}

async function answer(root, request, response) {
  const plain = (status, text) => {
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
    response.end(text + '\n');
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET and HEAD');
  const file = await fileFor(root, request.url);
  if (file === null) return plain(404, 'not found');
  const { size } = await stat(file);
  response.writeHead(200, {
    'Content-Type': types[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': size,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

// Serves `folder` on the first free port from `port` on (0: any); resolves with the server once it listens.
export async function serve(folder, port) {
  const root = await realpath(folder);
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => response.destroy());
  });
  for (let attempt = 0; ; ++attempt) {
    try {
      await new Promise((done, failed) => {
        server.once('error', failed);
        server.listen(port === 0 ? 0 : port + attempt, '127.0.0.1', () => {
          server.off('error', failed);
          done();
        });
      });
      return server;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || attempt >= 50 || port + attempt >= 65535) throw error;
    }
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? fileURLToPath(new URL('../web/dist', import.meta.url));
  const wanted = process.argv[3] ?? process.env.PORT ?? '8080';
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`serve: port "${wanted}" is not a number from 0 to 65535`);
    process.exit(2);
  }
  try {
    const server = await serve(folder, port);
    console.log(`Tessera is at http://127.0.0.1:${server.address().port}/  (Ctrl-C stops it)`);
  } catch (error) {
    console.error(`serve: ${error.message}`);
    process.exit(1);
  }
}
