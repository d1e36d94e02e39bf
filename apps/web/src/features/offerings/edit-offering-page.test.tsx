import type { Offering } from '@stoa/contracts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, makeCreator, problem, type RecordedRequest, renderAt } from '../../testing.tsx';
import EditOfferingPage from './edit-offering-page.tsx';

const id = 'a61bd7a1-7d5a-4c51-9f0e-3d5a1f7e4b01';
const opened = {
  ...{ id, creatorId: 'c', title: 'Letters', description: 'Twelve of them.', price: 'R150', type: 'eBook' },
  ...{
    state: 'published',
    paymentUrl: 'https://pay.example.com/letters',
    productUrl: null,
    coverImage: null,
  },
  ...{ slug: 'letters', createdAt: '2026-11-21T12:00:00Z', publishedAt: null, schedule: null, seats: null },
  ...{ file: null, files: [], deliveryText: '', deliveryUrl: null, deliveryKey: 'k', version: 4 },
} as unknown as Offering;
const theirs = { ...opened, title: 'Letters, anew', description: 'Thirteen.', version: 5 };

beforeEach(() => queryClient.clear());

/** What the editor hands to the dashboard. */
const Arrived = () => <p title="arrived">{JSON.stringify(useLocation().state)}</p>;
const arrived = async () =>
  JSON.parse((await screen.findByTitle('arrived')).textContent) as { created?: Offering; saved?: Offering };

/** A price is typed into the offering as it was opened, while a gateway takes edits of `stored` alone. */
async function editPriceWhile(stored: Offering, first = opened) {
  let current = first;
  const asked: RecordedRequest[] = fakeApi(({ method, path, headers, body }) => {
    if (path === '/api/me') return Response.json(makeCreator());
    if (method === 'GET') return Response.json(current);
    if (headers.get('if-match') !== `"${current.version}"`) return problem(412, 'precondition_failed');
    current = { ...current, ...(body as object), version: current.version + 1 };
    return Response.json(current);
  });
  renderAt(
    `/dashboard/edit-offering/${id}`,
    <Routes>
      <Route path="/dashboard/edit-offering/:offeringId" element={<EditOfferingPage />} />
      <Route path="/dashboard" element={<Arrived />} />
    </Routes>,
  );
  const price = await screen.findByLabelText<HTMLInputElement>(/^Price/);
  current = stored;
  await userEvent.clear(price);
  await userEvent.type(price, 'R200');
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  return { price, saved: () => asked.filter(({ method }) => method === 'PUT') };
}

test('an edit is of the version that was opened (If-Match)', async () => {
  const { saved } = await editPriceWhile(opened);
  await screen.findByText('Offering updated successfully!');
  expect(saved().map(({ headers }) => headers.get('if-match'))).toEqual(['"4"']);
});

test('the second of two edits undoes nothing of the first, and keeps what was typed', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const { price, saved } = await editPriceWhile(theirs);
  const question = await screen.findByRole('group', { name: /changed in another tab/ });
  expect(document.activeElement).toBe(question);
  expect(price.value).toBe('R200');
  expect(screen.queryByText('Offering updated successfully!')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: /take over what is saved/ }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Letters, anew');
  await userEvent.clear(price);
  await userEvent.type(price, 'R200');
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Offering updated successfully!');
  expect(saved().map(({ headers }) => headers.get('if-match'))).toEqual(['"4"', '"5"']);
  expect(saved().at(-1)?.body).toMatchObject({
    title: 'Letters, anew',
    description: 'Thirteen.',
    price: 'R200',
  });
});

test('the dashboard gets the answer to the write, and not what was opened', async () => {
  await editPriceWhile(opened);
  expect(await arrived()).toMatchObject({ saved: { price: 'R200', version: 5 } });
});

test.each([
  ['was published elsewhere', 'draft', 'published', ['saved']],
  ['was taken back elsewhere', 'published', 'draft', ['saved']],
] as const)(
  'what is taken over decides whether the save publishes: the offering %s',
  async (_, openedAs, storedAs, told) => {
    jest.spyOn(console, 'error').mockReturnValue();
    const coverImage = {
      id: 'c',
      path: 'covers/c',
      widths: [384],
      color: '#fff',
    } as unknown as Offering['coverImage'];
    const { price } = await editPriceWhile(
      { ...theirs, state: storedAs, coverImage },
      { ...opened, state: openedAs, coverImage },
    );
    await userEvent.click(await screen.findByRole('button', { name: /take over what is saved/ }));
    await userEvent.clear(price);
    await userEvent.type(price, 'R300');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(Object.keys(await arrived())).toEqual(told);
  },
);

test('a cover that another tab needs no longer is not asked for', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  // Published elsewhere without a cover, as offerings from before covers were required.
  const { price } = await editPriceWhile({ ...theirs, state: 'published' }, { ...opened, state: 'draft' });
  await userEvent.click(await screen.findByRole('button', { name: /take over what is saved/ }));
  await userEvent.clear(price);
  await userEvent.type(price, 'R300');
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await arrived()).toMatchObject({ saved: { price: 'R300' } });
  expect(screen.queryByText('Please select a cover image.')).toBeNull();
});
