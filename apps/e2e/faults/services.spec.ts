import type { Page } from '@playwright/test';
import type { Creator, Offering, UploadGrant } from '@stoa/contracts';
import { fetchJson, fetchApi, expectProblem } from '../src/api.ts';
import { controlProcess, pidOf } from '../src/process-control.ts';
import {
  makeCreator,
  type TestCreator,
  makeOffering,
  renewToken,
  postFile,
  requestUpload,
  saveProfile,
} from '../src/creators.ts';
import { updateRow } from '../src/database.ts';
import { waitForMail } from '../src/mail-catcher.ts';
import { untilPageShows } from '../src/navigation.ts';
import { randomPhoto } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

let creator: TestCreator;

test.beforeAll(async () => {
  creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName, bio: 'Still standing.' });
  await makeOffering(creator.token, { title: 'A column' });
});
// The tests last longer than a token.
test.beforeEach(async () => {
  creator.token = await renewToken(creator);
});

const services = ['identity', 'creators', 'offerings', 'media', 'contact', 'gateway'] as const;

/** A call that only this service can answer. */
const ownCall: Record<(typeof services)[number], () => Promise<Response>> = {
  identity: () => fetchApi('POST', '/api/session', { token: creator.token }),
  creators: () => fetchApi('GET', '/api/me', { token: creator.token }),
  offerings: () => fetchApi('GET', '/api/me/offerings', { token: creator.token }),
  media: () =>
    fetchApi('POST', '/api/uploads', {
      token: creator.token,
      body: { purpose: 'profile-picture', filename: 'a.png', contentType: 'image/png', size: 9 },
    }),
  contact: () =>
    fetchApi('POST', '/api/contact-messages', {
      body: { id: crypto.randomUUID(), name: 'A', email: 'a@example.test', subject: 'S', message: 'M' },
    }),
  gateway: () => fetchApi('GET', '/api/config'),
};

/** Leaves something with a service, and answers how to see that it is still there. */
const leave: Record<(typeof services)[number], () => Promise<() => Promise<void>>> = {
  identity: () =>
    Promise.resolve(async () => {
      const { uid } = await fetchJson<Creator>('POST', '/api/session', { token: creator.token });
      expect(uid).toBe(creator.uid);
    }),
  creators: () =>
    Promise.resolve(async () => {
      const { bio } = await fetchJson<Creator>('GET', '/api/me', { token: creator.token });
      expect(bio).toBe('Still standing.');
    }),
  offerings: () =>
    Promise.resolve(async () => {
      const { items } = await fetchJson<{ items: Offering[] }>('GET', '/api/me/offerings', {
        token: creator.token,
      });
      expect(items.map(({ title }) => title)).toEqual(['A column']);
    }),
  media: async () => {
    const photo = await randomPhoto();
    const grant: UploadGrant = await requestUpload(creator.token, 'profile-picture', photo);
    expect((await postFile(grant, photo)).ok).toBe(true);
    return async () => {
      const path = `/api/uploads/${grant.id}/complete`;
      expect(await fetchJson('POST', path, { token: creator.token })).toMatchObject({ id: grant.id });
    };
  },
  contact: async () => {
    const subject = `Before the kill ${crypto.randomUUID()}`;
    const body = { id: crypto.randomUUID(), name: 'A', email: 'a@example.test', subject, message: 'M' };
    await fetchJson('POST', '/api/contact-messages', { body });
    return async () => {
      // The killed process had reserved it for minutes: the test does not wait for that.
      await updateRow('contact', 'UPDATE message SET next_try_at = now() WHERE id = $1', [body.id]);
      await waitForMail((mail) => mail.subject.includes(subject));
    };
  },
  gateway: () =>
    Promise.resolve(async () => {
      const { bio } = await fetchJson<Creator>('GET', `/api/creators/${creator.username}`);
      expect(bio).toBe('Still standing.');
    }),
};

const statusOf = (request: () => Promise<Response>) => () =>
  request().then(
    ({ status }) => status,
    () => 0,
  );

const succeeds = (request: () => Promise<Response>) => () =>
  request().then(
    ({ ok }) => ok,
    () => false,
  );

for (const service of services) {
  test(`${service} is restarted after a kill without data loss, and the others keep answering`, async () => {
    const stillThere = await leave[service]();
    const before = await pidOf(service);
    await controlProcess('kill', service);
    if (service !== 'gateway') {
      for (const other of services.filter((name) => name !== service && name !== 'identity')) {
        // The gateway composes nothing here, so each answer is that service's own.
        expect(await succeeds(ownCall[other])(), `${other} without ${service}`).toBe(true);
      }
    }
    const isAnother = async () => ![null, before].includes(await pidOf(service));
    await expect.poll(isAnother, { timeout: 60_000 }).toBe(true);
    await expect.poll(succeeds(ownCall[service]), { timeout: 60_000 }).toBe(true);
    await stillThere();
  });
}

async function profileWithout(page: Page, what: () => Promise<void>): Promise<void> {
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('heading', { level: 1, name: creator.displayName })).toBeVisible();
  await what();
}

test('an outage of offerings degrades its part of a profile alone', async ({ page }) => {
  await controlProcess('stop', 'offerings');
  try {
    // A change empties the gateway's memory of public answers.
    await saveProfile(creator.token, { displayName: creator.displayName, bio: 'Standing without goods.' });
    const stranger = await makeCreator();
    await page.goto(`/profile/${stranger.username}`);
    await expect(page.getByRole('heading', { level: 1, name: stranger.displayName })).toBeVisible();
    await expect(page.getByText('Failed to load offerings.')).toBeVisible({ timeout: 30_000 });
    await untilPageShows(`/profile/${creator.username}`, 'Standing without goods.');
    await profileWithout(page, () => expect(page.getByText('Standing without goods.')).toBeVisible());
    expect((await expectProblem(await ownCall.offerings(), 503)).code).toBe('unavailable');

    await controlProcess('start', 'offerings');
    await untilPageShows(`/profile/${stranger.username}`, 'This creator has not added any offerings yet.');
    await page.goto(`/profile/${stranger.username}`);
    await expect(page.getByText('This creator has not added any offerings yet.')).toBeVisible();
  } finally {
    await controlProcess('start', 'offerings');
  }
});

test('an outage of creators fails the sitemap, not the pages', async () => {
  await controlProcess('stop', 'creators');
  try {
    // The gateway keeps what it has for a moment; then it says that it has nothing.
    await expect
      .poll(
        statusOf(() => fetchApi('GET', '/sitemap.xml')),
        { timeout: 30_000 },
      )
      .toBe(503);
    await expectProblem(await fetchApi('GET', '/sitemap.xml'), 503);
    expect((await fetchApi('GET', '/browse-creators')).status).toBe(200);
  } finally {
    await controlProcess('start', 'creators');
  }
});
