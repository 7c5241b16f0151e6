// The page without a network: all files of one build, each kept under the hash of what it holds. A window is served by
// one build alone: a newer worker waits until the windows of the older one are gone, and takes no file whose hash is
// not of its own build. web/scripts/offline.mjs fills in the list.

const kFiles = {}; // path below the scope -> "sha256-..."
const kScope = self.registration.scope;
const kCache = `tessera ${kScope}`; // other builds of the page may lie on the same host

// Two builds that share a file share its entry.
const keyOf = (path) => `${kScope}${path}?${kFiles[path]}`;

// The bytes that this build has, whatever the host offers now.
async function fetchExact(path) {
  const response = await fetch(kScope + path, {
    integrity: kFiles[path],
    cache: 'no-cache',
    credentials: 'same-origin',
  });
  if (!response.ok) throw new Error(`${response.status} ${path}`);
  // Of a host that moves index.html to its folder: a moved answer is refused for a navigation.
  return response.redirected ? new Response(await response.blob(), { headers: response.headers }) : response;
}

async function keepAll() {
  const cache = await caches.open(kCache);
  for (const path of Object.keys(kFiles)) {
    const key = keyOf(path);
    if ((await cache.match(key)) === undefined) await cache.put(key, await fetchExact(path));
  }
}

async function dropOthers() {
  const cache = await caches.open(kCache);
  const own = new Set(Object.keys(kFiles).map((path) => new URL(keyOf(path)).href));
  for (const { url } of await cache.keys()) if (!own.has(url)) await cache.delete(url);
}

async function answer(path) {
  const kept = await (await caches.open(kCache)).match(keyOf(path));
  return kept ?? fetchExact(path);
}

// A reload of the only window is the moment to change builds: the waiting worker takes over and the window loads again.
async function changeBuilds() {
  const { waiting } = self.registration;
  if (waiting === null) return null;
  const windows = await self.clients.matchAll({ type: 'window' });
  if (windows.length > 1) return null;
  waiting.postMessage('take over');
  // No `Refresh` header: with a part behind # in the address it would only scroll.
  const again = '<!doctype html><title>Tessera</title><script>location.reload()</script>';
  return new Response(again, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

// What of this build an address means; undefined for anything else, such as the documentation.
function pathOf(address) {
  const whole = address.split(/[?#]/, 1)[0];
  if (!whole.startsWith(kScope)) return undefined;
  const path = whole.slice(kScope.length); // names of files need no escapes
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return Object.hasOwn(kFiles, file) ? file : undefined;
}

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = request.method === 'GET' ? pathOf(request.url) : undefined;
  if (path === undefined) return;
  const navigates = request.mode === 'navigate';
  event.respondWith((async () => (navigates ? await changeBuilds() : null) ?? answer(path))());
});
