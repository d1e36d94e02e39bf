import type { BrowserContext, Page, Route } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeCreator, makeOffering, saveProfile } from '../src/creators.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';
import { browserHeaders, readNumbers } from '../src/visits.ts';

test('without visits the panel shows the next step [e2e-98]', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/numbers');
  const panel = page.getByRole('region', { name: 'Numbers' });
  await expect(panel.getByText('No visits yet. Share your page.')).toBeVisible();
  await panel.getByRole('button', { name: '7 days' }).click();
  await expect(panel.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page, 'numbers-no-visits');
});

test("the week's tiles have their place reserved while the numbers load", async ({ signedInPage: page }) => {
  const release = Promise.withResolvers<void>();
  await page.route('**/api/me/numbers?days=14', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  const offerings = page.getByRole('heading', { name: 'Your Offerings (0)' });
  await expect(page.locator('main [data-skeleton]')).toHaveCount(4);
  await expect(offerings).toBeVisible();
  const before = await offerings.boundingBox();
  release.resolve();
  await settled(page);
  await expect(page.getByRole('region', { name: 'Last 7 Days' }).getByText('no change')).toHaveCount(4);
  expect(await offerings.boundingBox()).toEqual(before);
});

test.describe('a visitor', () => {
  test.use({ userAgent: browserHeaders['user-agent'] });

  test('is counted once for a view and once for a click on the payment link [e2e-99]', async ({
    context,
    page,
  }) => {
    const creator = await makeCreator();
    await saveProfile(creator.token, { displayName: creator.displayName });
    const { paymentUrl } = await makeOffering(creator.token);
    await actAsPerson(context, paymentUrl);
    const viewed = visitSent(page);
    await page.goto(`/profile/${creator.username}`);
    await viewed;
    const [paid, clicked] = await Promise.all([
      context.waitForEvent('page'),
      visitSent(page),
      page.getByRole('link', { name: /^Access Now/ }).click(),
    ]);
    await expect(paid.getByText('Paid here.')).toBeVisible();
    expect(clicked.postDataJSON()).toMatchObject({ kind: 'access', creatorId: creator.uid });
    await expect
      .poll(async () => (await readNumbers(creator.token)).totals)
      .toMatchObject({ views: 1, visitors: 1, accessClicks: 1 });
  });

  for (const [how, answer] of [
    ['never answers', () => undefined],
    ['cannot be reached', (route: Route) => route.abort()],
    ['is out of order', (route: Route) => route.fulfill({ status: 503 })],
  ] as const)
    test(`reaches the payment page while counting ${how} [e2e-100]`, async ({ context, page }) => {
      const creator = await makeCreator();
      const { paymentUrl } = await makeOffering(creator.token);
      await actAsPerson(context, paymentUrl);
      await context.route('**/api/visits', answer);
      const failed: Error[] = [];
      page.on('pageerror', (error) => failed.push(error));
      await page.goto(`/profile/${creator.username}`);
      await settled(page);
      const [paid] = await Promise.all([
        context.waitForEvent('page'),
        visitSent(page),
        page.getByRole('link', { name: /^Access Now/ }).click(),
      ]);
      await expect(paid.getByText('Paid here.')).toBeVisible();
      expect(failed).toEqual([]);
    });

  test('with Do Not Track is not counted [e2e-101]', async ({ context, page }) => {
    const creator = await makeCreator();
    await saveProfile(creator.token, { displayName: creator.displayName });
    const { paymentUrl } = await makeOffering(creator.token);
    await actAsPerson(context, paymentUrl);
    await context.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { get: () => '1' }));
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await page.goto(`/profile/${creator.username}`);
    // A page reports its visit only when its code is loaded.
    await settled(page);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: /^Access Now/ }).click();
    await expect((await opened).getByText('Paid here.')).toBeVisible();
    expect(sent).not.toContain('/api/visits');
  });
});

/** Hides that the browser is automated, so that its visits count, and answers the payment page. */
async function actAsPerson(context: BrowserContext, paymentUrl: string): Promise<void> {
  await context.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }));
  await context.route(paymentUrl, (route) => route.fulfill({ body: 'Paid here.' }));
}

const visitSent = (page: Page) =>
  page.waitForRequest((request) => new URL(request.url()).pathname === '/api/visits');
