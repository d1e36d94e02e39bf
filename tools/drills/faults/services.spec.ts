import type { Page } from '@playwright/test';
import type { Creator, Offering, UploadGrant } from '@stoa/contracts';
import { fetchJson, fetchApi, expectProblem } from '@stoa/e2e/api';
import { controlProcess, runOf } from '@stoa/e2e/process-control';
import {
  makeCreator,
  type TestCreator,
  makeOffering,
  renewToken,
  postFile,
  requestUpload,
  saveProfile,
} from '@stoa/e2e/creators';
import { updateRow } from '@stoa/e2e/database';
import { waitForMail } from '@stoa/e2e/mail-catcher';
import { untilPageShows } from '@stoa/e2e/navigation';
import { randomPhoto } from '@stoa/e2e/pictures';
import { expect, test } from '@stoa/e2e/test';

let creator: TestCreator;

test.beforeAll(async () => {
  creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName, bio: 'Still standing.' });
  await makeOffering(creator.token, { title: 'A column' });
});
// Gets a new token for each test, because the tests last longer than a token.
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

/** Stores something with a service; resolves to a check that it is still there. */
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
      // The killed process held a lease of minutes, for which the test does not wait.
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
    const before = await runOf(service);
    await controlProcess('crash', service);
    if (service !== 'gateway') {
      for (const other of services.filter((name) => name !== service && name !== 'identity')) {
        // The gateway combines no services here, so each answer comes from one of them.
        expect(await succeeds(ownCall[other])(), `${other} without ${service}`).toBe(true);
      }
    }
    const isAnother = async () => ![null, before].includes(await runOf(service));
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

test('an outage of offerings degrades only its part of a profile', async ({ page }) => {
  await controlProcess('stop', 'offerings');
  try {
    // A change invalidates the gateway's cache of public answers.
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
    // The gateway serves its cached sitemap for a moment, then 503.
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
