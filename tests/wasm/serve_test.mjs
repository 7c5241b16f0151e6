// The page's static server: types, 404, methods, and that nothing outside of its folder can be read.
//   node --test tests/wasm/serve_test.mjs

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { serve } from '../../scripts/serve.mjs';

let base, server, port;

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'tessera-serve-'));
  await mkdir(join(base, 'dist/engine'), { recursive: true });
  await mkdir(join(base, 'dist-secret'));
  await writeFile(join(base, 'dist/index.html'), '<title>page</title>');
  await writeFile(join(base, 'dist/engine/tessera.wasm'), Buffer.from([0, 97, 115, 109]));
  await writeFile(join(base, 'dist/a b.txt'), 'spaced');
  await writeFile(join(base, 'secret.txt'), 'secret');
  await writeFile(join(base, 'dist-secret/secret.txt'), 'secret');
  await symlink(join(base, 'secret.txt'), join(base, 'dist/link.txt'));
  server = await serve(join(base, 'dist'), 0);
  port = server.address().port;
});
after(async () => {
  server.close();
  await rm(base, { recursive: true });
});

// The raw path is sent as it is: `fetch` would resolve ".." before sending.
function get(path, method = 'GET') {
  return new Promise((done, failed) => {
    request({ host: '127.0.0.1', port, path, method, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () =>
        done({
          status: response.statusCode,
          type: response.headers['content-type'],
          length: response.headers['content-length'],
          body,
        }),
      );
    })
      .on('error', failed)
      .end();
  });
}

test('a folder answers with its index.html', async () => {
  assert.deepEqual(await get('/?q=1'), {
    status: 200,
    type: 'text/html; charset=utf-8',
    length: '19',
    body: '<title>page</title>',
  });
});
test('wasm has the type that lets a browser compile while loading', async () => {
  assert.equal((await get('/engine/tessera.wasm')).type, 'application/wasm');
});
test('escapes in a name are decoded', async () => {
  assert.equal((await get('/a%20b.txt')).body, 'spaced');
});
test('HEAD has the length and no body', async () => {
  const answer = await get('/index.html', 'HEAD');
  assert.deepEqual([answer.status, answer.length, answer.body], [200, '19', '']);
});
test('other methods are refused', async () => {
  assert.equal((await get('/index.html', 'POST')).status, 405);
});
for (const path of [
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/engine/../../secret.txt',
  '/../dist-secret/secret.txt',
  '/link.txt',
  '/engine',
  '/none.txt',
  '/%',
  '/%00',
  '/index.html/',
  '//secret.txt',
  '/..%5csecret.txt',
]) {
  test(`${path} is not found`, async () => {
    const answer = await get(path);
    assert.equal(answer.status, 404);
    assert.ok(!answer.body.includes('secret'));
  });
}
test('only the loopback address is listened on', () => {
  assert.equal(server.address().address, '127.0.0.1');
});
test('the next port is taken when the wanted one is in use', async () => {
  const second = await serve(join(base, 'dist'), port);
  const other = second.address().port;
  second.close();
  assert.ok(other > port);
});
