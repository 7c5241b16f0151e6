// What was typed right before the page went away, when the address does not hold it yet: it stands in the storage of
// this tab alone until the page is there again. Where that is full or forbidden, the browser asks before it leaves.

import { readState, stateText, type SharedState } from '../model/url';

const kKey = 'tessera-last-moment';

// False when nothing can be kept.
export function keepLastMoment(state: SharedState): boolean {
  try {
    sessionStorage.setItem(kKey, `${location.hash}\n${stateText(state)}`);
    return true;
  } catch {
    return false;
  }
}

// Of the page with this address, when it is loaded again; null when there is none.
export function takeLastMoment(): SharedState | null {
  try {
    const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const kept = sessionStorage.getItem(kKey);
    sessionStorage.removeItem(kKey);
    const end = kept?.indexOf('\n') ?? -1;
    if (kept === null || end < 0 || loaded?.type === 'navigate' || kept.slice(0, end) !== location.hash) return null;
    return readState(kept.slice(end + 1));
  } catch {
    return null;
  }
}
