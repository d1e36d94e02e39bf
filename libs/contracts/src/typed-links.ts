import { isOnNetwork, socialHosts, type SocialNetwork } from './links.ts';
import { plainLine } from './plain-text.ts';
import { withoutSentence } from './web-addresses.ts';

const noLink = 'Enter a link that starts with http:// or https://.';
const noPassword = 'Leave out the name and password before the @ of this link.';

/** A host with a dot, and what may follow it. All three full stops of East Asian keyboards part a host as the ASCII one does. */
const bareHost = /^[^\s/?#@:\\<>"]+[.。．｡][^\s/?#@:\\<>".]{2,}\.?(?::\d+)?(?=[/?#]|$)/u;

/**
 * A link from what people type for one: `letters.example.org/marta` gets its https://, and what is around a pasted link goes,
 * as it does in a text. Anything else stays as it came. Running it twice changes nothing.
 */
export function completeLink(typed: string): string {
  const link = completed(typed);
  return link === typed ? link : completeLink(link);
}

function completed(typed: string): string {
  const value = plainLine(typed);
  const link = withoutSentence(value.replace(/^<(?:URL:)?\s*/i, ''))
    // The signs of a Japanese or Chinese keyboard, and a link pasted behind an https:// that stood there.
    .replace(/^[hｈ][tｔ]{2}[pｐ][sｓ]?[:：][/／]{2}/iu, (scheme) => scheme.normalize('NFKC'))
    .replace(/^(?:https?:\/\/\s*)+(?=https?:\/\/)/i, '');
  if (link.startsWith('//')) return `https:${link}`;
  if (/^https?:\/\//i.test(link)) return link;
  return bareHost.test(link) ? `https://${link}` : value;
}

/** Ends of hosts that people type without a path; another name with a dot is a name. */
const likelyHost = /\.(?:com|net|org|io|co|me|tv|be|app|dev|page|link|site|online|shop|store|info)$/i;

/** A link to a network from what people type for one: `name`, `@name` or `instagram.com/name`. */
export function completeSocialLink(network: SocialNetwork, typed: string): string {
  const value = plainLine(typed);
  const [, at, name = ''] = /^(@?)([\p{L}\p{M}\p{N}_.·-]+)$/u.exec(value) ?? [];
  if (!name || (!at && likelyHost.test(name))) return completeLink(value);
  return `https://www.${socialHosts[network][0]}/${network === 'instagram' ? '' : '@'}${name}`;
}

/** What is wrong with a completed link, in words that name the part; undefined for a link that people can follow. */
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

/** Whether a link leads to the network that its field is for; said of a complete link alone. */
export const leadsElsewhere = (network: SocialNetwork, link: string): boolean =>
  linkProblem(link) === undefined && !isOnNetwork(network, link);
