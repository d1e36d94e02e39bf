/** What the cookie of a choice is called, says, and is kept by. */
export interface ThemeCookie {
  readonly name: string;
  readonly theme: string;
  readonly rules: string;
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

/**
 * Keeps a choice also for the host of the sign-in pages, where both have a domain in common. In a cookie and not in
 * storage: cookies ignore ports and may belong to a parent domain, so Keycloak's pages see it.
 */
export function shareTheme({ name, theme, rules }: ThemeCookie, neighbour: string): void {
  const domain = sharedDomain(location.hostname, neighbour);
  if (!domain) return;
  const kept = `${name}=${theme}${rules}; Max-Age=31536000`;
  document.cookie = `${name}=${rules}; Max-Age=0`;
  document.cookie = `${kept}; Domain=${domain}`;
  // Browsers refuse public suffixes (co.za) and numbers; then the choice stays with this host.
  if (!document.cookie.includes(`${name}=${theme}`)) document.cookie = kept;
}
