import { displayHost, type Paygate } from '@stoa/contracts';
import { readablePaygates } from './readable-row.ts';

/**
 * The places in a list of links for payments of those that lead visitors to hosts which the published profile did not
 * lead to. The first of all is such a one, too: who could add a link and then remove the other would have changed it.
 */
export function newHosts(
  { published, paygates }: { published: boolean; paygates: unknown },
  links: readonly Paygate[],
): number[] {
  if (!published) return [];
  const known = new Set(readablePaygates(paygates).map(({ url }) => displayHost(url)));
  return links.flatMap(({ url }, place) => (known.has(displayHost(url)) ? [] : [place]));
}
