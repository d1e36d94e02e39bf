import type { PublicCreator, PublicOffering } from '@stoa/contracts';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchJson } from '@stoa/e2e/api';
import { makePastVisits } from '@stoa/e2e/past-visits';
import { repository } from '@stoa/e2e/repository';
import { makeScreenAccounts } from '@stoa/e2e/screens/screen-accounts';
import type { World } from '@stoa/e2e/screens/screen';
import { theSystem } from '@stoa/e2e/system';

export const sampleUsername = 'amara-okafor';

/** Seeds the system and returns the password of every seeded creator. */
export async function seed(): Promise<string> {
  // A seeded system gets its password from the environment; seeding again only completes it.
  const password = process.env.SEED_PASSWORD ?? randomBytes(12).toString('base64url');
  console.log('Seeding…');
  const { siteUrl, keycloak } = theSystem();
  await promisify(execFile)(process.execPath, [join(repository, 'tools/seed/src/main.ts')], {
    env: {
      ...process.env,
      SITE_URL: siteUrl,
      KEYCLOAK_URL: keycloak.publicUrl,
      KEYCLOAK_REALM: keycloak.realm,
      SEED_PASSWORD: password,
    },
  });
  return password;
}

/** The first offering on the sample creator's page. */
export async function sampleOffering(): Promise<PublicOffering> {
  const path = `/api/creators/${sampleUsername}/offerings`;
  const { items } = await fetchJson<{ items: PublicOffering[] }>('GET', path);
  const [offering] = items;
  if (!offering) throw new Error(`${sampleUsername} has no offering.`);
  return offering;
}

/** A seeded system with all accounts that the screens show. */
export async function seededWorld(): Promise<World> {
  // Creates the accounts before the seed data, which is then the newest and first on the home page and the
  // list.
  const accounts = await makeScreenAccounts();
  const password = await seed();
  const { uid } = await fetchJson<PublicCreator>('GET', `/api/creators/${sampleUsername}`);
  const offering = await sampleOffering();
  await makePastVisits(uid, offering.id);
  return {
    ...accounts,
    creator: {
      uid,
      offeringId: offering.id,
      slug: offering.slug,
      username: sampleUsername,
      email: `${sampleUsername}@example.com`,
      password,
    },
  };
}
