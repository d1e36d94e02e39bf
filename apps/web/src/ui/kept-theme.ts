import type { Theme } from './theme.ts';

// It is meant for two hosts, so the prefix of those that one host keeps to itself is not for it.
const cookieName = () => `${location.protocol === 'https:' ? '__Secure-' : ''}stoa-theme`;
const aYear = 31_536_000;

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

/**
 * Keeps a choice for this host, and for that of the sign-in pages where both have a domain in common. In a cookie and not
 * in storage: cookies ignore ports and may belong to a parent domain, so Keycloak's pages see it.
 */
export function keepTheme(theme: Theme, neighbour: string): void {
  const cookie = cookieName();
  const rest = `; Path=/; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
  const kept = `${cookie}=${theme}${rest}; Max-Age=${aYear}`;
  const domain = sharedDomain(location.hostname, neighbour);
  document.cookie = `${cookie}=${rest}; Max-Age=0`;
  if (domain) document.cookie = `${kept}; Domain=${domain}`;
  // Browsers refuse public suffixes (co.za) and numbers; then the choice stays with this host.
  if (!document.cookie.includes(`${cookie}=${theme}`)) document.cookie = kept;
}
