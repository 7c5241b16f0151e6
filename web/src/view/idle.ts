// What can wait until the page has drawn its picture.

const kAtMostMs = 800;

export function whenIdle(act: () => unknown): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => void act(), { timeout: kAtMostMs });
  else setTimeout(act, 200);
}
