import type { PublicOffering } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { openAndReadData } from '../src/navigation.ts';
import { type TestCreator, makeCreator, makeOffering } from '../src/creators.ts';
import { fillOffering } from '../src/fill-in.ts';
import { randomPhoto } from '../src/pictures.ts';
import { expireSession } from '../src/sign-in.ts';
import { expect, residentTest, row, rows, test } from '../src/spec-test.ts';

const offeringOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
const inPlace = (page: Page) => page.getByRole('img', { name: 'Current picture' });
const family = '👨‍👩‍👧‍👦';

async function fill(page: Page, title: string, price?: string): Promise<void> {
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, title, price);
}

async function create(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page).toHaveURL('/dashboard');
}

async function edit(page: Page, { token }: TestCreator): Promise<string> {
  const { id, title } = await makeOffering(token);
  await page.goto(`/dashboard/edit-offering/${id}`);
  await expect(page.getByLabel('Title')).toHaveValue(title);
  return id;
}

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();

test(
  ...rows({
    '4.offering.created': 'a new offering is sent',
    '3.offering.price': 'a price in words',
    '9.description.1000': '1000 letters are saved',
    '5.offering.product-link': 'an offering without one and one with it',
  }),
  async ({ signedInPage: page, creator }) => {
    await fill(page, 'Twelve letters', 'Pay what you can, from R20 🙂');
    await page.getByLabel('Description').fill('y'.repeat(1000));
    await expect(page.getByText('1000 / 1000 characters')).toBeVisible();
    await create(page);
    await expect(offeringOf(page, 'Twelve letters')).toBeVisible();

    await page.getByRole('link', { name: 'Add New Offering' }).first().click();
    await fillOffering(page, 'With a product');
    await page.getByLabel('Product Link').fill('https://files.example.com/secret');
    await create(page);
    await offeringOf(page, 'With a product').getByRole('link', { name: /^Edit/ }).click();
    await expect(page.getByLabel('Product Link')).toHaveValue('https://files.example.com/secret');

    await page.goto(`/profile/${creator.username}`);
    await expect(page.getByText('Pay what you can, from R20 🙂', { exact: true })).toBeVisible();
    await expect(page.getByText('y'.repeat(1000), { exact: true })).toBeVisible();
  },
);

test(...row('3.offering.fields', 'an offering is made, and read by visitors'), async ({ page }) => {
  const { token, username } = await makeCreator();
  const before = Date.now();
  const { id } = await makeOffering(token, {
    title: 'Twelve letters',
    description: 'One a month.',
    type: 'Workshop',
    paymentUrl: 'https://pay.example.com/twelve',
  });
  const path = `/api/creators/${username}/offerings`;
  const { items } = await openAndReadData<{ items: PublicOffering[] }>(page, path, `/profile/${username}`);
  expect(items).toMatchObject([{ id, type: 'Workshop' }]);
  const at = Date.parse(items[0]?.createdAt ?? '');
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
  const card = offeringOf(page, 'Twelve letters');
  await expect(card.getByText('One a month.', { exact: true })).toBeVisible();
  await expect(card.locator('img')).toHaveAttribute('src', new RegExp(`/${items[0]?.coverImage?.path}/`));
  const link = card.getByRole('link', { name: /^Access Now/ });
  await expect(link).toHaveAttribute('href', 'https://pay.example.com/twelve');
});

test(
  ...row('3.offering.id', 'two offerings with the same title'),
  async ({ signedInPage: page, creator }) => {
    await makeOffering(creator.token, { title: 'Twin' });
    await makeOffering(creator.token, { title: 'Twin' });
    await page.goto('/dashboard');
    const links = offeringOf(page, 'Twin').getByRole('link', { name: /^Edit/ });
    await expect(links).toHaveCount(2);
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(new Set(addresses).size).toBe(2);
    for (const address of addresses) expect(address).toMatch(/^\/dashboard\/edit-offering\/[0-9a-f-]{36}$/);
  },
);

test(
  ...row('9.description.server', '1000 families are saved, one more is refused by form and server alike'),
  async ({ signedInPage: page, creator }) => {
    await fill(page, 'Families');
    await page.getByLabel('Description').fill(family.repeat(1001));
    await expect(page.getByText('1001 / 1000 characters')).toBeVisible();
    await page.getByRole('button', { name: 'Create Offering' }).click();
    await expect(page.getByText('Must be at most 1000 characters.', { exact: true })).toBeVisible();
    // The API refuses the text with the same message.
    const refused = makeOffering(creator.token, { description: family.repeat(1001) });
    await expect(refused).rejects.toThrow(/400 .*description.*Must be at most 1000 characters\./);

    await page.getByLabel('Description').fill(family.repeat(1000));
    await expect(page.getByText('1000 / 1000 characters')).toBeVisible();
    await create(page);
    await page.goto(`/profile/${creator.username}`);
    await expect(page.getByText(family.repeat(1000), { exact: true })).toBeVisible();
  },
);

test(
  ...row('4.offering.redirect', "a change is saved; the browser's clock is moved by 1499 ms and by one more"),
  async ({ signedInPage: page, creator }) => {
    const id = await edit(page, creator);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel('Title').fill('After');
    await save(page);
    await expect(page.getByText('Offering updated successfully!')).toBeVisible();
    await page.clock.runFor(1499);
    await expect(page).toHaveURL(`/dashboard/edit-offering/${id}`);
    await page.clock.runFor(1);
    await expect(page).toHaveURL('/dashboard');
  },
);

test(
  ...rows({
    '4.offering.updated': 'a change is saved',
    '7.write.changes': 'every field and the cover are changed, saved and seen by visitors',
  }),
  async ({ signedInPage: page, creator, words }) => {
    const id = await edit(page, creator);
    const cover = (await inPlace(page).getAttribute('src')) ?? '';
    await page.getByLabel('Title').fill('After');
    await page.getByLabel('Description').fill('All of it is new.');
    await page.getByLabel('Price').fill('R99');
    await page.getByLabel('Type').selectOption({ label: '1:1 Consultation' });
    await page.getByLabel('Payment Link').fill('https://pay.example.com/after');
    await page.getByLabel('Product Link').fill('https://files.example.com/after');
    await page.getByLabel('Cover Image').setInputFiles(await randomPhoto());
    await expect(inPlace(page)).not.toHaveAttribute('src', cover);
    await save(page);
    await expect(page.getByRole('status').getByText(words, { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/dashboard');
    await expect(offeringOf(page, 'After')).toContainText('1:1 Consultation');

    // Only the creator's own form contains the product link.
    await page.goto(`/dashboard/edit-offering/${id}`);
    await expect(page.getByLabel('Product Link')).toHaveValue('https://files.example.com/after');

    await page.goto(`/profile/${creator.username}`);
    await expect(offeringOf(page, 'After')).toContainText('All of it is new.');
    await expect(offeringOf(page, 'After')).toContainText('R99');
    const link = offeringOf(page, 'After').getByRole('link', { name: 'Access Now' });
    await expect(link).toHaveAttribute('href', 'https://pay.example.com/after');
    await expect(offeringOf(page, 'After').locator('img')).not.toHaveAttribute('src', cover);
  },
);

test(
  ...rows({
    '4.delete.question': 'the question is answered with Cancel',
    '4.delete.removed': 'the question is answered with Delete',
    '4.delete.alert': 'the question is answered with Delete',
    '7.write.delete': 'the question is answered with Delete; visitors no longer see it',
  }),
  async ({ signedInPage: page, creator }) => {
    await makeOffering(creator.token, { title: 'Doomed' });
    await makeOffering(creator.token, { title: 'Spared' });
    const question = page.getByRole('alertdialog', { name: 'Delete this offering?' });
    const ask = async () => {
      await offeringOf(page, 'Doomed').getByRole('button', { name: 'Delete' }).click();
      await expect(question).toContainText('Doomed');
    };
    await page.goto('/dashboard');
    await ask();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toHaveCount(0);
    await expect(offeringOf(page, 'Doomed')).toBeVisible();
    await page.reload();
    await expect(offeringOf(page, 'Doomed')).toBeVisible();

    await ask();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Offering deleted successfully!').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Your Offerings (1)' })).toBeVisible();
    await expect(offeringOf(page, 'Doomed')).toHaveCount(0);
    await expect(offeringOf(page, 'Spared')).toBeVisible();

    await page.goto(`/profile/${creator.username}`);
    await expect(offeringOf(page, 'Spared')).toBeVisible();
    await expect(offeringOf(page, 'Doomed')).toHaveCount(0);
  },
);

test(
  ...row('5.offering.logged-in', 'the session is ended by an administrator while the form is filled in'),
  async ({ signedInPage: page, creator, words }) => {
    await page.clock.install();
    await fill(page, 'Too late');
    await expireSession(page, creator);
    await page.getByRole('button', { name: 'Create Offering' }).click();
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByLabel('Title'), 'the input is kept').toHaveValue('Too late');
  },
);

residentTest(
  ...rows({
    '6.offering.foreign': "another creator's offering",
    '5.offering.owner': 'one address, opened by its owner and by another user',
    '6.own-offerings': "the dashboard offers Delete for one's own offerings only",
    '3.offering.owner': "two creators; each one's offering stands on their own profile only",
  }),
  async ({ page, resident, browser, words }) => {
    const owner = await makeCreator();
    const { id, title } = await makeOffering(owner.token);
    const address = `/dashboard/edit-offering/${id}`;
    await page.goto(address);
    await expect(page.getByRole('alert').getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveCount(0);
    const owners = await browser.newContext({ storageState: owner.browserState });
    const theirs = await owners.newPage();
    await theirs.goto(address);
    await expect(theirs.getByLabel('Title')).toHaveValue(title);
    await owners.close();

    await page.goto('/dashboard');
    await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(2);
    await expect(page.getByRole('button', { name: `Delete ${title}` })).toHaveCount(0);

    await page.goto(`/profile/${owner.username}`);
    await expect(offeringOf(page, title)).toBeVisible();
    await page.goto(`/profile/${resident.username}`);
    await expect(offeringOf(page, 'Averyvery')).toBeVisible();
    await expect(offeringOf(page, title)).toHaveCount(0);
  },
);

residentTest(...row('8.offering.not-found', 'an offering that does not exist'), async ({ page, words }) => {
  for (const id of [randomUUID(), 'nonsense']) {
    await page.goto(`/dashboard/edit-offering/${id}`);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
});
