import { type NatsUser, provisionStreams } from '@stoa/system';
import type { NatsCredentials } from '@stoa/system/settings/parts-description';
import { userAtPlace } from '@stoa/system/settings/nats-rights';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { testParts } from './parts.ts';

/** The NATS accounts of a run. Each test file takes one, also when it runs again. */
export const natsPlaces = 200;

/** The NATS account of one test file, with its users and streams, on the server of the run. */
export interface TestNats {
  readonly url: string;
  credentials(user: NatsUser): NatsCredentials;
}

/**
 * Takes a NATS account for a test file and creates its streams. Other test files cannot see its messages. Tests with faults
 * of the server use `startNats`.
 *
 * @throws Error if all accounts of the run are taken.
 */
export async function openNats(): Promise<TestNats> {
  const { nats, placesFolder } = testParts();
  const place = takePlace(placesFolder);
  const credentials = (user: NatsUser): NatsCredentials => ({
    user: userAtPlace(user, place),
    pass: nats.users[user].pass,
    inboxPrefix: `_INBOX_${userAtPlace(user, place)}`,
  });
  await provisionStreams(nats.url, credentials('provision'));
  return { url: nats.url, credentials };
}

/** Creating a folder is atomic, so only one of several test processes takes a place. */
function takePlace(folder: string): number {
  for (let place = 0; place < natsPlaces; place += 1) {
    try {
      mkdirSync(join(folder, String(place)));
      return place;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`All ${natsPlaces} places of NATS are taken.`);
}
