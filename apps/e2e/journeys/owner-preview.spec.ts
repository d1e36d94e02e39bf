import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchApi, fetchJson } from '../src/api.ts';
import { makeNewcomer, makeOffering } from '../src/creators.ts';
import { signInAs } from '../src/screens/sign-in-as.ts';
import type { World } from '../src/screens/screen.ts';
import { expect, test } from '../src/test.ts';

test('only its owner can preview a draft, and publishes it there [e2e-111]', async ({
  signedInPage: page,
  creator: { token, username },
}) => {
  const { id, slug } = await makeOffering(token, { title: 'Letters to the sea', state: 'draft' });
  const visits: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/visits')) visits.push(request.url());
  });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'More for Letters to the sea' }).click();
  await page.getByRole('link', { name: 'Preview Letters to the sea' }).click();
  await expect(page).toHaveURL(`/dashboard/preview/${id}`);
  const bar = page.getByRole('region', { name: 'Preview' });
  await expect(bar).toContainText('Only you can see this.');
  await expect(page.getByRole('heading', { level: 1, name: 'Letters to the sea' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Access Now/ })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Edit' })).toHaveAttribute(
    'href',
    `/dashboard/edit-offering/${id}`,
  );
  await expectAccessible(page, 'owner-preview');

  // Other users cannot read the draft, and caches may not store it.
  expect((await fetchApi('GET', `/profile/${username}/${slug}`)).status).toBe(404);
  expect((await fetchApi('GET', `/api/creators/${username}/offerings/${slug}`)).status).toBe(404);
  const own = await fetchApi('GET', '/api/me/offerings', { token });
  expect(own.headers.get('cache-control')).toMatch(/no-store/);
  const stranger = await makeNewcomer();
  const asked = await fetchApi('GET', `/api/offerings/${id}`, { token: stranger.token });
  expect(asked.status).toBeGreaterThanOrEqual(403);
  expect(visits).toEqual([]);

  await bar.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Your offering is published.')).toBeVisible();
  await expect
    .poll(async () => (await fetchApi('GET', `/api/creators/${username}/offerings/${slug}`)).status)
    .toBe(200);
  // After publication, the address of the preview redirects to the public page.
  await page.goto(`/dashboard/preview/${id}`);
  await expect(page).toHaveURL(`/profile/${username}/${slug}`);
});

test('an owner previews a profile that is not public yet [e2e-112]', async ({ page }) => {
  const newcomer = await makeNewcomer();
  await makeOffering(newcomer.token, { title: 'Twelve letters' });
  await signInAs(page, 'newcomer', { newcomer } as unknown as World);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Preview My Profile' }).click();
  await expect(page).toHaveURL('/dashboard/preview');
  const bar = page.getByRole('region', { name: 'Preview' });
  await expect(bar).toContainText('Only you can see this.');
  await expect(page.getByRole('heading', { level: 1, name: newcomer.displayName })).toBeVisible();
  await expectAccessible(page, 'owner-preview-profile');
  await page.getByRole('link', { name: 'Twelve letters', exact: true }).click();
  await expect(bar).toContainText('Visitors see it as soon as your profile is public.');
  const { status } = await fetchApi('GET', `/api/creators/${newcomer.username}`);
  expect(status).toBe(404);
  const { isPublic } = await fetchJson<{ isPublic: boolean }>('GET', '/api/me', { token: newcomer.token });
  expect(isPublic).toBe(false);
});
