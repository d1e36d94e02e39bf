import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const isSecure = () => location.protocol === 'https:';
// The cookie is shared by two hosts, so its prefix is not `__Host-`, which allows one host only.
const cookieOf = (theme: Theme) => ({
  name: `${isSecure() ? '__Secure-' : ''}stoa-theme`,
  theme,
  rules: `; Path=/; SameSite=Lax${isSecure() ? '; Secure' : ''}`,
});
const system = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();
let neighbour = '';

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia(system).matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(system);
  listeners.add(listener);
  media.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
  };
}

/** Sets the host of the sign-in pages. It shares the theme with this site in both directions. */
export function shareThemeWith(host: string): void {
  neighbour = host;
}

/**
 * Applies `theme` and stores it in this browser. `public/theme.js` reads the choice before the first paint.
 */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  // Stored for this host immediately. Code that loads later shares it with the host of the sign-in pages.
  const cookie = cookieOf(theme);
  document.cookie = `${cookie.name}=${theme}${cookie.rules}; Max-Age=31536000`;
  import('./kept-theme.ts').then(({ shareTheme }) => shareTheme(cookie, neighbour), console.error);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'light');
}
