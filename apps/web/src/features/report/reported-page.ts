import { matchPath } from 'react-router-dom';
import { patterns } from '../../paths.ts';

/** The page that `address` names, of a profile or an offering; undefined for any other. */
export function reportedPage(address: string | null): { username: string; slug?: string } | undefined {
  const offering = matchPath(patterns.offering, address ?? '')?.params;
  if (offering?.username && offering.slug) return { username: offering.username, slug: offering.slug };
  const username = matchPath(patterns.profile, address ?? '')?.params.username;
  return username ? { username } : undefined;
}
