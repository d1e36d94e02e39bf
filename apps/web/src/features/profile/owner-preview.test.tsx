import type { Creator, Offering } from '@stoa/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { makeOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import OfferingOwnerPreview from './offering-owner-preview.tsx';
import ProfileOwnerPreview from './profile-owner-preview.tsx';

const id = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
const cover = { id: 'c', path: 'p', widths: [480], width: 480, height: 320, color: '#333333' };
const draft = makeOffering({ id, description: 'Twelve of them.', state: 'draft', coverImage: cover });

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

interface Stored {
  me?: Partial<Creator>;
  items?: Partial<Offering>[];
  put?: () => Response;
}

function open(address: string, { me = {}, items = [{}], put = () => Response.json(draft) }: Stored = {}) {
  let published = false;
  const asked = fakeApi(({ method, path }) => {
    if (method === 'PUT') {
      const answer = put();
      published = answer.ok;
      return answer;
    }
    if (path === '/api/me') return Response.json(makeCreator(me));
    return Response.json({
      items: items.map((one) => ({ ...draft, ...one, ...(published && { state: 'published' }) })),
      pinnedId: null,
      version: 1,
    });
  });
  renderAt(
    address,
    <Routes>
      <Route path="/dashboard" element={<h1>Dashboard</h1>} />
      <Route path="/dashboard/preview" element={<ProfileOwnerPreview />} />
      <Route path="/dashboard/preview/:offeringId" element={<OfferingOwnerPreview />} />
      <Route path="/profile/:username/:slug?" element={<h1>Public page</h1>} />
    </Routes>,
  );
  return asked;
}

const bar = () => screen.findByRole('region', { name: 'Preview' });
const offeringAddress = `/dashboard/preview/${id}`;

test("the preview of a draft uses the owner's own reads and is marked as private [web-75]", async () => {
  const asked = open(offeringAddress);
  expect((await bar()).textContent).toContain('Only you can see this.');
  expect(screen.getByRole('heading', { level: 1, name: 'Letters' })).toBeTruthy();
  expect(screen.getByText('Twelve of them.')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Access Now/ })).toBeTruthy();
  // Its address cannot be shared or reported.
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Report this page' })).toBeNull();
  expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/api/me', '/api/me/offerings']));
});

test('publishing keeps all other fields, and leads to the links to share', async () => {
  const asked = open(offeringAddress);
  await userEvent.click(within(await bar()).getByRole('button', { name: 'Publish' }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeTruthy();
  const put = asked.find(({ method }) => method === 'PUT');
  expect([put?.path, put?.headers.get('if-match')]).toEqual([`/api/offerings/${id}`, '"3"']);
  expect(put?.body).toEqual({
    ...{ title: 'Letters', description: 'Twelve of them.', price: 'R150', type: 'eBook' },
    ...{ state: 'published', paymentUrl: 'https://pay.example.com/letters', productUrl: null },
  });
});

test('a failed publishing shows an error and can be retried', async () => {
  open(offeringAddress, { put: () => problem(503, 'unavailable') });
  await userEvent.click(within(await bar()).getByRole('button', { name: 'Publish' }));
  expect((await screen.findByText(/Failed to update offering/)).closest('[role=alert]')).not.toBeNull();
  expect(within(await bar()).getByRole<HTMLButtonElement>('button', { name: 'Publish' }).disabled).toBe(
    false,
  );
});

test('an offering that cannot be published has no button and shows the reason', async () => {
  open(offeringAddress, { items: [{ coverImage: null }] });
  expect((await bar()).textContent).toContain('Add a cover image to publish it.');
  expect(within(await bar()).queryByRole('button', { name: 'Publish' })).toBeNull();
});

test('the owner cannot publish an offering that Stoa has hidden', async () => {
  open(offeringAddress, { items: [{ state: 'published', takenDown: true }] });
  expect((await bar()).textContent).toContain('Stoa has hidden it from everybody else.');
  expect(within(await bar()).queryByRole('button', { name: 'Publish' })).toBeNull();
});

test('the preview of a public offering redirects to its public address', async () => {
  open(offeringAddress, { items: [{ state: 'published' }] });
  expect(await screen.findByRole('heading', { name: 'Public page' })).toBeTruthy();
});

test('an offering of another creator is not found', async () => {
  open('/dashboard/preview/another');
  expect(await screen.findByRole('heading', { level: 1, name: 'Offering not found.' })).toBeTruthy();
});

test('a full workshop has no payment link in its preview', async () => {
  open(offeringAddress, { items: [{ seats: 0 }] });
  expect(await screen.findByText('Sold out')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Access Now/ })).toBeNull();
});

test('the preview of an unpublished profile shows its public offerings', async () => {
  const items = [{ state: 'published' as const }, { id: 'b', title: 'Hidden one', state: 'hidden' as const }];
  open('/dashboard/preview', { me: { published: false, isPublic: false, displayName: 'Ada' }, items });
  expect((await bar()).textContent).toContain('Your profile becomes public when you save it.');
  expect(screen.getByRole('heading', { level: 1, name: 'Ada' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Letters' }).getAttribute('href')).toBe(offeringAddress);
  expect(screen.queryByText('Hidden one')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Letters' }));
  await waitFor(async () =>
    expect((await bar()).textContent).toContain('Visitors see it as soon as your profile is public.'),
  );
});

test('an address that visitors do not see is not in the preview', async () => {
  open('/dashboard/preview', { me: { isPublic: false, contactBy: 'form' } });
  const contact = await screen.findByRole('link', { name: 'Contact Me' });
  expect(contact.getAttribute('href')).toBe('/profile/ada/contact');
});
