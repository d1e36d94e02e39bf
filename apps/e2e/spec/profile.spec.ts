import type { Locator, Page } from '@playwright/test';
import { updateRow } from '../src/database.ts';
import { makeCreator, makeOffering, saveProfile } from '../src/creators.ts';
import { expect, lines, row, rows, test } from '../src/spec-test.ts';

const openProfile = async (page: Page, username: string) => {
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};
const offeringsOf = (page: Page) => page.getByRole('region', { name: 'Offerings' }).getByRole('article');

async function expectLoaded(image: Locator): Promise<void> {
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
}

/** Answers requests to an external site, which no test may reach. */
async function answerFor(page: Page, url: string): Promise<void> {
  await page.context().route(url, (route) => route.fulfill({ body: 'Here it is.' }));
}

/** Clicks a link that opens a new tab, and returns the address of that tab. */
async function newTabOf(page: Page, link: Locator): Promise<string> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await tab.waitForLoadState();
  const address = tab.url();
  await tab.close();
  return address;
}

test.describe('of a creator with a full profile', () => {
  let page: Page;

  test.beforeEach(async ({ openAsVisitor, resident }) => {
    page = await openAsVisitor(`/profile/${resident.username}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test(...row('2.profile.picture', 'a creator with a picture'), async ({ resident }) => {
    await expectLoaded(page.getByRole('img', { name: resident.displayName, exact: true }));
  });

  test(...row('2.profile.name', 'a creator'), async ({ resident }) => {
    await expect(
      page.getByRole('heading', { level: 1, name: resident.displayName, exact: true }),
    ).toBeVisible();
  });

  test(...row('2.profile.username', 'a creator'), async ({ resident }) => {
    await expect(page.getByText(`@${resident.username}`, { exact: true })).toBeVisible();
  });

  test(...row('2.profile.contact', 'a creator'), async ({ resident }) => {
    const contact = page.getByRole('link', { name: 'Contact Me' });
    await expect(contact).toHaveAttribute('href', `mailto:${resident.email}`);
  });

  test(...row('2.profile.bio', 'a creator with a bio'), async () => {
    const bio = 'Paper, ink and patience. Letters for people who still read them slowly, more than once.';
    await expect(page.getByText(bio, { exact: true })).toBeVisible();
  });

  test(...row('2.profile.cover', 'a creator with two offerings'), async () => {
    await expect(offeringsOf(page)).toHaveCount(2);
    for (const offering of await offeringsOf(page).all()) await expectLoaded(offering.locator('img'));
  });

  test(...row('d.links.rel', 'every link of a full profile that leaves the site'), async () => {
    const links = page.getByRole('main').locator('a[target=_blank]');
    await expect(links).toHaveCount(7);
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    }
  });
});

test(
  ...rows({
    '2.profile.youtube': 'the link of a creator who has it is followed',
    '2.profile.tiktok': 'the link of a creator who has it is followed',
    '2.profile.instagram': 'the link of a creator who has it is followed',
  }),
  async ({ page, resident: { username } }) => {
    await openProfile(page, username);
    for (const [site, field] of [
      ['YouTube', 'youtube'],
      ['TikTok', 'tiktok'],
      ['Instagram', 'instagram'],
    ] as const) {
      const url = `https://www.${field}.com/x`;
      await answerFor(page, url);
      expect(await newTabOf(page, page.getByRole('link', { name: `${site} (opens in a new tab)` }))).toBe(
        url,
      );
      await expect(page).toHaveURL(`/profile/${username}`);
    }
  },
);

test(...row('2.profile.socials-unset', 'a creator with one of the three'), async ({ page, creator }) => {
  const { token, username, displayName } = creator;
  await saveProfile(token, {
    displayName,
    socialLinks: { youtube: null, tiktok: 'https://www.tiktok.com/x', instagram: null },
  });
  await openProfile(page, username);
  await expect(page.getByRole('link', { name: /^TikTok/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /^YouTube/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Instagram/ })).toHaveCount(0);
});

test.describe('of a new creator', () => {
  let page: Page;

  test.beforeEach(async ({ openAsVisitor, newcomer }) => {
    page = await openAsVisitor(`/profile/${newcomer.username}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test(...row('2.profile.placeholder', 'a creator without a picture'), async () => {
    await expect(page.getByRole('img', { name: /\(no picture yet\)$/ })).toBeVisible();
  });

  test(...row('2.profile.no-bio', 'a creator without a bio'), async ({ words }) => {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  test(...row('2.profile.no-offerings', 'a creator without offerings'), async ({ words }) => {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(offeringsOf(page)).toHaveCount(0);
  });
});

test(...row('2.profile.cover-placeholder', 'a record without a cover'), async ({ page }) => {
  const { token, username } = await makeCreator();
  const { id } = await makeOffering(token);
  await updateRow('offerings', 'UPDATE offering SET cover_image = NULL WHERE id = $1', [id]);
  await openProfile(page, username);
  await expect(offeringsOf(page).locator('svg').first()).toBeVisible();
  await expect(offeringsOf(page).locator('img')).toHaveCount(0);
});

test(
  ...rows({
    '2.profile.offering': 'a creator with an offering',
    '2.profile.access': 'a creator with an offering',
    '1.payment-link': "a visitor follows 'Access Now' to a page that answers",
    '3.offering.product-url': 'an offering with a product link, read by a visitor',
  }),
  async ({ page, creator: { token, username } }) => {
    const answers: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/api/')) answers.push(await response.text());
    });
    const paymentUrl = 'https://pay.example.com/150';
    await answerFor(page, paymentUrl);
    await makeOffering(token, {
      title: 'Twelve letters',
      description: 'One a month.',
      price: 'R150 or what you can',
      paymentUrl,
      productUrl: 'https://files.example.com/secret',
    });
    await openProfile(page, username);
    await expect(offeringsOf(page).getByRole('heading', { name: 'Twelve letters' })).toBeVisible();
    await expect(offeringsOf(page).getByText('One a month.', { exact: true })).toBeVisible();
    await expect(offeringsOf(page).getByText('R150 or what you can', { exact: true })).toBeVisible();
    expect(await page.content()).not.toContain('files.example.com');
    expect(answers.join(), 'also not in the responses').not.toContain('files.example.com');
    const link = offeringsOf(page).getByRole('link', { name: /^Access Now/ });
    await expect(link).toHaveAttribute('href', paymentUrl);
    expect(await newTabOf(page, link)).toBe(paymentUrl);
  },
);

test(
  ...rows({
    '2.profile.unspecified': 'the address without a username',
    '2.profile.not-found': 'an unknown username',
  }),
  async ({ page }) => {
    for (const [path, line] of [
      ['/profile', '2.profile.unspecified'],
      ['/profile/nobody-has-this-name', '2.profile.not-found'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: lines[line], exact: true })).toBeVisible();
    }
  },
);
