import { makeCreator, saveProfile } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

test('the home page searches and filters its featured five', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Discover Creators' }).click();
  await expect(page).toHaveURL('/#featured');
  const cards = page.locator('#featured').getByRole('article');
  await expect(cards).toHaveCount(5);
  await page.getByRole('searchbox', { name: 'Search featured creators' }).fill('RIVERS');
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: 'Healer' }).click();
  await expect(page.getByText('No featured creators match your search.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search featured creators' }).fill('');
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(cards).toHaveCount(5);
  const profiles = await page
    .locator('#featured')
    .getByRole('link', { name: /^View Profile/ })
    .all();
  const addresses = await Promise.all(profiles.map((link) => link.getAttribute('href')));
  expect(new Set(addresses).size, 'all cards link to one sample profile').toBe(1);
});

test('searching creators takes wildcards literally and folds accents', async ({ page }) => {
  const creator = await makeCreator();
  const mark = creator.username.slice(-8);
  await saveProfile(creator.token, { displayName: `Zoë 100% ${mark}`, niches: ['Coach'] });
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  const card = page.getByRole('article').filter({ hasText: mark });
  await search.fill(`zoe 100% ${mark}`);
  await expect(card).toBeVisible();
  await search.fill(`zo_ 100% ${mark}`);
  await expect(card).toHaveCount(0);
  await expect(page.getByText(/No creators found matching your criteria/)).toBeVisible();
  await search.fill(`ZOË 100% ${mark}`);
  await expect(card).toBeVisible();
  await search.fill(`ZOË%${mark}`);
  await expect(card).toHaveCount(0);
  await expect(page.getByText(/No creators found matching your criteria/)).toBeVisible();
});

test('search and niche live in the address, and the back button returns to them', async ({ page }) => {
  const creator = await makeCreator();
  await saveProfile(creator.token, { displayName: creator.displayName, niches: ['Musician'] });
  await page.goto(`/browse-creators?search=${creator.username}&niche=Musician`);
  await expect(page.getByRole('searchbox', { name: 'Search creators' })).toHaveValue(creator.username);
  await expect(page.getByRole('button', { name: 'Musician' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('link', { name: 'View Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: creator.displayName })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('article').filter({ hasText: creator.displayName })).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search creators' })).toHaveValue(creator.username);
});

test('the menu of a phone opens, and a link closes it', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('link', { name: 'About Us' }).click();
  await expect(page).toHaveURL('/about');
  await expect(menu).toBeHidden();
});

test('/terms leads to the terms, and an unknown address says so', async ({ page }) => {
  await page.goto('/terms');
  await expect(page).toHaveURL('/terms-of-service');
  await expect(page.getByText('ZAR 100')).toBeVisible();
  await page.goto('/there/is/nothing/here');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('This page is a ruin.');
});

test('the legal links of the footer lead to real pages', async ({ page }) => {
  for (const name of ['Privacy Policy', 'Terms of Service', 'Community Guidelines', 'Help & Feedback']) {
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name.replace(' & Feedback', ''));
    expect((await page.getByRole('main').innerText()).length).toBeGreaterThan(1000);
  }
});

test('a visitor never waits for Keycloak', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/browse-creators');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading creators...')).toHaveCount(0);
  expect(asked.filter((url) => /\/realms\/|keycloak/i.test(url))).toEqual([]);
});
