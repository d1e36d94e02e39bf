import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const isSecure = () => location.protocol === 'https:';
// It is meant for two hosts, so the prefix of those that one host keeps to itself is not for it.
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

/** The host of the sign-in pages, which follow the theme that is chosen here, and the other way round. */
export function shareThemeWith(host: string): void {
  neighbour = host;
}

/** Shows `theme` from now on, in this browser. `public/theme.js` reads the choice before the first paint. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  // For this host at once; with the sign-in pages' host it is shared by code that comes after the page.
  const cookie = cookieOf(theme);
  document.cookie = `${cookie.name}=${theme}${cookie.rules}; Max-Age=31536000`;
  import('./kept-theme.ts').then(({ shareTheme }) => shareTheme(cookie, neighbour), console.error);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'light');
}
