import type { FlowSettings } from '@stoa/realm';
import { Account } from './account.ts';
import { type CreatorSeed, type OfferingSeed, pictureFile } from './creators.ts';
import { offeringForm, profileForm } from './forms.ts';
import { backoff, isTransient } from './http.ts';
import type { CreatorClient, SiteClient } from './site.client.ts';

const attempts = 4;

/** Creates the missing parts of one seeded creator. Returns whether anything was missing. */
export async function seedCreator(
  site: SiteClient,
  flow: FlowSettings,
  seed: CreatorSeed,
  password: string,
): Promise<boolean> {
  const seen = await site.find(seed.username);
  // Checks before it signs in: a check costs two reads, a sign-in costs Keycloak a password hash.
  if (seen && hasProfile(seen.creator) && missing(seed, seen.offerings).length === 0) return false;
  const client = site.as(await Account.open(flow, seed, password, seen !== undefined));
  if (!hasProfile(await client.open())) {
    const { picture, header } = seed;
    const face = picture && (await client.upload('profile-picture', pictureFile(picture)));
    const wide = header && (await client.upload('profile-header', pictureFile(header)));
    await client.saveProfile(profileForm(seed, face, wide));
  }
  await createOfferings(client, seed);
  return true;
}

/** Every seeded profile has niches; a new account has none. */
function hasProfile({ niches, bio }: { niches: readonly string[]; bio: string }): boolean {
  return niches.length > 0 || bio !== '';
}

function missing({ offerings }: CreatorSeed, present: readonly { title: string }[]): OfferingSeed[] {
  const titles = new Set(present.map(({ title }) => title));
  return offerings.filter(({ title }) => !titles.has(title));
}

/**
 * A failed request may have succeeded on the server, so this checks for existing offerings before it creates
 * any.
 */
async function createOfferings(client: CreatorClient, seed: CreatorSeed): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      for (const offering of missing(seed, await client.offerings())) {
        const cover = await client.upload('offering-cover', pictureFile(offering.cover));
        await client.createOffering(offeringForm(seed, offering, cover));
      }
      return;
    } catch (error) {
      if (attempt + 1 >= attempts || !isTransient(error)) throw error;
      await backoff(attempt);
    }
  }
}
