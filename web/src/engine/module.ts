// The engine's code, compiled once beside the page's work and shared by all workers.

export async function compileOnce(url: string): Promise<WebAssembly.Module | null> {
  try {
    const response = await fetch(url, { credentials: 'same-origin' });
    return response.ok ? await WebAssembly.compileStreaming(response) : null;
  } catch {
    return null; // a host that does not call it application/wasm: each worker loads it in its own way
  }
}
