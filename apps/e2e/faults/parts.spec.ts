import type { CreatorPage } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { ask, call, problemOf } from '../src/api.ts';
import { command, pidOf } from '../src/control.ts';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { aFile } from '../src/files.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const apps = ['gateway', 'identity', 'creators', 'offerings', 'media', 'contact', 'edge'];

test('NATS goes and comes back: nothing crashes, everything answers again', async () => {
  const { token, username } = await makeCreator();
  const before = await Promise.all(apps.map(pidOf));
  await command('stop', 'nats');
  try {
    const response = await call('GET', `/api/me/offerings`, { token });
    expect([503, 504]).toContain(response.status);
    await problemOf(response, response.status);
    expect((await call('GET', '/')).status, 'pages are still served').toBe(200);
    const ready = await fetch(`http://127.0.0.1:${theSystem().ports.health}/health/ready`);
    expect(ready.status, 'so the gateway stays behind its load balancer').toBe(200);
  } finally {
    await command('start', 'nats');
  }
  // Each service comes back in its own time.
  const answers = async () => {
    const calls = [
      call('GET', '/api/me/offerings', { token }),
      call('GET', '/api/me', { token }),
      call('POST', `/api/uploads/${randomUUID()}/complete`, { token }),
    ];
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  await expect.poll(answers, { timeout: 60_000 }).toEqual([200, 200, 404]);
  expect(await Promise.all(apps.map(pidOf)), 'no app had to be restarted').toEqual(before);

  // Events flow again: the count on the creator's card follows.
  await makeOffering(token);
  const count = async () => {
    const page = await ask<CreatorPage>('GET', `/api/creators?search=${username}`);
    return page.items[0]?.offeringCount;
  };
  await expect.poll(count, { timeout: 30_000 }).toBe(1);
});

test('without the object store a picture says so, and the rest goes on', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  await command('stop', 'minio');
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
    await command('start', 'minio');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
});

test('a file whose upload failed is sent again without losing the form', async ({
  signedInPage: page,
  creator,
}) => {
  const { id } = await makeOffering(creator.token);
  const file = aFile();
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Title').fill('Typed before');
  await command('stop', 'minio');
  try {
    await page.getByLabel('Downloadable File').setInputFiles(file);
    await expect(page.getByText('The file could not be uploaded. Please try again.')).toBeVisible();
  } finally {
    await command('start', 'minio');
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

test('Postgres goes and comes back: calls fail cleanly and then answer again', async () => {
  const { token } = await makeCreator();
  await command('stop', 'postgres');
  try {
    const response = await call('GET', '/api/me', { token });
    await problemOf(response, 503);
  } finally {
    await command('start', 'postgres');
  }
  await expect
    .poll(async () => (await call('GET', '/api/me', { token })).status, { timeout: 60_000 })
    .toBe(200);
  await expect(async () => void (await makeCreator())).toPass({ timeout: 60_000 });
});
