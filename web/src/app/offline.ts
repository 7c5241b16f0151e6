// Keeps the page for use without a network: its service worker loads all files again, once the page itself is quiet.

const kQuietMs = 4000;

export function keepOffline(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator) || window.top !== window) return;
  const register = (): void => {
    // A host may forbid it, and a visitor may have no room: the page needs it for nothing.
    navigator.serviceWorker.register('./service_worker.js').catch(() => {});
  };
  const wait = (): void => void setTimeout(register, kQuietMs);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
