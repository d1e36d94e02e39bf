import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { beginSession, dropSession } from '../../auth/session.ts';
import { type RecordedRequest, fakeApi, problem } from '../../testing/fake-api.ts';
import { makePublicOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import OfferingPage from './offering-page.tsx';

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

const offering = (title: string) =>
  makePublicOffering({
    ...{ id: crypto.randomUUID(), title, slug: title.toLowerCase() },
    ...{ description: 'One a month.\n\nBy hand.', paymentUrl: 'https://www.pay.example.com/x' },
  });

function open(address: string, answer: (asked: RecordedRequest) => Response) {
  fakeApi(answer);
  const Address = () => <output aria-label="Address">{useLocation().pathname}</output>;
  renderAt(
    address,
    <>
      <Address />
      <Routes>
        <Route path="/profile/:username/:slug" element={<OfferingPage />} />
      </Routes>
    </>,
  );
}

const all = ['Letters', 'Ink', 'Songs', 'Paper', 'Pens'].map(offering);
const served = ({ path }: RecordedRequest) => {
  if (path === '/api/creators/ama') return Response.json({ username: 'ama', displayName: 'Ama Mensah' });
  if (path === '/api/creators/ama/offerings') return Response.json({ items: all });
  return Response.json(all[0]);
};

test('an offering shows its text, payment link, creator and other offerings [web-70]', async () => {
  open('/profile/ama/letters', served);
  expect(await screen.findByRole('heading', { level: 1, name: 'Letters' })).toBeTruthy();
  expect((await screen.findByText('One a month.')).tagName).toBe('P');
  expect(screen.getByText('By hand.').tagName).toBe('P');
  const pay = screen.getByRole('link', { name: /^Access Now ?: Letters/ });
  expect(pay.getAttribute('href')).toBe('https://www.pay.example.com/x');
  expect(screen.getByText('pay.example.com')).toBeTruthy();
  expect(screen.getByText('eBook')).toBeTruthy();
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  const back = await crumbs.findByRole('link', { name: 'Ama Mensah' });
  expect(back.getAttribute('href')).toBe('/profile/ama');
  const more = within(await screen.findByRole('region', { name: 'More from Ama Mensah' }));
  const titles = more.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(titles).toEqual(['ink', 'songs', 'paper'].map((slug) => `/profile/ama/${slug}`));
});

test('an offering is shared with its own address [web-71]', async () => {
  const shared: ShareData[] = [];
  const share = async (data: ShareData) => void shared.push(data);
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  history.replaceState(null, '', '/profile/ama/letters?utm_source=x');
  open('/profile/ama/letters', served);
  await userEvent.click(await screen.findByRole('button', { name: 'Share' }));
  Reflect.deleteProperty(navigator, 'share');
  expect(shared).toEqual([{ title: 'Letters on Stoa', url: `${location.origin}/profile/ama/letters` }]);
});

test('a sold-out offering shows that it is sold out, without a payment link [web-72]', async () => {
  open('/profile/ama/letters', (asked) =>
    asked.path.endsWith('/letters')
      ? Response.json({ ...all[0], state: 'sold_out', paymentUrl: '' })
      : served(asked),
  );
  expect(await screen.findByText('Sold out')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Access Now/ })).toBeNull();
  expect(screen.queryByText('pay.example.com')).toBeNull();
});

test('an old slug redirects to the current one', async () => {
  open('/profile/ama/old-letters', served);
  expect(await screen.findByRole('heading', { level: 1, name: 'Letters' })).toBeTruthy();
  expect(screen.getByRole('status', { name: 'Address' }).textContent).toBe('/profile/ama/letters');
});

test('an unknown offering is not found, without a retry', async () => {
  open('/profile/ama/nothing', () => problem(404, 'not_found'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Offering not found.' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to @ama' }).getAttribute('href')).toBe('/profile/ama');
  expect(screen.queryByRole('button')).toBeNull();
});

test('an offering that cannot be read can be retried before the rest has loaded', async () => {
  let broken = true;
  open('/profile/ama/letters', ({ path }) => {
    if (!path.endsWith('/letters')) return problem(404, 'not_found');
    return broken ? problem(500, 'internal') : Response.json(all[0]);
  });
  expect(await screen.findByText('Loading offering...')).toBeTruthy();
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 20_000 });
  broken = false;
  await userEvent.click(again);
  expect(await screen.findByRole('heading', { level: 1, name: 'Letters' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: /^More from/ })).toBeNull();
});

test('an upcoming workshop links to its calendar event, and a past one does not [web-73]', async () => {
  const schedule = {
    ...{ startsAt: '2030-12-03T16:00:00.000Z', endsAt: null, timeZone: 'Africa/Johannesburg' },
    ...{ text: 'Tuesday, 3 December 2030, 18:00 (Africa/Johannesburg)', ended: false },
  };
  const shown = { ...offering('Linocut'), schedule };
  const serve = (ended: boolean) => (asked: RecordedRequest) =>
    asked.path.endsWith('/linocut')
      ? Response.json({ ...shown, schedule: { ...schedule, ended } })
      : served(asked);
  open('/profile/ama/linocut', serve(false));
  const link = await screen.findByRole('link', { name: 'Add to calendar' });
  expect(link.getAttribute('href')).toBe('/profile/ama/linocut/event.ics');
  cleanup();
  queryClient.clear();
  open('/profile/ama/linocut', serve(true));
  await screen.findByRole('heading', { level: 1, name: 'Linocut' });
  expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull();
});

test('only the owner sees the link to the editor [web-74]', async () => {
  open('/profile/ama/letters', served);
  await screen.findByRole('heading', { level: 1, name: 'Letters' });
  const edit = () => screen.queryByRole('link', { name: 'Edit' });
  expect(edit()).toBeNull();
  act(() => beginSession(crypto.randomUUID()));
  expect(edit()).toBeNull();
  act(() => beginSession(all[0]!.creatorId));
  expect(edit()?.getAttribute('href')).toBe(`/dashboard/edit-offering/${all[0]!.id}`);
  act(() => dropSession());
});
