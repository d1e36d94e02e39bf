import type { CreatorPage, Offering } from '@stoa/contracts';
import type { Page, Request } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeCreator, makeOffering, offeringFields, saveProfile } from '../src/creators.ts';
import { withManyCreators } from '../src/many-creators.ts';
import { painted, settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

/** Waits until the request has an answer or is aborted. */
function endOf(page: Page, request: Request): Promise<unknown> {
  const isThis = { predicate: (candidate: Request) => candidate === request };
  return Promise.race([
    page.waitForEvent('requestfinished', isThis),
    page.waitForEvent('requestfailed', isThis),
  ]);
}

test('a slow response to an older search is discarded', async ({ page }) => {
  const [first, second] = await Promise.all([makeCreator(), makeCreator()]);
  const late = Promise.withResolvers<undefined>();
  await page.route(
    (url) => url.searchParams.get('search') === first.username,
    async (route) => {
      await late.promise;
      // `continue` fails if the page has aborted the request.
      await route.continue().catch(() => undefined);
    },
  );
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  const asked = page.waitForRequest((request) => request.url().includes(first.username));
  await search.fill(first.username);
  const ended = endOf(page, await asked);
  await search.fill(second.username);
  await expect(page.getByRole('article').filter({ hasText: second.displayName })).toBeVisible();
  late.resolve(undefined);
  await ended;
  await painted(page);
  await expect(page.getByText('1 creator', { exact: true })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: first.displayName })).toHaveCount(0);
});

test('a search finds a creator by the title of a public offering only [e2e-57]', async ({ page }) => {
  const { displayName, token } = await makeCreator();
  const title = `Élan ${randomUUID().slice(0, 8)}`;
  const offering = await makeOffering(token, { title });
  const plain = title.toLowerCase().replace('é', 'e');
  const hit = page.getByRole('article').filter({ hasText: displayName });
  const look = async (expected: number) => {
    await page.goto(`/browse-creators?search=${encodeURIComponent(plain)}`);
    await expect(hit).toHaveCount(expected, { timeout: 1000 });
  };
  await expect(() => look(1)).toPass();
  await fetchJson('PUT', `/api/offerings/${offering.id}`, {
    token,
    body: { ...offeringFields(), title, state: 'hidden' },
  });
  await expect(async () => {
    await look(0);
    await expect(page.getByText('No creators found matching your criteria.')).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test('a search treats a backslash and an emoji literally', async ({ page }) => {
  const creator = await makeCreator();
  const mark = creator.username.slice(-8);
  await saveProfile(creator.token, { displayName: `${mark} C:\\art 🎨` });
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  const card = page.getByRole('article').filter({ hasText: mark });
  for (const found of [`${mark} c:\\art`, `${mark} c:\\art 🎨`]) {
    await search.fill(found);
    await expect(card).toBeVisible();
    await search.fill(`${mark}\\`);
    await expect(page.getByText(/No creators found matching your criteria/)).toBeVisible();
  }
});

test('a row has four creators, and the whole card links to the profile [e2e-58]', async ({ page }) => {
  await Promise.all([makeCreator(), makeCreator(), makeCreator(), makeCreator()]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/browse-creators');
  const cards = page.getByRole('main').getByRole('article');
  const tops = await Promise.all([0, 1, 2, 3].map(async (n) => (await cards.nth(n).boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
  // Clicks the picture, because the whole card is a link, not only its text.
  await cards.first().click({ position: { x: 40, y: 40 } });
  await expect(page).toHaveURL(/[/]profile[/]/);
});

test('the niches on cards and profiles link to all their creators [e2e-59]', async ({ page }) => {
  const { token, username, displayName } = await makeCreator();
  await saveProfile(token, { displayName, niches: ['Healer', 'Musician'] });
  await page.goto(`/browse-creators?search=${username}`);
  const card = page.getByRole('article').filter({ hasText: displayName });
  await card.getByRole('link', { name: 'Musician' }).click();
  await expect(page).toHaveURL('/browse-creators?niche=Musician');
  await expect(page.getByRole('button', { name: 'Musician' })).toHaveAttribute('aria-pressed', 'true');
  await page.goto(`/profile/${username}`);
  await page.getByRole('list', { name: 'Niches' }).getByRole('link', { name: 'Healer' }).click();
  await expect(page).toHaveURL('/browse-creators?niche=Healer');
  await expect(page.getByRole('button', { name: 'Healer' })).toHaveAttribute('aria-pressed', 'true');
});

test('a card shows three covers in order and the number of offerings [e2e-60]', async ({ page }) => {
  const { token, username } = await makeCreator();
  const made: Offering[] = [];
  for (let n = 0; n < 4; n += 1) made.push(await makeOffering(token));
  const newestFirst = made.toReversed();
  const card = page
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: /^View Profile of/ }) });
  const covers = card.getByRole('presentation');
  /** Repeats the check, because the number on the card follows from an event a moment later. */
  const expectCard = (count: string, offerings: Offering[]) =>
    expect(async () => {
      await page.goto(`/browse-creators?search=${username}`);
      await expect(card.getByText(count, { exact: true })).toBeVisible({ timeout: 2_000 });
      const shown = await covers.evaluateAll((images: HTMLImageElement[]) => images.map(({ src }) => src));
      expect(shown.map((src) => src.replace(/.*(?=offering_images)|[/]\d+[.]webp$/g, ''))).toEqual(
        offerings.map(({ coverImage }) => coverImage?.path),
      );
    }).toPass();
  await expectCard('4 offerings', newestFirst.slice(0, 3));
  // The browser loads pictures only when they are near the visible area.
  await covers.last().scrollIntoViewIfNeeded();
  await expect
    .poll(() =>
      covers.evaluateAll((all: HTMLImageElement[]) => all.map(({ naturalWidth }) => naturalWidth > 0)),
    )
    .toEqual([true, true, true]);
  await expectAccessible(page, 'browse with covers');

  const ids = made.map(({ id }) => id);
  await fetchJson('PUT', '/api/me/offerings/order', { token, body: { ids, pinnedId: ids[3] } });
  await expectCard('4 offerings', [made[3]!, made[0]!, made[1]!]);
  await fetchJson('PUT', `/api/offerings/${ids[0]}`, {
    token,
    body: { ...offeringFields(), state: 'hidden' },
  });
  await expectCard('3 offerings', [made[3]!, made[1]!, made[2]!]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the niches are one scrollable row, and the page does not scroll horizontally [e2e-61]', async ({
    page,
  }) => {
    await page.goto('/browse-creators');
    const niches = page.getByRole('group', { name: 'Filter by niche' }).getByRole('button');
    const boxes = await Promise.all((await niches.all()).map((niche) => niche.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    await niches.last().focus();
    await expect(niches.last()).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

test('a reload and going back restore the scroll position of a long list [e2e-62]', async ({ page }) => {
  await withManyCreators(80, async (mark) => {
    const address = `/browse-creators?search=${mark}`;
    const cards = page.getByRole('main').getByRole('article');
    await page.goto(address);
    await expect(page.getByText('80 creators', { exact: true })).toBeVisible();
    const reader = cards.nth(60);
    await expect(async () => {
      await cards.last().scrollIntoViewIfNeeded({ timeout: 1_000 });
      expect(await cards.count()).toBeGreaterThan(60);
    }).toPass();
    await reader.scrollIntoViewIfNeeded();
    await expect(reader).toBeInViewport();
    const name = await reader.getByRole('heading').innerText();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(2_000);

    await page.reload();
    await expect(cards.filter({ has: page.getByRole('heading', { name, exact: true }) })).toBeInViewport();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);

    // Goes back by the router, without loading the page again.
    await reader.getByRole('link', { name: /View Profile/ }).click();
    await expect(page).toHaveURL(/[/]profile[/]/);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(cards.filter({ has: page.getByRole('heading', { name, exact: true }) })).toBeInViewport();
    await expect.poll(() => page.evaluate((left) => Math.abs(scrollY - left), place)).toBeLessThan(50);

    await page.goto('/about');
    await page.goto(address);
    await expect(cards.first()).toBeInViewport();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});

test('going back from a fragment restores the scroll position', async ({ page }) => {
  await page.goto('/');
  // Waits for the router. Before that, the browser would follow the link itself, and the router would not know the scroll
  // position.
  await settled(page);
  const top = () => page.evaluate(() => scrollY);
  await page.getByRole('link', { name: 'Discover Creators' }).click();
  await expect(page).toHaveURL('/#featured');
  await expect(page.getByRole('heading', { name: 'Featured creators' })).toBeInViewport();
  await expect.poll(top).toBeGreaterThan(100);
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect.poll(top).toBe(0);
  await page.goForward();
  await expect.poll(top).toBeGreaterThan(100);
});

test('in a wide window the tab order of the header is brand, menu, theme [e2e-63]', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/about');
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Stoa' }).focus();
  for (const name of ['Home', 'Browse Creators', 'About Us', 'Log In', 'Sign Up']) {
    await page.keyboard.press('Tab');
    await expect(header.getByRole('link', { name, exact: true })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(header.getByRole('button', { name: 'Dark theme' })).toBeFocused();
});

test('scrolling reaches the footer of an endless list, and a button loads more [e2e-64]', async ({
  page,
}) => {
  const creator = await makeCreator();
  const { items } = await fetchJson<CreatorPage>('GET', `/api/creators?search=${creator.username}`);
  let pages = 0;
  await page.route('**/api/creators?*', (route) => {
    pages += 1;
    const many = Array.from({ length: 24 }, (_, index) => ({
      ...items[0],
      ...{ uid: randomUUID(), displayName: `Somebody ${pages}.${index}` },
    }));
    return route.fulfill({
      json: { items: many, nextCursor: `next-${pages}`, total: 5000, totalIsExact: true },
    });
  });
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  await search.fill('somebody');
  await expect(page.getByRole('heading', { name: 'Somebody 1.0', exact: true })).toBeVisible();
  // Moves the focus out of the field, where the key would only move the cursor.
  await search.blur();
  const privacy = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' });
  await expect(async () => {
    await page.keyboard.press('End');
    await painted(page);
    await expect(privacy).toBeInViewport({ timeout: 1 });
    // Scrolling to the end loads no further creators, so the footer stays visible.
    await painted(page);
    await expect(privacy).toBeInViewport({ timeout: 1 });
  }).toPass();
  const fetched = pages;
  await page.getByRole('button', { name: 'Load more creators' }).click();
  await expect(page.getByRole('heading', { name: `Somebody ${fetched + 1}.0`, exact: true })).toBeVisible();
});
