import type { PublicCreator, PublicOffering, PublicOfferingList } from '@stoa/contracts';
import { type CreatorReads, valueOf } from './creator-reads.ts';
import { firstExpiry } from './expiry.ts';
import type { LoadedAnswer } from './public-reads.ts';
import { tags } from './tags.ts';

export interface Storefront {
  readonly creator: PublicCreator;
  readonly items: readonly PublicOffering[];
  /** Tags, age and expiry of a response that is made of both parts. */
  readonly metadata: Omit<LoadedAnswer, 'text'>;
}

/** Reads a creator and the offerings in parallel. @throws Refusal `not_found` if no public profile has the username */
export async function readStorefront(creators: CreatorReads, username: string): Promise<Storefront> {
  const [profile, list] = await Promise.all([creators.profile(username), creators.offerings(username)]);
  const creator = valueOf<PublicCreator>(profile);
  const { items } = valueOf<PublicOfferingList>(list);
  const ages = [profile, list].flatMap(({ found: { ageMs } }) => (ageMs === undefined ? [] : [ageMs]));
  const metadata = {
    tags: [tags.creator(creator.uid), tags.offeringsOf(creator.uid)],
    ...(ages.length > 0 && { ageMs: Math.max(...ages) }),
    // At the end of a workshop it moves to the end of the list, so the response is outdated then.
    expiresAt: firstExpiry([profile.found, list.found]),
  };
  return { creator, items, metadata };
}
