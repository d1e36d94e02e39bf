import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

// It is meant for two hosts, so the prefix of those that one host keeps to itself is not for it.
const cookieName = () => `${location.protocol === 'https:' ? '__Secure-' : ''}stoa-theme`;
const aYear = 31_536_000;
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

/** The domain that two hosts share; undefined when they are one, or have only their last label in common. */
export function sharedDomain(one: string, other: string): string | undefined {
  const theirs = other.split('.').reverse();
  const ours = one.split('.').reverse();
  const shared: string[] = [];
  for (const [index, label] of ours.entries()) {
    if (label !== theirs[index]) break;
    shared.push(label);
  }
  const same = shared.length === ours.length && ours.length === theirs.length;
  return same || shared.length < 2 ? undefined : shared.reverse().join('.');
}

// A cookie and not storage: cookies ignore ports and may belong to a parent domain, so Keycloak's pages see it.
function keep(theme: Theme): void {
  const cookie = cookieName();
  const rest = `; Path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
  const kept = `${cookie}=${theme}${rest}; Max-Age=${aYear}`;
  const domain = sharedDomain(location.hostname, neighbour);
  document.cookie = `${cookie}=${rest}; Max-Age=0`;
  if (domain) document.cookie = `${kept}; Domain=${domain}`;
  // Browsers refuse public suffixes (co.za) and numbers; then the choice stays with this host.
  if (!document.cookie.includes(`${cookie}=${theme}`)) document.cookie = kept;
}

/** Shows `theme` from now on, in this browser. `public/theme.js` reads the choice before the first paint. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  keep(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'light');
}
