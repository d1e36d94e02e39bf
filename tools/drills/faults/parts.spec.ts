import type { CreatorPage } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { fetchJson, fetchApi, expectProblem } from '@stoa/e2e/api';
import { deletionFaults, makeLeaver, requestDeletion, deletionOf, retryDeletionsNow } from '@stoa/e2e/leaver';
import { ProxiedApp } from '../src/proxied-app.ts';
import { mails } from '@stoa/e2e/mail-catcher';
import { controlProcess, runOf, whileDown } from '@stoa/e2e/process-control';
import { makeCreator, makeOffering } from '@stoa/e2e/creators';
import { randomFile } from '@stoa/e2e/files';
import { realmUrl, theSystem } from '@stoa/e2e/system';
import { expect, test } from '@stoa/e2e/test';

const apps = ['gateway', 'identity', 'creators', 'offerings', 'media', 'contact', 'edge'];

test('an outage of NATS crashes nothing, and everything recovers', async () => {
  const { token, username } = await makeCreator();
  const before = await Promise.all(apps.map(runOf));
  await controlProcess('stop', 'nats');
  try {
    const response = await fetchApi('GET', `/api/me/offerings`, { token });
    expect([503, 504]).toContain(response.status);
    await expectProblem(response, response.status);
    expect((await fetchApi('GET', '/')).status, 'pages are still served').toBe(200);
    const ready = await fetch(`http://127.0.0.1:${theSystem().ports.health}/health/ready`);
    expect(ready.status, 'so the gateway stays behind its load balancer').toBe(200);
  } finally {
    await controlProcess('start', 'nats');
  }
  // Waits for all services, because each recovers at its own pace.
  const answers = async () => {
    const calls = [
      fetchApi('GET', '/api/me/offerings', { token }),
      fetchApi('GET', '/api/me', { token }),
      fetchApi('POST', `/api/uploads/${randomUUID()}/complete`, { token }),
    ];
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  await expect.poll(answers, { timeout: 60_000 }).toEqual([200, 200, 404]);
  expect(await Promise.all(apps.map(runOf)), 'no app had to be restarted').toEqual(before);

  // Events are delivered again: the count on the creator's card changes.
  await makeOffering(token);
  const count = async () => {
    const page = await fetchJson<CreatorPage>('GET', `/api/creators?search=${username}`);
    return page.items[0]?.offeringCount;
  };
  await expect.poll(count, { timeout: 30_000 }).toBe(1);
});

test('an outage of the object store fails only uploads', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  await controlProcess('stop', 'minio');
  try {
    await page.getByLabel('Profile Picture').setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
    await expect(page.getByText('The picture could not be uploaded. Please try again.')).toBeVisible();
  } finally {
    await controlProcess('start', 'minio');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
});

test('a failed file upload is retried without losing the form', async ({ signedInPage: page, creator }) => {
  const { id } = await makeOffering(creator.token);
  const file = randomFile();
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Title').fill('Typed before');
  await controlProcess('stop', 'minio');
  try {
    await page.getByLabel('Downloadable File').setInputFiles(file);
    await expect(page.getByText('The file could not be uploaded. Please try again.')).toBeVisible();
  } finally {
    await controlProcess('start', 'minio');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Typed before');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page).toHaveURL('/dashboard');
  await page.goto(`/download/${creator.uid}/${id}`);
  await expect(page.getByRole('heading', { name: 'Typed before' })).toBeVisible();
  await expect(page.getByText(file.name)).toBeVisible();
});

test('an outage of Postgres is 503, and everything recovers [e2e-49]', async () => {
  const { token } = await makeCreator();
  await controlProcess('stop', 'postgres');
  try {
    const response = await fetchApi('GET', '/api/me', { token });
    await expectProblem(response, 503);
  } finally {
    await controlProcess('start', 'postgres');
  }
  await expect
    .poll(async () => (await fetchApi('GET', '/api/me', { token })).status, { timeout: 60_000 })
    .toBe(200);
  await expect(async () => void (await makeCreator())).toPass({ timeout: 60_000 });
});

for (const how of ['stop', 'pause'] as const)
  test(`mail waits while the mail server ${how === 'stop' ? 'is away' : 'hangs'}, and arrives once`, async () => {
    const leaver = await makeLeaver();
    const subject = `Through an outage of mail ${randomUUID()}`;
    const body = { id: randomUUID(), name: 'A', email: 'a@example.test', subject, message: 'M' };
    await whileDown(
      'mail',
      async () => {
        expect((await fetchApi('POST', '/api/contact-messages', { body })).status).toBe(202);
        await requestDeletion(leaver);
        // Only the receipt of the deletion is still missing.
        await expect
          .poll(() => deletionOf(leaver), { timeout: 30_000 })
          .toMatchObject({
            erased: ['contact', 'creators', 'media', 'offerings'],
            finished: false,
          });
      },
      how,
    );
    const received = async () => (await mails()).filter((mail) => mail.subject.includes(subject)).length;
    await expect.poll(received, { timeout: 60_000 }).toBe(1);
    await expect(async () => {
      await retryDeletionsNow();
      expect(await deletionFaults(leaver)).toEqual([]);
    }).toPass({ timeout: 60_000 });
    expect(await received()).toBe(1);
  });

test('an outage of the edge affects sign-in and pictures, but no page', async ({ page }) => {
  const { token, username, displayName } = await makeCreator();
  const reachesKeycloak = () =>
    fetch(`${realmUrl()}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  await whileDown('edge', async () => {
    expect(await reachesKeycloak()).toBe(false);
    expect((await fetchApi('GET', '/api/me', { token })).status).toBe(200);
    await page.goto(`/profile/${username}`);
    await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible();
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
  await expect.poll(reachesKeycloak).toBe(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
});

test('an outage of one of two gateways leaves the other answering', async () => {
  const creator = await makeCreator();
  const second = await ProxiedApp.of('gateway', []);
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${second.ports.site}${path}`, {
      headers: { authorization: `Bearer ${creator.token}` },
    }).then(
      ({ status }) => status,
      () => 0,
    );
  const answers = () => Promise.all(['/', `/profile/${creator.username}`, '/api/me'].map(ask));
  try {
    await expect.poll(answers, { timeout: 30_000 }).toEqual([200, 200, 200]);
    await whileDown('gateway', async () => expect(await answers()).toEqual([200, 200, 200]));
  } finally {
    await second.stop();
  }
});
