import type { Offering } from '@stoa/contracts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi, problem, type RecordedRequest } from '../../testing/fake-api.ts';
import { makeOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import EditOfferingPage from './edit-offering-page.tsx';

const id = 'a61bd7a1-7d5a-4c51-9f0e-3d5a1f7e4b01';
const opened = makeOffering({ id, description: 'Twelve of them.', version: 4 });
const theirs = { ...opened, title: 'Letters, anew', description: 'Thirteen.', version: 5 };

beforeEach(() => queryClient.clear());

/** Shows the state that the editor passes to the dashboard. */
const Arrived = () => <p title="arrived">{JSON.stringify(useLocation().state)}</p>;
const arrived = async () =>
  JSON.parse((await screen.findByTitle('arrived')).textContent) as { created?: Offering; saved?: Offering };

/** Types a price into the opened offering. The gateway accepts only edits of `stored`. */
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

test('an edit sends the version that was opened (If-Match)', async () => {
  const { saved } = await editPriceWhile(opened);
  await screen.findByText('Offering updated successfully!');
  expect(saved().map(({ headers }) => headers.get('if-match'))).toEqual(['"4"']);
});

test('the second of two edits undoes nothing of the first, and keeps its input [web-44]', async () => {
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

test('the dashboard receives the answer to the write', async () => {
  await editPriceWhile(opened);
  expect(await arrived()).toMatchObject({ saved: { price: 'R200', version: 5 } });
});

test.each([
  ['was published elsewhere', 'draft', 'published', ['saved']],
  ['was unpublished elsewhere', 'published', 'draft', ['saved']],
] as const)(
  'the version taken over decides whether the save publishes: the offering %s',
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

test('a cover is not required if the version taken over is already published', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  // Published without a cover, which the form does not allow.
  const { price } = await editPriceWhile({ ...theirs, state: 'published' }, { ...opened, state: 'draft' });
  await userEvent.click(await screen.findByRole('button', { name: /take over what is saved/ }));
  await userEvent.clear(price);
  await userEvent.type(price, 'R300');
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await arrived()).toMatchObject({ saved: { price: 'R300' } });
  expect(screen.queryByText('Please select a cover image.')).toBeNull();
});
