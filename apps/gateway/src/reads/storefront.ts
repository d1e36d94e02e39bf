import type { PublicCreator, PublicOffering, PublicOfferingList } from '@stoa/contracts';
import { type CreatorReads, valueOf } from './creator-reads.ts';
import { firstExpiry } from './expiry.ts';
import type { Loaded } from './public-reads.ts';
import { tags } from './tags.ts';

export interface Storefront {
  readonly creator: PublicCreator;
  readonly items: readonly PublicOffering[];
  /** What goes with an answer that is made of both. */
  readonly origin: Omit<Loaded, 'text'>;
}

/**
 * A creator with all that is offered, read side by side.
 *
 * @throws Refusal where nobody has the name.
 */
export async function readStorefront(creators: CreatorReads, username: string): Promise<Storefront> {
  const [profile, list] = await Promise.all([creators.profile(username), creators.offerings(username)]);
  const creator = valueOf<PublicCreator>(profile);
  const { items } = valueOf<PublicOfferingList>(list);
  const ages = [profile, list].flatMap(({ found: { ageMs } }) => (ageMs === undefined ? [] : [ageMs]));
  const origin = {
    tags: [tags.creator(creator.uid), tags.offeringsOf(creator.uid)],
    ...(ages.length > 0 && { ageMs: Math.max(...ages) }),
    // What has ended stands behind what can be bought.
    expiresAt: firstExpiry([profile.found, list.found]),
  };
  return { creator, items, origin };
}
