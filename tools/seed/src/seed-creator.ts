import type { FlowSettings } from '@stoa/realm';
import { Account } from './account.ts';
import type { CreatorSeed, OfferingSeed } from './data/creator-seed.ts';
import { offeringForm, profileForm, slug } from './forms.ts';
import { backoff, mayPass } from './http.ts';
import { coverSvg } from './pictures/cover.ts';
import { portraitSvg } from './pictures/portrait.ts';
import { randomFrom } from './pictures/random.ts';
import { render } from './pictures/render.ts';
import type { CreatorClient, SiteClient } from './site.client.ts';

const attempts = 4;
const portraitWidths = [800, 768, 960] as const;
const coverWidths = [1500, 1440, 1320] as const;

/** Brings one creator to what the seed says, as far as it is not there yet. Answers whether anything was done. */
export async function seedCreator(
  site: SiteClient,
  flow: FlowSettings,
  seed: CreatorSeed,
  password: string,
): Promise<boolean> {
  const seen = await site.find(seed.username);
  // Looking costs two reads; signing in costs Keycloak a password hash.
  if (seen && hasProfile(seen.creator) && missing(seed, seen.offerings).length === 0) return false;
  const client = site.as(await Account.open(flow, seed, password, seen !== undefined));
  if (!hasProfile(await client.open())) {
    await client.saveProfile(profileForm(seed, await uploadPortrait(client, seed)));
  }
  await createOfferings(client, seed);
  return true;
}

/** Every seeded profile has niches, and a new account has none. */
function hasProfile({ niches, bio }: { niches: readonly string[]; bio: string }): boolean {
  return niches.length > 0 || bio !== '';
}

function missing({ offerings }: CreatorSeed, present: readonly { title: string }[]): OfferingSeed[] {
  const titles = new Set(present.map(({ title }) => title));
  return offerings.filter(({ title }) => !titles.has(title));
}

async function uploadPortrait(client: CreatorClient, { username, portrait }: CreatorSeed) {
  if (!portrait) return undefined;
  const width = randomFrom(`${username} width`).pick(portraitWidths);
  return client.upload('profile-picture', await render(portraitSvg(username, portrait), username, width));
}

/** After a failure that may have come too late, looks again at what is there before creating anything. */
async function createOfferings(client: CreatorClient, seed: CreatorSeed): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      for (const offering of missing(seed, await client.offerings())) {
        const cover = await client.upload('offering-cover', await coverOf(seed, offering));
        await client.createOffering(offeringForm(seed, offering, cover));
      }
      return;
    } catch (error) {
      if (attempt + 1 >= attempts || !mayPass(error)) throw error;
      await backoff(attempt);
    }
  }
}

function coverOf({ username, niches, offerings }: CreatorSeed, offering: OfferingSeed) {
  const svg = coverSvg(username, niches, offering.title, offerings.indexOf(offering));
  const width = randomFrom(`${username} ${offering.title} width`).pick(coverWidths);
  return render(svg, slug(offering.title), width);
}
