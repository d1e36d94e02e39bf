// Without schemas: public pages import this file, and zod would add to their size.

/** Top-level names that are reserved, or local to the visitor's network (RFC 2606, 6761, 6762, 7686, 8375, 9476; ICANN). */
const privateNames =
  'localhost localdomain local internal intranet private corp home lan home.arpa test invalid example onion alt'.split(
    ' ',
  );

/**
 * Whether a link's host can be public: a name with a dot that is not private. IP addresses are refused, because no payment
 * page needs one and the loopback has many spellings (`127.1`, `0x7f000001`, `[::ffff:7f00:1]`). The name is not resolved.
 */
export function isPublicHost(link: string): boolean {
  const host = URL.parse(link)?.hostname.replace(/\.$/, '') ?? '';
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host);
  if (isAddress || !host.includes('.') || host.includes('..')) return false;
  return !privateNames.some((name) => `.${host}`.endsWith(`.${name}`));
}

/** The host of a link in ASCII, so that letters of other scripts cannot imitate it. Null if `link` is not a link. */
export function displayHost(link: string): string | null {
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return url.host.replace(/^www\./, '').replace(/\.$/, '');
}

export const socialHosts = {
  youtube: ['youtube.com', 'youtu.be'],
  tiktok: ['tiktok.com'],
  instagram: ['instagram.com'],
} as const;
export type SocialNetwork = keyof typeof socialHosts;

/** Whether a link leads to one of these hosts or to a subdomain. */
export function hasHost(hosts: readonly string[], link: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(link) ?? {};
  return /^https?:$/.test(protocol) && hosts.some((own) => `.${hostname}`.endsWith(`.${own}`));
}

/** Whether a link leads to the network's own hosts. Only then pages show the icon of the network. */
export function isOnNetwork(network: SocialNetwork, link: string): boolean {
  return hasHost(socialHosts[network], link);
}
