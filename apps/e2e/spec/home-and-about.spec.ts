import type { Page } from '@playwright/test';
import { expect, lines, row, rows, test } from '../src/spec-test.ts';

const cardsOf = (page: Page) => page.locator('#featured').getByRole('article');
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search featured creators' });
const filters = (page: Page) => page.getByRole('group', { name: 'Filter by niche' }).getByRole('button');

async function expectAtSignUp(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible();
}

test.describe('the home page', () => {
  let page: Page;

  test.beforeEach(async ({ openAsVisitor }) => {
    page = await openAsVisitor('/');
    await expect(cardsOf(page)).toHaveCount(5);
  });

  test(...row('2.home.featured', 'the home page'), async () => {
    const allowed = ['Writer', 'Poet', 'Artist', 'Healer', 'Coach', 'Musician'];
    for (const card of await cardsOf(page).all()) {
      const niches = await card.getByRole('list', { name: 'Niches' }).getByRole('listitem').allInnerTexts();
      expect(niches.length).toBeGreaterThan(0);
      expect(allowed).toEqual(expect.arrayContaining(niches));
    }
  });

  test(...row('2.home.one-profile', 'the links of the five cards'), async () => {
    const links = cardsOf(page).getByRole('link', { name: /^View Profile/ });
    await expect(links).toHaveCount(5);
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(new Set(addresses).size).toBe(1);
    expect(addresses[0]).toMatch(/^\/profile\/[a-z-]+$/);
  });

  test(...row('9.featured', 'the home page'), async () => {
    await expect(cardsOf(page)).toHaveCount(5);
    await expect(cardsOf(page).getByRole('heading')).toHaveCount(5);
  });

  test(...row('9.home-filters', 'the home page'), async () => {
    await expect(filters(page)).toHaveCount(5);
    await expect(filters(page).first()).toHaveText('All');
    await expect(filters(page).first()).toHaveAttribute('aria-pressed', 'true');
  });
});

test.describe('the home page, used', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/');
    await expect(cardsOf(page)).toHaveCount(5);
  });

  test(...row('2.home.discover', 'the anchor is followed'), async ({ page }) => {
    await page.getByRole('link', { name: 'Discover Creators' }).click();
    await expect(page).toHaveURL('/#featured');
    await expect(page.getByRole('heading', { name: 'Featured creators' })).toBeInViewport();
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Search featured creators')).toBeFocused();
  });

  test(...row('2.home.join', 'the link is followed'), async ({ page }) => {
    await expect(page.getByRole('link', { name: 'Join Now' })).toHaveAttribute('href', '/signup');
    await page.getByRole('link', { name: 'Join Now' }).click();
    await expectAtSignUp(page);
  });

  test(
    ...rows({
      '2.home.search-name': 'a part of one name is typed',
      '2.home.search-tagline': 'a word of one tagline is typed',
      '2.home.empty': 'a search that no card matches',
      '2.home.filters': 'each button is pressed',
    }),
    async ({ page }) => {
      await search(page).fill('OKAFOR');
      await expect(cardsOf(page)).toHaveCount(1);
      await expect(cardsOf(page).getByRole('heading')).toHaveText('Amara Okafor');

      await search(page).fill('Rivers');
      await expect(cardsOf(page)).toHaveCount(1);
      await expect(cardsOf(page)).toContainText('rivers');

      await search(page).fill('nobody is called this');
      await expect(page.getByText(lines['2.home.empty'], { exact: true })).toBeVisible();
      await expect(cardsOf(page)).toHaveCount(0);

      await search(page).fill('');
      await expect(filters(page)).toHaveText(['All', 'Writer', 'Artist', 'Healer', 'Coach']);
      for (const niche of ['Writer', 'Artist', 'Healer', 'Coach']) {
        await filters(page).filter({ hasText: niche }).click();
        await expect(cardsOf(page).filter({ hasNotText: niche })).toHaveCount(0);
        await expect(cardsOf(page).first()).toContainText(niche);
      }
      await filters(page).filter({ hasText: 'All' }).click();
      await expect(cardsOf(page)).toHaveCount(5);
    },
  );

  test(...row('2.home.story', 'its link is followed'), async ({ page }) => {
    const teaser = page.getByRole('region', { name: 'Our Story' });
    await teaser.getByRole('link', { name: 'Read Our Story' }).click();
    await expect(page).toHaveURL('/about');
  });
});

test(...row('2.about.story', 'the page is read'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: /mission|believe|promise/i }).first()).toBeVisible();
  expect((await page.getByRole('main').innerText()).length).toBeGreaterThan(2000);
});

test(...row('2.about.early-access', 'the link is followed'), async ({ page }) => {
  await page.goto('/about');
  const link = page.getByRole('main').getByRole('link', { name: 'Get Early Access' });
  await expect(link).toHaveAttribute('href', '/signup');
  await link.click();
  await expectAtSignUp(page);
});
