import type { Sale } from '@stoa/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { makeOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import { limitsOf, stateOf } from './sale-facts.ts';
import SalesPage from './sales-page.tsx';

const id = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a21';
const offering = makeOffering({ id, title: 'Letters', deliveryText: 'Hello' });
const at = '2026-11-20T12:00:00.000Z';
const makeSale = (changes: Partial<Sale> = {}): Sale => ({
  ...{ id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a31', offeringId: id, provider: 'Stripe' },
  ...{ transactionId: 'pi_1', state: 'paid', createdAt: at, keySince: at, uses: 1, lastUsedAt: at },
  ...{ downloads: 20, days: null, ...changes },
});
const key = 'k'.repeat(32);

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

interface Api {
  sales?: Sale[];
  nextCursor?: string | null;
  offerings?: unknown[];
  write?: () => Response;
}

function open({ sales = [makeSale()], nextCursor = null, offerings = [offering], write }: Api, address = '') {
  const asked = fakeApi(({ method, path }) => {
    if (path === '/api/me/offerings') return Response.json({ items: offerings, pinnedId: null, version: 1 });
    if (method === 'POST') return (write ?? (() => Response.json({ sale: makeSale(), key })))();
    return Response.json({ items: sales, nextCursor });
  });
  renderAt(`/dashboard/sales${address}`, <SalesPage />);
  return asked;
}

const writes = (asked: ReturnType<typeof open>) => asked.filter(({ method }) => method === 'POST');

test.each([
  ['open', {}, 'Open', '1 of 20 uses · no end'],
  ['without limits', { downloads: null }, 'Open', '1 use · no end'],
  ['used up', { uses: 20 }, 'Used up', '20 of 20 uses · no end'],
  ['expired', { days: 1 }, 'Expired', '1 of 20 uses · until 21 Nov 2026'],
  ['refunded', { state: 'refunded' }, 'Refunded', '1 of 20 uses · no end'],
  ['disputed', { state: 'disputed' }, 'Disputed', '1 of 20 uses · no end'],
  ['revoked', { state: 'revoked' }, 'Closed', '1 of 20 uses · no end'],
] as const)('a sale that is %s shows it', (_, changes, label, limits) => {
  const sale = makeSale(changes);
  expect([stateOf(sale, Date.parse('2026-11-25')).label, limitsOf(sale)]).toEqual([label, limits]);
});

test('a sale is added, and its link is shown once', async () => {
  const asked = open({});
  await userEvent.click(await screen.findByRole('button', { name: 'Add Sale' }));
  await userEvent.type(screen.getByLabelText(/^Payment ID/), 'pi_1');
  await userEvent.type(screen.getByLabelText('Payment Provider'), 'Stripe');
  await userEvent.clear(screen.getByLabelText('Days'));
  await userEvent.click(screen.getByRole('button', { name: 'Add Sale' }));
  const dialog = await screen.findByRole('dialog', { name: 'The buyer’s link' });
  const link = within(dialog).getByLabelText<HTMLInputElement>('Link of this sale');
  expect(link.value).toMatch(new RegExp(`/download/${offering.creatorId}/${id}#key=${key}$`));
  expect(writes(asked)[0]?.body).toEqual({
    ...{ offeringId: id, transactionId: 'pi_1', provider: 'Stripe', downloads: 20, days: null },
  });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Done' }));
  expect(document.body.textContent).not.toContain(key);
});

test('senseless limits and a missing payment are refused', async () => {
  const asked = open({}, `?offering=${id}`);
  await userEvent.clear(await screen.findByLabelText('Uses'));
  await userEvent.type(screen.getByLabelText('Uses'), '1.5');
  await userEvent.click(screen.getByRole('button', { name: 'Add Sale' }));
  expect(screen.getByText('Enter a whole number from 1 to 10000, or leave it empty.')).toBeTruthy();
  expect(screen.getByLabelText(/^Payment ID/).getAttribute('aria-invalid')).toBe('true');
  expect(writes(asked)).toEqual([]);
});

test('a sale that existed explains how to get a link', async () => {
  open({ write: () => Response.json({ sale: makeSale(), key: null }) }, `?offering=${id}`);
  await userEvent.type(await screen.findByLabelText(/^Payment ID/), 'pi_1');
  await userEvent.click(screen.getByRole('button', { name: 'Add Sale' }));
  await screen.findByText(/^This sale exists already/);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a sale is closed with a reason', async () => {
  const asked = open({ write: () => Response.json(makeSale({ state: 'revoked' })) });
  await userEvent.click(await screen.findByRole('button', { name: 'Close of pi_1' }));
  const dialog = screen.getByRole('alertdialog', { name: 'Close this sale?' });
  await userEvent.click(within(dialog).getByLabelText(/^The link leaked/));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close Sale' }));
  await screen.findByText('The sale was closed. Its link no longer works.');
  expect(writes(asked).map(({ path, body }) => [path, body])).toEqual([
    [`/api/sales/${makeSale().id}/closing`, { state: 'revoked' }],
  ]);
});

test('a disputed sale can be opened again, a refunded one cannot', async () => {
  const refunded = makeSale({ id, state: 'refunded', transactionId: 'pi_2' });
  open({ sales: [makeSale({ state: 'disputed' }), refunded] });
  await userEvent.click(await screen.findByRole('button', { name: 'Open again of pi_1' }));
  expect(screen.queryByRole('button', { name: /pi_2$/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Open Again' }));
  await screen.findByRole('dialog', { name: 'The buyer’s link' });
});

test('a failed answer is shown', async () => {
  open({ write: () => problem(409, 'conflict') });
  await userEvent.click(await screen.findByRole('button', { name: 'New link of pi_1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Make New Link' }));
  expect(await screen.findByText('This sale is closed. It gets no new link.')).toBeTruthy();
});

test('a search asks for the payment, and more sales are loaded', async () => {
  const asked = open({ nextCursor: 'next' });
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search by payment ID' }), 'pi_1{Enter}');
  const lists = () => asked.filter(({ path }) => path === '/api/sales').map(({ query }) => String(query));
  await waitFor(() => expect(lists()).toContain('transactionId=pi_1'));
  await userEvent.click(await screen.findByRole('button', { name: 'Load more sales' }));
  await waitFor(() => expect(lists()).toContain('transactionId=pi_1&cursor=next'));
});

test.each([
  [[offering], '', 'No sales yet. Add one when a buyer has paid.'],
  [[offering], '?search=x', 'No sale has this payment ID.'],
  [[], '', /^None of your offerings delivers anything yet/],
])('an empty list explains itself %#', async (offerings, address, words) => {
  open({ sales: [], offerings }, address);
  expect(await screen.findByText(words)).toBeTruthy();
});
