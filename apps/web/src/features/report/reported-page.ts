import { matchPath } from 'react-router-dom';
import { patterns } from '../../navigation/paths.ts';

/** The profile or offering at `address`; undefined for any other page. */
export function reportedPage(address: string | null): { username: string; slug?: string } | undefined {
  const offering = matchPath(patterns.offering, address ?? '')?.params;
  if (offering?.username && offering.slug) return { username: offering.username, slug: offering.slug };
  const username = matchPath(patterns.profile, address ?? '')?.params.username;
  return username ? { username } : undefined;
}
