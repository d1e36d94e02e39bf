import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeOffering } from '../src/creators.ts';
import { fillOffering } from '../src/fill-in.ts';
import { untilPageShows } from '../src/navigation.ts';
import { settled } from '../src/settled.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const evening = { start: '2030-12-03T18:00', end: '2030-12-03T20:30', timeZone: 'America/New_York' };
const own = 'Tuesday, 3 December 2030, 18:00–20:30 (America/New York)';
const fields = (page: Page) => page.getByRole('group', { name: 'Date and seats' });
const heightOf = async (line: Locator) => (await line.boundingBox())?.height;

test("a workshop shows its time in the creator's and the visitor's time zone [e2e-169]", async ({
  signedInPage: page,
  creator,
  browser,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'Linocut');
  await page.getByLabel('Type').selectOption('Workshop');
  await fields(page).getByLabel('Start').fill('2030-03-10T02:30');
  await fields(page).getByLabel('Time zone').selectOption(evening.timeZone);
  await fields(page).getByLabel('Seats left').fill('12');
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(fields(page).getByText(/no such time in this time zone/)).toBeVisible();
  await expect(fields(page).getByLabel('Start')).toBeFocused();
  await expectAccessible(page, 'workshop-editor');
  await fields(page).getByLabel('Start').fill(evening.start);
  await fields(page).getByLabel('End').fill(evening.end);
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page).toHaveURL('/dashboard');
  const row = page.getByRole('article').filter({ hasText: 'Linocut' });
  await expect(row).toContainText(`${own} · 12 seats left`);

  const { siteUrl: baseURL } = theSystem();
  const sizes = { baseURL, viewport: { width: 360, height: 740 } };
  const withScripts = await browser.newContext({ ...sizes, timezoneId: 'Asia/Tokyo' });
  const without = await browser.newContext({ ...sizes, javaScriptEnabled: false });
  const [visitor, plain] = [await withScripts.newPage(), await without.newPage()];
  for (const address of [`/profile/${creator.username}`, `/profile/${creator.username}/linocut`]) {
    await untilPageShows(address, 'New York');
    await plain.goto(address);
    await expect(plain.getByText(own)).toBeVisible();
    await visitor.goto(address);
    await expect(visitor.getByText(own)).toBeVisible();
    await expect(visitor.getByText('12 seats')).toBeVisible();
    await expect(visitor.getByText(/^4 Dec, 08:00\D.* your time$/)).toBeVisible();
    await settled(visitor);
    // The text that scripts add does not change the height of the line.
    const [line, empty] = [visitor, plain].map((shown) => shown.getByText('12 seats').locator('..'));
    expect(await heightOf(line!)).toBe(await heightOf(empty!));
  }
  await expectAccessible(visitor, 'workshop');
  await withScripts.close();
  await without.close();
});

test('a full workshop is sold out, and an ended one is last without a payment link [e2e-170]', async ({
  signedInPage: page,
  creator,
}) => {
  const { id } = await makeOffering(creator.token, {
    ...{ title: 'Linocut', type: 'Workshop', seats: 1, schedule: evening },
  });
  await makeOffering(creator.token, { title: 'Letters' });
  const titles = page.getByRole('region', { name: 'Offerings' }).getByRole('heading', { level: 3 });
  const profile = `/profile/${creator.username}`;
  await page.goto(profile);
  await expect(titles).toHaveText(['Linocut', 'Letters']);

  await page.goto(`/dashboard/edit-offering/${id}`);
  await fields(page).getByLabel('Seats left').fill('0');
  await expect(fields(page).getByText('Visitors read that it is sold out.')).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page).toHaveURL('/dashboard');
  await untilPageShows(`${profile}/linocut`, 'Sold out');
  await page.goto(`${profile}/linocut`);
  await expect(page.getByText('Sold out')).toBeVisible();

  await page.goto(`/dashboard/edit-offering/${id}`);
  await fields(page).getByLabel('Start').fill('2020-12-03T18:00');
  await fields(page).getByLabel('End').fill('2020-12-03T20:30');
  await expect(fields(page).getByText(/visitors read that the workshop has ended/)).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('article').filter({ hasText: 'Linocut' }).getByText('Ended')).toBeVisible();
  for (const path of [`${profile}/linocut`, profile]) await untilPageShows(path, 'This workshop has ended.');
  await page.goto(`${profile}/linocut`);
  await expect(page.getByText('This workshop has ended.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Access Now/ })).toHaveCount(0);
  await expectAccessible(page, 'workshop-ended');
  await page.goto(profile);
  await expect(titles).toHaveText(['Letters', 'Linocut']);
  await expect(page.getByText('This workshop has ended.')).toBeVisible();
  const answer = () => fetchJson('GET', `/api/creators/${creator.username}/offerings/linocut`, {});
  await expect.poll(answer).toMatchObject({ paymentUrl: '', schedule: { ended: true } });
});
