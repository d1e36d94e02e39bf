// No schema in here: public pages show hosts, and a schema library would weigh on each of them.

/** Names that lead nowhere, or into the network of the person who follows them (RFC 2606, 6761, 6762, 7686, 8375, 9476; ICANN). */
const insideNames =
  'localhost localdomain local internal intranet private corp home lan home.arpa test invalid example onion alt'.split(
    ' ',
  );

/**
 * Whether a host can be one that everybody reaches: a name with a dot that is not reserved for inside. No address is:
 * a bare number is no payment page, and every spelling of the loopback (`127.1`, `0x7f000001`, `[::ffff:7f00:1]`) is one.
 * What a name leads to is not asked: whoever follows the link does so from their own machine.
 */
export function isPublicHost(link: string): boolean {
  const host = URL.parse(link)?.hostname.replace(/\.$/, '') ?? '';
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host);
  if (isAddress || !host.includes('.') || host.includes('..')) return false;
  return !insideNames.some((name) => `.${host}`.endsWith(`.${name}`));
}

/** The host a link leads to, in ASCII, so that no letter of another script can be taken for another; null for no link. */
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

/** Whether a link leads to one of these hosts, or below it. */
export function isBelow(hosts: readonly string[], link: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(link) ?? {};
  return /^https?:$/.test(protocol) && hosts.some((own) => `.${hostname}`.endsWith(`.${own}`));
}

/** Whether a link leads to the network itself. What does not is shown by no network's icon. */
export function isOnNetwork(network: SocialNetwork, link: string): boolean {
  return isBelow(socialHosts[network], link);
}
