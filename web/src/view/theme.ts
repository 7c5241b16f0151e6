// The user's theme, kept on this computer; `data-theme` on the root element switches the colours.

import type { Theme } from '../model/state';

const kKey = 'tessera-theme';

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(kKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system'; // storage may be forbidden
  }
}

export function storeTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(kKey);
    else localStorage.setItem(kKey, theme);
  } catch {
    // the choice lasts until the page is closed
  }
}

export function applyTheme(theme: Theme, systemDark: boolean): void {
  document.documentElement.dataset['theme'] = theme === 'system' ? (systemDark ? 'dark' : 'light') : theme;
}
