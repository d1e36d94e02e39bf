import type { Page } from '@playwright/test';
import { call, problemOf } from '../src/api.ts';
import { command, expectSaid, pidOf, said } from '../src/control.ts';
import { makeCreator, type MadeCreator, makeOffering, saveProfile } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

let creator: MadeCreator;

test.beforeAll(async () => {
  creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName, bio: 'Still standing.' });
  await makeOffering(creator.token, { title: 'A column' });
});

const services = ['identity', 'creators', 'offerings', 'media', 'contact', 'gateway'] as const;

/** A call that only this service can answer. */
const ownCall: Record<(typeof services)[number], () => Promise<Response>> = {
  identity: () => call('POST', '/api/session', { token: creator.token }),
  creators: () => call('GET', '/api/me', { token: creator.token }),
  offerings: () => call('GET', '/api/me/offerings', { token: creator.token }),
  media: () =>
    call('POST', '/api/uploads', {
      token: creator.token,
      body: { purpose: 'profile-picture', filename: 'a.png', contentType: 'image/png', size: 9 },
    }),
  contact: () =>
    call('POST', '/api/contact-messages', {
      body: { id: crypto.randomUUID(), name: 'A', email: 'a@example.test', subject: 'S', message: 'M' },
    }),
  gateway: () => call('GET', '/api/config'),
};

const statusOf = (ask: () => Promise<Response>) => () =>
  ask().then(
    ({ status }) => status,
    () => 0,
  );

for (const service of services) {
  test(`${service}, killed, is restarted while the others go on`, async () => {
    const seen = (await said()).length;
    const before = await pidOf(service);
    await command('kill', service);
    if (service !== 'gateway') {
      for (const other of services.filter((name) => name !== service && name !== 'identity')) {
        // The gateway composes nothing here, so each answer is that service's own.
        expect(await statusOf(ownCall[other])(), `${other} without ${service}`).toBeLessThan(300);
      }
    }
    await expectSaid(new RegExp(`${service} stopped \\(SIGKILL\\), restarting in`), seen);
    await expectSaid(new RegExp(`${service} runs again`), seen);
    expect(await pidOf(service)).not.toBe(before);
    await expect.poll(statusOf(ownCall[service]), { timeout: 30_000 }).toBeLessThan(300);
  });
}

async function profileWithout(page: Page, what: () => Promise<void>): Promise<void> {
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('heading', { level: 1, name: creator.displayName })).toBeVisible();
  await what();
}

test('without offerings a profile still shows, and its own corner says so', async ({ page }) => {
  await command('stop', 'offerings');
  try {
    // A change empties the gateway's memory of public answers.
    await saveProfile(creator.token, { displayName: creator.displayName, bio: 'Standing without goods.' });
    const stranger = await makeCreator();
    await page.goto(`/profile/${stranger.username}`);
    await expect(page.getByRole('heading', { level: 1, name: stranger.displayName })).toBeVisible();
    await expect(page.getByText('Failed to load offerings.')).toBeVisible();
    await profileWithout(page, () => expect(page.getByText('Standing without goods.')).toBeVisible());
    expect((await problemOf(await ownCall.offerings(), 503)).code).toBe('unavailable');

    await command('start', 'offerings');
    await page.goto(`/profile/${stranger.username}`);
    await expect(page.getByText('This creator has not added any offerings yet.')).toBeVisible();
  } finally {
    await command('start', 'offerings');
  }
});

test('without creators there is no sitemap, and the pages still come', async () => {
  await command('stop', 'creators');
  try {
    // The gateway keeps what it has for a moment; then it says that it has nothing.
    await expect
      .poll(
        statusOf(() => call('GET', '/sitemap.xml')),
        { timeout: 30_000 },
      )
      .toBe(503);
    await problemOf(await call('GET', '/sitemap.xml'), 503);
    expect((await call('GET', '/browse-creators')).status).toBe(200);
  } finally {
    await command('start', 'creators');
  }
});
