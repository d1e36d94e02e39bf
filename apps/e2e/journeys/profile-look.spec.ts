import type { Creator } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';
import { untilPageIsComplete } from '../src/navigation.ts';
import { randomPhoto } from '../src/pictures.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

const bio = 'Essays and poems about rivers, memory and starting over.\nI answer every letter by hand.';

/** The layout shift of the page, summed up since it began to load. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );

test('a creator adds a header picture, sees it in the preview, and removes it [e2e-120]', async ({
  browser,
  creator: { token, username, displayName },
  signedInPage: page,
}) => {
  const { id: profileImageId } = await upload(token, 'profile-picture');
  await saveProfile(token, { displayName, bio, niches: ['Writer', 'Poet'], profileImageId });
  await makeOffering(token, { title: 'What the River Kept' });
  const own = () => fetchJson<Creator>('GET', '/api/me', { token });

  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Header Picture').setInputFiles(await randomPhoto({ width: 1500, height: 500 }));
  await expect(page.getByRole('button', { name: 'Remove header picture' })).toBeVisible();
  await expect(page.getByRole('figure').locator('img[src*="/header_"]')).toBeVisible();
  await expectAccessible(page, 'profile editor with a header');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  const { headerImage } = await own();
  expect(headerImage).toMatchObject({ widths: [480, 800, 1200, 1500], width: 1500, height: 500 });

  // Measured as a visitor: for the owner, a link appears when the session is known and moves the content.
  const visitor = await (await browser.newContext()).newPage();
  for (const width of [360, 768, 1280]) {
    await visitor.setViewportSize({ width, height: 800 });
    await untilPageIsComplete(`/profile/${username}`);
    await visitor.goto(`/profile/${username}`);
    await settled(visitor);
    // A font that loads late may move text by less than a pixel.
    expect(await layoutShift(visitor)).toBeLessThan(0.001);
  }
  const header = visitor.locator(`img[src*="${headerImage?.path}"]`);
  await expect(header).toBeInViewport();
  await expect(header).toHaveAttribute('alt', '');
  await expectAccessible(visitor, 'profile with a header');

  await page.goto('/dashboard/edit-profile');
  await page.getByRole('button', { name: 'Remove header picture' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  expect(await own()).toMatchObject({ headerImage: null, profileImage: { id: profileImageId } });
});

test('on a phone the first payment link is visible below a header picture [e2e-121]', async ({ page }) => {
  const { token, username } = await makeCreator();
  const { id: profileImageId } = await upload(token, 'profile-picture');
  const { id: headerImageId } = await upload(token, 'profile-header');
  const pictures = { profileImageId, headerImageId };
  await saveProfile(token, { displayName: 'Amara Okafor', bio, niches: ['Writer', 'Poet'], ...pictures });
  await makeOffering(token, { title: 'What the River Kept', description: 'Fourteen essays on floods.' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole('img', { name: 'Amara Okafor' })).toBeInViewport();
  await expect(page.locator('img[src*="/header_"]')).toBeInViewport();
  const buy = await page.getByRole('link', { name: /^Access Now/ }).boundingBox();
  expect((buy?.y ?? Infinity) + (buy?.height ?? 0)).toBeLessThanOrEqual(640);
});

test('on a phone all links are one row, with the first payment link visible [e2e-122]', async ({ page }) => {
  const { token, username } = await makeCreator();
  const { id: profileImageId } = await upload(token, 'profile-picture');
  const { id: headerImageId } = await upload(token, 'profile-header');
  await saveProfile(token, {
    ...{ displayName: 'Amara Okafor', bio, niches: ['Writer', 'Poet'], profileImageId, headerImageId },
    socialLinks: {
      youtube: 'https://www.youtube.com/@amara',
      tiktok: 'https://www.tiktok.com/@amara',
      instagram: 'https://www.instagram.com/amara',
    },
    links: [
      { label: 'My newsletter about rivers', url: 'https://letters.example.com/amara' },
      { label: 'Code', url: 'https://github.com/amara' },
      { label: 'Readings', url: 'https://readings.example.org/amara' },
    ],
  });
  await makeOffering(token, { title: 'What the River Kept', description: 'Fourteen essays on floods.' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await settled(page);
  const buy = await page.getByRole('link', { name: /^Access Now/ }).boundingBox();
  expect((buy?.y ?? Infinity) + (buy?.height ?? 0)).toBeLessThanOrEqual(640);
  const links = page.getByRole('list', { name: 'Links of Amara Okafor' }).getByRole('link');
  const social = (await page.getByRole('link', { name: /^YouTube/ }).boundingBox())!;
  for (const link of await links.all()) {
    const { y, height } = (await link.boundingBox())!;
    expect(Math.abs(y + height / 2 - social.y - social.height / 2)).toBeLessThan(1);
    expect(height).toBeGreaterThanOrEqual(44);
    expect(height).toBeLessThan(52);
  }
  // The row of links fades out before the button beside it.
  await expect(page.locator('[data-links]')).toHaveCSS('mask-image', /linear-gradient/);
  // The keyboard focus scrolls to hidden links, which show their host below the label.
  await links.last().focus();
  await expect(links.last()).toBeInViewport({ ratio: 1 });
  await expect(links.last()).toContainText('readings.example.org');
  await expect(page.getByRole('button', { name: 'Share' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'profile with a row of links');
});

test("a creator adds and orders links, which have their network's icons [e2e-123]", async ({
  creator: { username },
  signedInPage: page,
}) => {
  await page.goto('/dashboard/edit-profile');
  const links = [
    ['My newsletter', 'https://letters.example.com/amara'],
    ['Code', 'github.com/amara'],
    ['GitHub', 'https://github.com.example.org/amara'],
  ] as const;
  for (const [index, [label, url]] of links.entries()) {
    await page.getByRole('button', { name: 'Add Link' }).click();
    await page.getByLabel(`Label of link ${index + 1}`).fill(label);
    await page.getByLabel(`Address of link ${index + 1}`).fill(url);
  }
  await page.getByRole('button', { name: 'Move link 2 up' }).click();
  await expect(page.getByRole('button', { name: 'Move link 1 up' })).toBeFocused();
  await page.getByRole('button', { name: 'Add Link' }).click();
  await page.getByLabel('Label of link 4').fill('Half');
  await expect(page.getByText('Add a link, or this row is not saved.')).toBeVisible();
  await expectAccessible(page, 'profile editor with links');
  await page.getByRole('radio', { name: /form/i }).check();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();

  await page.goto(`/profile/${username}`);
  await settled(page);
  const shown = page.getByRole('list', { name: /^Links of/ }).getByRole('link');
  await expect(shown).toHaveText([/^Code/, /^My newsletter/, /^GitHub/]);
  await expect(shown.first()).toHaveAttribute('href', 'https://github.com/amara');
  const network = (index: number) => shown.nth(index).locator('[data-network]');
  await expect(network(0)).toHaveAttribute('data-network', 'github');
  // Checks the icon's pixels, because its box would be there even without a picture.
  const mark = await network(0).evaluate(
    (icon) => /url\("(.*)"\)/.exec(getComputedStyle(icon).maskImage)?.[1],
  );
  expect((await page.request.get(mark ?? '')).headers()['content-type']).toBe('image/svg+xml');
  await expect(network(1)).toHaveCount(0);
  await expect(network(2)).toHaveCount(0);
  for (const link of await shown.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectAccessible(page, 'profile with links');
});

test('on a phone the text of a workshop in the list does not touch its button', async ({ page }) => {
  const { token, username, displayName } = await makeCreator();
  await saveProfile(token, { displayName, layout: 'list' });
  await makeOffering(token, {
    ...{ title: 'By the water', type: 'Workshop', seats: 8 },
    schedule: { start: '2099-03-02T10:00', timeZone: 'Africa/Johannesburg' },
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await settled(page);
  const seats = (await page.getByText('8 seats').boundingBox())!;
  const button = (await page.getByRole('link', { name: /^Access Now/ }).boundingBox())!;
  expect(button.y - seats.y - seats.height).toBeGreaterThanOrEqual(8);
});

test('a short description follows the price, regardless of the adjacent card', async ({ page }) => {
  const { token, username } = await makeCreator();
  await makeOffering(token, { title: 'Short', description: 'One a month.' });
  await makeOffering(token, {
    title: 'Long',
    description: 'Twelve letters, each in its own time. '.repeat(8),
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/profile/${username}`);
  const short = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Short' }) });
  const topOf = async (text: string) => (await short.getByText(text).boundingBox())!.y;
  const price = (await short.getByText('R150').boundingBox())!;
  expect((await topOf('One a month.')) - (price.y + price.height)).toBeLessThan(16);
  const long = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Long' }) });
  const button = async (card: typeof short) =>
    (await card.getByRole('link', { name: /^Access Now/ }).boundingBox())!.y;
  expect(await button(short)).toBe(await button(long));
});
