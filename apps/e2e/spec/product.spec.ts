import { randomUUID } from 'node:crypto';
import { makeCreator, saveProfile } from '../src/creators.ts';
import { expect, residentTest, row, rows, test } from '../src/spec-test.ts';

test(...row('1.visitors', 'a visitor without an account'), async ({ page }) => {
  const creator = await makeCreator();
  const word = `binder${randomUUID().slice(0, 8)}`;
  await saveProfile(creator.token, { displayName: creator.displayName, bio: `A ${word}.` });
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Browse Creators' }).click();
  await page.getByRole('searchbox', { name: 'Search creators' }).fill(word);
  await expect(page.getByRole('status')).toHaveText('1 creator');
  await page.getByRole('link', { name: 'View Profile' }).click();
  await expect(page.getByText(`A ${word}.`)).toBeVisible();
  const names = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log In' });
  await expect(names, 'the visitor is still signed out').toBeVisible();
});

test(
  ...rows({
    '6.visitor.home': 'a visitor without an account; the site sends no request to Keycloak',
    '6.visitor.contact': 'a visitor without an account; the site sends no request to Keycloak',
    '6.visitor.legal': 'a visitor without an account; the site sends no request to Keycloak',
  }),
  async ({ page, baseURL }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const path of [
      '/',
      '/contact',
      '/privacy',
      '/terms-of-service',
      '/community-guidelines',
      '/help-feedback',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      expect(page.url()).toBe(`${baseURL}${path}`);
    }
    expect(asked.filter((url) => url.includes('/realms/'))).toEqual([]);
  },
);

test(...row('6.visitor.profiles', 'a visitor without an account'), async ({ openAsVisitor, resident }) => {
  const page = await openAsVisitor(`/profile/${resident.username}`);
  await expect(page.getByRole('heading', { level: 1, name: resident.displayName })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Access Now/ })).toHaveCount(2);
});

residentTest(
  ...row('d.links.server', 'the browser sends the request to the server directly, without the form'),
  async ({ page }) => {
    await page.goto('/dashboard/add-offering');
    const token = page.waitForRequest((request) => Boolean(request.headers().authorization));
    await page.goto('/dashboard');
    const { authorization = '' } = (await token).headers();
    const profile = {
      displayName: 'Nomvula',
      bio: '',
      paygates: [],
      niches: [],
      socialLinks: { youtube: 'javascript:alert(1)', tiktok: null, instagram: null },
    };
    const answer = await page.evaluate(
      async ({ body, authorization }) => {
        const headers = { authorization, 'content-type': 'application/json' };
        const response = await fetch('/api/me/profile', { method: 'PUT', headers, body });
        return { status: response.status, text: await response.text() };
      },
      { body: JSON.stringify(profile), authorization },
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Enter a link that starts with http:// or https://.');
  },
);
