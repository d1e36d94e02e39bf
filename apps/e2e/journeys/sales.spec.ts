import type { Sale, SaleList, SaleWithKey } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { offeringFields } from '../src/creators.ts';
import { download, inAnonymousBrowser, makeOfferingWithFile, offeringNotFound } from '../src/delivery.ts';
import { randomFile } from '../src/files.ts';
import { logLines } from '../src/logs.ts';
import { expect, test } from '../src/test.ts';

test('each buyer has a key, and a refund ends that key alone [e2e-194]', async ({ creator, browser }) => {
  const { token } = creator;
  const file = randomFile(40_000);
  const { offering, page: path } = await makeOfferingWithFile(creator, file);
  const sell = async () => {
    const body = { offeringId: offering.id, transactionId: randomUUID(), provider: 'Stripe' };
    const { sale, key } = await fetchJson<SaleWithKey>('POST', '/api/sales', { token, body });
    return { sale, key: key ?? '' };
  };
  const [one, other] = [await sell(), await sell()];
  const sharedLink = (isOn: boolean) =>
    fetchJson('PUT', `/api/offerings/${offering.id}`, {
      token,
      body: { ...offeringFields(), title: offering.title, sharedLink: isOn },
    });

  await inAnonymousBrowser(browser, async (buyer) => {
    await buyer.goto(`${path}#key=${one.key}`);
    expect((await download(buyer)).bytes.equals(file.buffer)).toBe(true);
    await buyer.reload();
    await expect(buyer.getByRole('link', { name: 'Download Now (eBook)' })).toBeVisible();
  });
  const { items } = await fetchJson<SaleList>('GET', `/api/sales?transactionId=${one.sale.transactionId}`, {
    token,
  });
  expect(items).toMatchObject([{ id: one.sale.id, state: 'paid', uses: 1 }]);

  await sharedLink(false);
  const closing = { token, body: { state: 'refunded' } };
  const closed = await fetchJson<Sale>('POST', `/api/sales/${one.sale.id}/closing`, closing);
  expect(closed).toMatchObject({ state: 'refunded', uses: 1 });
  for (const key of [one.key, offering.deliveryKey])
    await inAnonymousBrowser(browser, async (buyer) => {
      await buyer.goto(`${path}#key=${key}`);
      await expect(buyer.getByText(offeringNotFound)).toBeVisible();
      await expect(buyer.getByRole('link', { name: `Ask ${creator.displayName}` })).toBeVisible();
    });
  await inAnonymousBrowser(browser, async (buyer) => {
    await buyer.goto(`${path}#key=${other.key}`);
    expect((await download(buyer)).bytes.equals(file.buffer)).toBe(true);
  });

  for (const secret of [one.key, other.key])
    expect(logLines().filter(({ text }) => text.includes(secret))).toEqual([]);
});

test('a creator adds a sale, finds it, renews its link and closes it [e2e-195]', async ({
  creator,
  signedInPage: page,
  browser,
}) => {
  const file = randomFile(20_000);
  const { offering } = await makeOfferingWithFile(creator, file);
  const linkShown = async () => {
    const dialog = page.getByRole('dialog', { name: 'The buyer’s link' });
    const link = await dialog.getByLabel('Link of this sale').inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    return link;
  };
  const opens = (link: string) =>
    inAnonymousBrowser(browser, async (buyer) => {
      await buyer.goto(link);
      expect((await download(buyer)).bytes.equals(file.buffer)).toBe(true);
    });
  const refuses = (link: string) =>
    inAnonymousBrowser(browser, async (buyer) => {
      await buyer.goto(link);
      await expect(buyer.getByText(offeringNotFound)).toBeVisible();
    });

  await page.goto(`/dashboard/edit-offering/${offering.id}`);
  await page.getByRole('checkbox', { name: 'All buyers share one link' }).uncheck();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeAttached();
  await expect(page.getByRole('button', { name: /^Copy delivery link/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Sales', exact: true }).click();

  await page.getByRole('button', { name: 'Add Sale' }).click();
  await page.getByLabel('Payment ID', { exact: false }).first().fill('order 1001');
  await page.getByLabel('Payment Provider').fill('PayPal');
  await page.getByRole('button', { name: 'Add Sale' }).click();
  const link = await linkShown();
  await opens(link);

  await page.getByRole('searchbox', { name: 'Search by payment ID' }).fill('order 1001');
  await page.getByRole('button', { name: 'Search' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'order 1001' });
  await expect(row.getByText('1 of 20 uses')).toBeVisible();
  await row.getByRole('button', { name: 'New link of order 1001' }).click();
  await page.getByRole('button', { name: 'Make New Link' }).click();
  const renewed = await linkShown();
  await refuses(link);
  await opens(renewed);
  await row.getByRole('button', { name: 'Close of order 1001' }).click();
  await page.getByRole('radio', { name: 'The buyer got the money back.' }).check();
  await page.getByRole('button', { name: 'Close Sale' }).click();
  await expect(row.getByText('Refunded')).toBeVisible();
  await refuses(renewed);
  await expectAccessible(page, 'sales');
});
