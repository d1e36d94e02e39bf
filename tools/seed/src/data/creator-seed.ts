import type { Niche, OfferingType, Paygate } from '@stoa/contracts';
import type { Portrait } from '../pictures/portrait.ts';

export interface OfferingSeed {
  title: string;
  description: string;
  price: string;
  type: OfferingType;
  /** Where the creator keeps the thing itself, for their own reference. */
  product?: string;
}

export interface CreatorSeed {
  username: string;
  displayName: string;
  niches: readonly [Niche, ...Niche[]];
  bio: string;
  portrait: Portrait | null;
  /** Names on other platforms. */
  handles?: { youtube?: string; tiktok?: string; instagram?: string };
  paygates?: readonly Paygate[];
  offerings: readonly OfferingSeed[];
}
