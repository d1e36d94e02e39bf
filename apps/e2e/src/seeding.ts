import type { PublicCreator, PublicOffering } from '@stoa/contracts';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchJson } from './api.ts';
import { makePastVisits } from './past-visits.ts';
import { repository } from './repository.ts';
import { makeCast } from './screens/cast.ts';
import type { World } from './screens/screen.ts';
import { theSystem } from './system.ts';

/** The seeded creator whose profile the home page shows as a sample. */
export const sampleUsername = 'amara-okafor';

/** Fills the system with its samples; every seeded creator logs in with the password that it returns. */
export async function seed(): Promise<string> {
  // For a system that is seeded already its password is given; seeding again then only completes it.
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

/** What a seeded system shows first on its sample's page. */
export async function sampleOffering(): Promise<PublicOffering> {
  const path = `/api/creators/${sampleUsername}/offerings`;
  const { items } = await fetchJson<{ items: PublicOffering[] }>('GET', path);
  const [offering] = items;
  if (!offering) throw new Error(`${sampleUsername} has no offering.`);
  return offering;
}

/** A seeded system, and in it everybody whom the screens show. */
export async function seededWorld(): Promise<World> {
  // Before the samples, which are the latest then and so the first that home and the list show.
  const cast = await makeCast();
  const password = await seed();
  const { uid } = await fetchJson<PublicCreator>('GET', `/api/creators/${sampleUsername}`);
  const offering = await sampleOffering();
  await makePastVisits(uid, offering.id);
  return {
    ...cast,
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
