import type { CreatorPage } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { fetchJson, fetchApi, expectProblem } from '../src/api.ts';
import { controlProcess, pidOf } from '../src/process-control.ts';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { randomFile } from '../src/files.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const apps = ['gateway', 'identity', 'creators', 'offerings', 'media', 'contact', 'edge'];

test('an outage of NATS crashes nothing, and everything recovers', async () => {
  const { token, username } = await makeCreator();
  const before = await Promise.all(apps.map(pidOf));
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
  // Each service comes back in its own time.
  const answers = async () => {
    const calls = [
      fetchApi('GET', '/api/me/offerings', { token }),
      fetchApi('GET', '/api/me', { token }),
      fetchApi('POST', `/api/uploads/${randomUUID()}/complete`, { token }),
    ];
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  await expect.poll(answers, { timeout: 60_000 }).toEqual([200, 200, 404]);
  expect(await Promise.all(apps.map(pidOf)), 'no app had to be restarted').toEqual(before);

  // Events flow again: the count on the creator's card follows.
  await makeOffering(token);
  const count = async () => {
    const page = await fetchJson<CreatorPage>('GET', `/api/creators?search=${username}`);
    return page.items[0]?.offeringCount;
  };
  await expect.poll(count, { timeout: 30_000 }).toBe(1);
});

test('an outage of the object store fails uploads alone', async ({ signedInPage: page }) => {
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

test('an outage of Postgres is 503, and everything recovers', async () => {
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
