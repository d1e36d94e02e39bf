import type { Page } from '@playwright/test';
import { paths } from '@stoa/contracts';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const title = 'What the River Kept';

const accessNow = (page: Page) => page.getByRole('link', { name: /^Access Now/ }).first();

/** Links that a creator may share, with the number of taps from there to the payment page. */
const links = [
  {
    what: 'a profile',
    taps: 1,
    address: (username: string) => paths.profile(username),
  },
  {
    what: 'an offering',
    taps: 1,
    address: (username: string, slug: string) => paths.offering(username, slug),
  },
  {
    what: 'an embedded profile',
    taps: 2,
    address: (username: string) => `/embed/${username}`,
  },
] as const;

for (const { what, taps, address } of links)
  test(`the link of ${what} is ${taps === 1 ? 'one tap' : 'two taps'} from the payment page [e2e-168]`, async ({
    context,
    page,
  }) => {
    const { token, username } = await makeCreator();
    const { slug, paymentUrl } = await makeOffering(token, { title });
    await context.route(paymentUrl, (route) => route.fulfill({ body: 'Paid here.' }));
    const tap = async (on: Page, link: ReturnType<typeof accessNow>) => {
      await settled(on);
      const opened = context.waitForEvent('page');
      await link.tap();
      return opened;
    };

    await page.goto(address(username, slug));
    const shop = taps === 1 ? page : await tap(page, page.getByRole('link', { name: title }));
    // The payment link is visible without scrolling.
    await settled(shop);
    await expect(accessNow(shop)).toBeInViewport({ ratio: 1 });
    const till = await tap(shop, accessNow(shop));
    await expect(till.getByText('Paid here.')).toBeVisible();
    expect(till.url()).toBe(paymentUrl);
  });
