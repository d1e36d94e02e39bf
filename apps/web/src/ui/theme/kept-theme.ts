/** The name, value and attributes of the theme cookie. */
export interface ThemeCookie {
  readonly name: string;
  readonly theme: string;
  readonly rules: string;
}

/** The domain that two hosts share; undefined if they are equal or share only the last label. */
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
 * Stores the choice for the host of the sign-in pages, too, if both share a domain. A cookie works where
 * storage does not: it ignores ports and may belong to a parent domain, so Keycloak's pages can read it.
 */
export function shareTheme({ name, theme, rules }: ThemeCookie, neighbour: string): void {
  const domain = sharedDomain(location.hostname, neighbour);
  if (!domain) return;
  const kept = `${name}=${theme}${rules}; Max-Age=31536000`;
  document.cookie = `${name}=${rules}; Max-Age=0`;
  document.cookie = `${kept}; Domain=${domain}`;
  // Browsers refuse cookies for public suffixes (co.za) and IP addresses. The choice then stays with this
  // host.
  if (!document.cookie.includes(`${name}=${theme}`)) document.cookie = kept;
}
