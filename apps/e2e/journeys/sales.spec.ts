import type { Sale, SaleList, SaleWithKey } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
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
