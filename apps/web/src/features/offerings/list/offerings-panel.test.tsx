import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../../api/query-client.ts';
import { makeCreator } from '../../../testing/creators.ts';
import { fakeApi, problem } from '../../../testing/fake-api.ts';
import { makeOffering } from '../../../testing/offerings.ts';
import { render, renderAt } from '../../../testing/render.tsx';
import { ToastProvider } from '../../../ui/overlays/toast.tsx';
import OfferingsPanel from './offerings-panel.tsx';

const offering = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  title: 'Twelve letters',
  price: 'R150',
  type: 'eBook',
  state: 'published',
  coverImage: null,
  files: [] as never[],
  deliveryText: '',
  deliveryUrl: null,
} as const;

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

const week = { offeringId: offering.id, views: 1204, accessClicks: 1, downloads: 0 };
const numbers = () => Response.json({ offerings: [week] });

/** Deletes the offering. The list contains it until the attempt, and not afterwards. */
async function deleteIt(answer: () => Response) {
  let tried = false;
  fakeApi(({ method, path }) => {
    if (path === '/api/me/numbers') return numbers();
    if (method === 'GET') return Response.json({ items: tried ? [] : [offering] });
    tried = true;
    return answer();
  });
  renderAt(
    '/dashboard',
    <ToastProvider>
      <OfferingsPanel />
    </ToastProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: /Delete.*Twelve letters/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
}

test('deleting an offering that is already deleted succeeds', async () => {
  await deleteIt(() => problem(404, 'not_found'));
  await screen.findByText('Offering deleted successfully!');
  expect(await screen.findByRole('heading', { name: 'Your Offerings (0)' })).toBeTruthy();
});

test('the question names the downloads, and archives instead [web-50]', async () => {
  const whole = makeOffering(offering);
  const asked = fakeApi(({ path, method }) => {
    if (path === '/api/me/numbers') return Response.json({ offerings: [{ ...week, downloads: 3 }] });
    return Response.json(method === 'GET' ? { items: [whole] } : whole);
  });
  renderAt(
    '/dashboard',
    <ToastProvider>
      <OfferingsPanel />
    </ToastProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: /Delete.*Twelve letters/ }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete this offering?' });
  expect(question.textContent).toContain('the download links of its buyers stop working');
  await within(question).findByText(/It had 3 downloads in the last 92 days/);
  const answers = within(question).getAllByRole('button');
  expect(answers.map(({ textContent }) => textContent)).toEqual(['Archive Instead', 'Cancel', 'Delete']);
  await userEvent.click(within(question).getByRole('button', { name: 'Archive Instead' }));
  await screen.findByText('Offering archived. Buyers keep their downloads.');
  const changes = asked.filter(({ method }) => method !== 'GET');
  expect(changes).toMatchObject([{ method: 'PUT', body: { title: 'Twelve letters', state: 'archived' } }]);
});

test('an archived offering cannot be archived instead', async () => {
  fakeApi(({ path }) =>
    path === '/api/me/numbers'
      ? numbers()
      : Response.json({ items: [{ ...offering, state: 'archived' }], pinnedId: null }),
  );
  renderAt('/dashboard', <OfferingsPanel />);
  await userEvent.click(await screen.findByRole('button', { name: /Delete.*Twelve letters/ }));
  const question = await screen.findByRole('alertdialog');
  expect(within(question).queryByRole('button', { name: 'Archive Instead' })).toBeNull();
});

const HistoryState = () => <p title="history">{JSON.stringify(useLocation().state)}</p>;

test('a newly published offering is announced, with its delivery link [web-51]', async () => {
  const file = { id: 'f', filename: 'letters.pdf', size: 9 };
  const whole = {
    ...offering,
    slug: 'twelve-letters',
    creatorId: 'c',
    deliveryKey: 'open-sesame',
    price: 'R150',
    file,
    files: [file],
    deliveryText: '',
    deliveryUrl: null,
  };
  const me = { username: 'ada', isPublic: true };
  fakeApi(({ path }) =>
    path === '/api/me/numbers' ? numbers() : Response.json(path === '/api/me' ? me : { items: [whole] }),
  );
  const said = () => screen.queryByText(/^Your offering is published\./);
  const { unmount } = renderAt('/dashboard', <OfferingsPanel />);
  await screen.findByRole('heading', { name: 'Twelve letters' });
  expect(said()).toBeNull();
  unmount();
  render(
    <MemoryRouter initialEntries={[{ pathname: '/dashboard', state: { created: whole } }]}>
      <OfferingsPanel />
      <HistoryState />
    </MemoryRouter>,
  );
  const regions = screen.getAllByRole('status');
  // The region existed before its text. Otherwise screen readers would ignore it.
  expect(regions).toContain(
    (await screen.findByText(/^Your offering is published\./)).closest('[role=status]'),
  );
  const view = await screen.findByRole('link', { name: 'View' });
  expect(view.getAttribute('href')).toBe('/profile/ada/twelve-letters');
  expect(screen.getByRole('button', { name: 'Copy delivery link' })).toBeTruthy();
  // A reload or going back does not show it again.
  expect(screen.getByTitle('history').textContent).toBe('null');
  expect(said()).toBeTruthy();
});

const visible = { slug: 'twelve-letters', creatorId: 'c', files: [], deliveryText: '', deliveryUrl: null };

test.each<[string, object, object, RegExp]>([
  ['a new draft', { created: { state: 'draft' } }, {}, /is saved\. Visitors see it once you publish it\.$/],
  ['an edited draft', { saved: { state: 'draft' } }, {}, /is saved\. Visitors see it once you publish it\.$/],
  [
    'an archived one',
    { saved: { state: 'archived' } },
    {},
    /is saved\. Visitors see it once you publish it\.$/,
  ],
  [
    'one that Stoa hides',
    { created: { takenDown: true } },
    {},
    /is saved\. Stoa has hidden it from visitors\.$/,
  ],
  [
    'one of a profile that is not public',
    { created: {} },
    { isPublic: false },
    /is saved\. Visitors see it as soon as your profile is public\.$/,
  ],
  ['a published one', { created: {} }, {}, /^Your offering is published\.$/],
  ['an edited one', { saved: {} }, {}, /^“Twelve letters” is saved\.$/],
])(
  'the note on %s is correct before the list is read, and if it cannot be read',
  async (_, state, me, note) => {
    const list = Promise.withResolvers<Response>();
    fakeApi(({ path }) => {
      if (path === '/api/me') return Response.json(makeCreator(me));
      return path === '/api/me/numbers' ? numbers() : list.promise;
    });
    const [[kind, changes] = ['', {}]] = Object.entries(state);
    const saved = { ...offering, ...visible, ...changes };
    render(
      <MemoryRouter initialEntries={[{ pathname: '/dashboard', state: { [kind]: saved } }]}>
        <OfferingsPanel />
      </MemoryRouter>,
    );
    const shown = await screen.findByText(
      (_, place) => place?.tagName === 'P' && note.test(place.textContent.trim()),
    );
    expect(await screen.findByText('Loading your offerings...')).toBeTruthy();
    list.resolve(problem(403, 'forbidden'));
    await screen.findByText('Failed to load your offerings.');
    expect(shown.isConnected && note.test(shown.textContent.trim())).toBe(true);
  },
);

test('the note disappears with its offering', async () => {
  let deleted = false;
  fakeApi(({ method, path }) => {
    if (path === '/api/me') return Response.json(makeCreator());
    if (path === '/api/me/numbers') return numbers();
    if (method === 'GET') return Response.json({ items: deleted ? [] : [whole] });
    deleted = true;
    return new Response(null, { status: 204 });
  });
  const whole = { ...offering, ...visible };
  render(
    <MemoryRouter initialEntries={[{ pathname: '/dashboard', state: { created: whole } }]}>
      <OfferingsPanel />
    </MemoryRouter>,
  );
  await screen.findByText('Your offering is published.');
  await userEvent.click(await screen.findByRole('button', { name: /Delete.*Twelve letters/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByText('Your offering is published.')).toBeNull());
});

test('any other error of a delete is shown', async () => {
  await deleteIt(() => problem(503, 'unavailable'));
  await screen.findByText('Failed to delete the offering. Please try again.');
  expect(await screen.findByRole('heading', { name: 'Your Offerings (1)' })).toBeTruthy();
});

test('each offering shows price, state, and views and clicks of seven days [web-52]', async () => {
  const other = { ...offering, id: crypto.randomUUID(), title: 'Ink', price: 'R90', state: 'sold_out' };
  fakeApi(({ path, query }) => {
    if (path !== '/api/me/numbers')
      return Response.json({ items: [{ ...offering, price: 'R150' }, other], pinnedId: null });
    expect(query.get('days')).toBe('7');
    return numbers();
  });
  renderAt('/dashboard', <OfferingsPanel />);
  const said = (words: string) =>
    screen.getAllByRole('article').find(({ textContent }) => textContent.includes(`Last 7 days: ${words}`))
      ?.textContent;
  await waitFor(() => expect(said('1,204 views, 1 click')).toContain(offering.title));
  // The numbers omit an offering without visits, which means zero.
  expect(said('0 views, 0 clicks')).toContain('Ink');
  const rows = screen.getAllByRole('article').map(({ textContent }) => textContent);
  expect(rows).toEqual([expect.stringMatching(/R150.*Published/), expect.stringMatching(/R90.*Sold out/)]);
});

test('without numbers the list still shows every offering', async () => {
  fakeApi(({ path }) =>
    path === '/api/me/numbers'
      ? problem(503, 'unavailable')
      : Response.json({ items: [offering], pinnedId: null }),
  );
  renderAt('/dashboard', <OfferingsPanel />);
  await screen.findByRole('heading', { name: offering.title });
  expect(screen.queryByText(/^Last 7 days/)).toBeNull();
});

const titles = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);

/** Moves the second of two offerings up. The server answers with `answer`. */
async function moveUp(answer: () => Promise<Response>) {
  const other = { ...offering, id: crypto.randomUUID(), title: 'Ink' };
  fakeApi(({ method, path }) => {
    if (method === 'PUT') return answer();
    return path === '/api/me/numbers'
      ? numbers()
      : Response.json({ items: [offering, other], pinnedId: null, version: 1 });
  });
  renderAt(
    '/dashboard',
    <ToastProvider>
      <OfferingsPanel />
    </ToastProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'More for Ink' }));
  await userEvent.click(screen.getByRole('button', { name: 'Move Ink up' }));
}

test('a new order appears immediately, and is reverted if its save fails [web-53]', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await moveUp(() => promise);
  expect(titles()).toEqual(['Ink', offering.title]);
  expect(screen.queryByText(/is now number/)).toBeNull();
  resolve(problem(503, 'unavailable'));
  await screen.findByText('Failed to save the order. Please try again.');
  expect(titles()).toEqual([offering.title, 'Ink']);
  expect(screen.queryByText(/is now number/)).toBeNull();
});

test('a title links to the public page, or to the preview if there is none [web-54]', async () => {
  const [seen, draft] = [
    { ...offering, slug: 'twelve-letters' },
    { ...offering, id: crypto.randomUUID(), title: 'Ink', slug: 'ink', state: 'draft' },
  ];
  fakeApi(({ path }) =>
    path === '/api/me/numbers'
      ? numbers()
      : Response.json(
          path === '/api/me' ? { username: 'ada', isPublic: true } : { items: [seen, draft], pinnedId: null },
        ),
  );
  renderAt('/dashboard', <OfferingsPanel />);
  const title = await screen.findByRole('link', { name: 'Twelve letters' });
  expect(title.getAttribute('href')).toBe('/profile/ada/twelve-letters');
  await userEvent.click(screen.getByRole('button', { name: 'More for Ink' }));
  const preview = screen.getByRole('link', { name: 'Preview Ink' }).getAttribute('href');
  expect(screen.getByRole('link', { name: 'Ink' }).getAttribute('href')).toBe(preview);
});

test('a link to the offerings moves the focus to their heading', async () => {
  fakeApi(() => Response.json({ items: [] }));
  const scroll = jest.fn();
  Element.prototype.scrollIntoView = scroll;
  renderAt(
    '/dashboard#my-offerings',
    <ToastProvider>
      <Link to="#my-offerings">Offerings</Link>
      <OfferingsPanel />
    </ToastProvider>,
  );
  const heading = screen.getByRole('heading', { name: /^Your Offerings/ });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(scroll).toHaveBeenCalledTimes(1);
  // The same link again.
  await userEvent.click(screen.getByRole('link', { name: 'Offerings' }));
  await waitFor(() => expect(document.activeElement).toBe(heading));
});
