import { isOnNetwork, socialHosts, type SocialNetwork } from './links.ts';
import { plainLine } from './plain-text.ts';
import { withoutPunctuation } from './web-addresses.ts';

const noLink = 'Enter a link that starts with http:// or https://.';
const noPassword = 'Leave out the name and password before the @ of this link.';

/** A link without a scheme: a host with a dot and its rest. The URL parser reads East Asian full stops as dots. */
const bareHost = /^[^\s/?#@:\\<>"]+[.。．｡][^\s/?#@:\\<>".]{2,}\.?(?::\d+)?(?=[/?#]|$)/u;

/**
 * Completes a typed link: adds a missing https:// (`letters.example.org/marta`) and removes punctuation around a pasted
 * link. Other text stays unchanged. It is idempotent.
 */
export function completeLink(typed: string): string {
  const link = completed(typed);
  return link === typed ? link : completeLink(link);
}

function completed(typed: string): string {
  const value = plainLine(typed);
  const link = withoutPunctuation(value.replace(/^<(?:URL:)?\s*/i, ''))
    // Full-width characters of East Asian keyboards, and a link pasted after an existing https://.
    .replace(/^[hｈ][tｔ]{2}[pｐ][sｓ]?[:：][/／]{2}/iu, (scheme) => scheme.normalize('NFKC'))
    .replace(/^(?:https?:\/\/\s*)+(?=https?:\/\/)/i, '');
  if (link.startsWith('//')) return `https:${link}`;
  if (/^https?:\/\//i.test(link)) return link;
  return bareHost.test(link) ? `https://${link}` : value;
}

/** Top-level domains of hosts. Other text with a dot, such as `ada.lovelace`, is a name. */
const likelyHost = /\.(?:com|net|org|io|co|me|tv|be|app|dev|page|link|site|online|shop|store|info)$/i;

/** Completes a typed link to a social network: `name`, `@name` or `instagram.com/name`. */
export function completeSocialLink(network: SocialNetwork, typed: string): string {
  const value = plainLine(typed);
  const [, at, name = ''] = /^(@?)([\p{L}\p{M}\p{N}_.·-]+)$/u.exec(value) ?? [];
  if (!name || (!at && likelyHost.test(name))) return completeLink(value);
  return `https://www.${socialHosts[network][0]}/${network === 'instagram' ? '' : '@'}${name}`;
}

/** The problem of a completed link, naming the invalid part; undefined for a valid link. */
export function linkProblem(link: string): string | undefined {
  if (!/^https?:\/\//i.test(link)) return noLink;
  if (/[\r\n]/.test(link)) return 'Enter the link on one line.';
  if (/\shttps?:\/\//i.test(link)) return 'Enter one link only.';
  const url = URL.parse(link);
  if (url) return url.username + url.password === '' ? undefined : noPassword;
  const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(link) ?? [];
  const [, host = '', port] = /^(?:.*@)?(\[[^\]]*\]|[^:]*)(?::(.*))?$/su.exec(authority) ?? [];
  if (host === '') return 'This link has no host name after http:// or https://.';
  if (/\s/.test(host)) return `The host name “${host}” in this link contains a blank.`;
  if (port !== undefined && !/^\d*$/.test(port)) return `The port “${port}” in this link is not a number.`;
  if (Number(port ?? 0) > 65_535) {
    return `The port ${port} in this link does not exist: the highest is 65535.`;
  }
  return `“${host}” in this link is no host name.`;
}

/** Whether a valid link leads to another site than the network of its field. */
export const isOffNetwork = (network: SocialNetwork, link: string): boolean =>
  linkProblem(link) === undefined && !isOnNetwork(network, link);
