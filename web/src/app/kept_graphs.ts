// Graphs that are too large for an address, kept in this browser so that a reload or a crash of the tab loses nothing.
// Every page that is open writes under a number of its own, which stands in its address: two tabs never meet, not even
// when one was made from the other. The oldest are given up.

const kDatabase = 'tessera-kept';
const kStore = 'graphs';
const kMostKept = 8;

export interface KeptGraph {
  readonly id: string;
  readonly text: string;
  readonly name: string; // of its file
  readonly at: number; // ms since 1970
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser gives no reason'));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser gives no reason'));
  });
}

// Rejects where the browser forbids it.
async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(kDatabase, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(kStore, { keyPath: 'id' }).createIndex('at', 'at');
  return done(request);
}

// Rejects when storage is full or forbidden.
export async function keepGraph(graph: KeptGraph): Promise<void> {
  const database = await open();
  try {
    const transaction = database.transaction(kStore, 'readwrite');
    const store = transaction.objectStore(kStore);
    const ended = finished(transaction);
    store.put(graph);
    const oldestFirst = store.index('at').getAllKeys();
    oldestFirst.onsuccess = () => {
      for (const id of oldestFirst.result.slice(0, -kMostKept)) store.delete(id);
    };
    await ended;
  } finally {
    database.close();
  }
}

// Null when it is not there any more, or storage is forbidden.
export async function keptGraph(id: string): Promise<KeptGraph | null> {
  try {
    const database = await open();
    try {
      const found = (await done(database.transaction(kStore).objectStore(kStore).get(id))) as KeptGraph | undefined;
      return typeof found?.text === 'string' && typeof found.name === 'string' ? found : null;
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
