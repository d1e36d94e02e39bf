import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import DownloadPage from './download-page.tsx';

test('a retry keeps the focus within the page while it loads', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const waiting = Promise.withResolvers<Response>();
  let down = true;
  fakeApi(() => (down ? problem(503, 'unavailable') : waiting.promise));
  renderAt(
    '/download/7c1f/9a2e',
    <main tabIndex={-1}>
      <Routes>
        <Route path="/download/:creatorId/:offeringId" element={<DownloadPage />} />
      </Routes>
    </main>,
  );
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  down = false;
  await userEvent.click(again);
  await screen.findByText('Preparing your download...');
  expect(document.activeElement).toBe(screen.getByRole('main'));

  const download = { title: 'A song', type: 'Other', mediaUrl: null, files: [], keyNeeded: false };
  waiting.resolve(Response.json(download));
  await screen.findByRole('heading', { name: 'A song' });
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

function openUnopened(seller: () => Response, hash = '#key=outlived') {
  jest.spyOn(console, 'error').mockReturnValue();
  queryClient.clear();
  fakeApi(({ path }) => (path === '/api/downloads/7c1f/9a2e/seller' ? seller() : problem(404, 'not_found')));
  renderAt(
    `/download/7c1f/9a2e${hash}`,
    <Routes>
      <Route path="/download/:creatorId/:offeringId" element={<DownloadPage />} />
    </Routes>,
  );
  return screen.findByText("Sorry, we couldn't find that offering.");
}
const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

test('a revoked key is explained, with a link to the creator [web-26]', async () => {
  await openUnopened(() => Response.json({ username: 'ada', displayName: 'Ada' }));
  expect(screen.getByText(/used up or too old, or its creator has closed or replaced it/)).toBeTruthy();
  await screen.findByRole('link', { name: 'Ask Ada' });
  expect([addressOf('Ask Ada'), addressOf('Ada')]).toEqual(['/profile/ada/contact', '/profile/ada']);
});

test('an unknown seller leads to all creators', async () => {
  await openUnopened(() => problem(404, 'not_found'));
  await screen.findByRole('link', { name: 'Find the Creator' });
  expect(addressOf('Find the Creator')).toBe('/browse-creators');
});

const creator = { username: 'ada', displayName: 'Ada' };
const fileNamed = (filename: string, changes = {}) => ({
  id: filename,
  filename,
  size: 120_000,
  note: '',
  updatedAt: null,
  mediaUrl: `https://files.example.com/${filename}`,
  ...changes,
});
const delivered = {
  title: 'Letters',
  type: 'eBook',
  description: 'Twelve letters, one a month.',
  coverImage: null,
  mediaUrl: null as string | null,
  files: [] as object[],
  deliveryText: '',
  deliveryUrl: null as string | null,
  keyNeeded: false,
  creator,
};
const others = (ids: string[]) =>
  Response.json({
    items: ids.map((id) => ({ id, slug: id, title: `Offering ${id}`, price: 'R1', coverImage: null })),
  });

function open(download: object, more: () => Response = () => problem(503, 'unavailable'), hash = '#key=k') {
  jest.spyOn(console, 'error').mockReturnValue();
  queryClient.clear();
  fakeApi(({ path }) =>
    path.startsWith('/api/downloads/') ? Response.json({ ...delivered, ...download }) : more(),
  );
  renderAt(
    `/download/7c1f/9a2e${hash}`,
    <Routes>
      <Route path="/download/:creatorId/:offeringId" element={<DownloadPage />} />
    </Routes>,
  );
  return screen.findByRole('heading', { level: 1, name: 'Letters' });
}

test('one file has one download link', async () => {
  const only = fileNamed('letters.pdf');
  await open({ files: [only], mediaUrl: only.mediaUrl });
  const link = screen.getByRole('link', { name: 'Download Now (eBook)' });
  expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual([only.mediaUrl, true]);
  expect(screen.getByText('letters.pdf').parentElement?.textContent).toBe('letters.pdf · 117 KB');
  expect(screen.getByText('Thank you for supporting an independent creator.')).toBeTruthy();
});

test('several files have links, and a new version shows its note and date [web-27]', async () => {
  const updated = { note: 'Fixed page 12', updatedAt: '2026-11-20T12:00:00.000Z' };
  await open({ files: [fileNamed('one.pdf'), fileNamed('two.pdf', updated)] });
  await screen.findByRole('heading', { name: 'Your 2 files' });
  const links = screen.getAllByRole('link', { name: /^Download / });
  expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual([
    ['Download one.pdf', 'https://files.example.com/one.pdf'],
    ['Download two.pdf', 'https://files.example.com/two.pdf'],
  ]);
  expect(screen.getByText('November 20, 2026').closest('p')?.textContent).toBe(
    'Updated November 20, 2026: Fixed page 12',
  );
});

test('a text and a link are shown, the link with its host', async () => {
  await open({ deliveryText: 'The password\nis swordfish.', deliveryUrl: 'https://course.example.com/in' });
  expect((await screen.findByText(/The password/)).textContent).toBe('The password\nis swordfish.');
  const link = screen.getByRole('link', { name: /^Open Your Link/ });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://course.example.com/in',
    'noopener noreferrer nofollow',
  ]);
  expect(screen.getByText('course.example.com')).toBeTruthy();
  expect(screen.queryByText(/brings it to you another way|No downloadable file/)).toBeNull();
});

test('a buyer reads to keep the link, whom they paid and how to ask [web-28]', async () => {
  await open({ deliveryText: 'Hello' });
  expect(await screen.findByText('Keep this link: it opens your download again.')).toBeTruthy();
  expect(screen.getByText(/Stoa took no payment/).textContent).toContain('you paid Ada directly');
  expect(screen.getByRole('link', { name: 'Ask Ada' }).getAttribute('href')).toBe('/profile/ada/contact');
  await screen.findByRole('heading', { name: 'What it is' });
  expect(screen.getByRole('link', { name: 'Ada' }).getAttribute('href')).toBe('/profile/ada');
});

test('the cover of the purchase is shown [web-29]', async () => {
  const cover = {
    path: 'offering_images/u/c',
    widths: [320, 640],
    width: 640,
    height: 427,
    color: '#aabbcc',
  };
  await open({ deliveryText: 'Hello', coverImage: cover });
  const shown = document.querySelector('main img, img');
  expect(shown?.getAttribute('src')).toBe('/offering_images/u/c/640.webp');
  expect(shown?.getAttribute('alt')).toBe('');
});

test('without a delivery the page does not ask to keep the link', async () => {
  await open({});
  expect(screen.getByText('No downloadable file is associated with this offering.')).toBeTruthy();
  expect(await screen.findByText(/Stoa took no payment/)).toBeTruthy();
  expect(screen.queryByText(/Keep this link/)).toBeNull();
});

test('more of the creator is shown below, and nothing if that cannot be read [web-30]', async () => {
  await open({}, () => others(['9a2e', 'b', 'c']));
  const more = await screen.findByRole('region', { name: 'More from Ada' });
  const shown = within(more).getAllByRole('link');
  expect(shown.map((link) => link.getAttribute('href'))).toEqual(['/profile/ada/b', '/profile/ada/c']);
});

test.each([
  ['links to its calendar event', { ended: false }, ['/profile/ada/9a2e/event.ics']],
  ['has no calendar link once it is over', { ended: true }, []],
  ['has no calendar link without a date', null, []],
])('a purchased workshop %s [web-31]', async (_, schedule, addresses) => {
  const item = (id: string) => ({ id, slug: id, title: `Offering ${id}`, price: 'R1', coverImage: null });
  const items = [{ ...item('9a2e'), schedule }, item('b')];
  await open({ type: 'Workshop' }, () => Response.json({ items }));
  await screen.findByRole('region', { name: 'More from Ada' });
  await waitFor(() => {
    const links = screen.queryAllByRole('link', { name: 'Add to calendar' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(addresses);
  });
});

test("the page works even if the creator's other data cannot be read", async () => {
  await open({ deliveryText: 'Hello' }, () => problem(404, 'not_found'));
  await waitFor(() => expect(screen.queryByText(/More from/)).toBeNull());
  expect(await screen.findByText('Hello')).toBeTruthy();
  expect(screen.queryByRole('alert', { name: /./ })).toBeNull();
});

const page = (
  <Routes>
    <Route path="/download/:creatorId/:offeringId" element={<DownloadPage />} />
  </Routes>
);

/** Opens a page again 31 seconds after it was read. The second read gets another answer. */
async function openAgain(second: () => Response) {
  jest.spyOn(console, 'error').mockReturnValue();
  queryClient.clear();
  let reads = 0;
  fakeApi(({ path }) => {
    if (path.endsWith('/seller')) return problem(404, 'not_found');
    if (!path.startsWith('/api/downloads/')) return problem(503, 'unavailable');
    return (reads += 1) === 1 ? Response.json({ ...delivered, deliveryText: 'Hello' }) : second();
  });
  const { unmount } = renderAt('/download/7c1f/9a2e#key=k', page);
  await screen.findByText('Hello');
  unmount();
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
  renderAt('/download/7c1f/9a2e#key=k', page);
  await waitFor(() => expect(reads).toBeGreaterThan(1));
}

const offline = () => {
  throw new TypeError('Failed to fetch');
};

test.each([
  ['the browser is offline', offline],
  ['the rate limit is reached', () => problem(429, 'rate_limited')],
  ['the service is down', () => problem(503, 'unavailable')],
])('the displayed download stays while %s', async (_, second) => {
  await openAgain(second);
  await waitFor(() => expect(console.error).toHaveBeenCalled());
  expect(screen.getByText('Hello')).toBeTruthy();
  expect(screen.queryByText('An Error Occurred')).toBeNull();
});

test('the displayed download disappears when its key is revoked', async () => {
  await openAgain(() => problem(404, 'not_found'));
  expect(await screen.findByText("Sorry, we couldn't find that offering.")).toBeTruthy();
});

async function clickAfter(second: Response, hash: string, files = [fileNamed('letters.pdf')]) {
  jest.spyOn(console, 'error').mockReturnValue();
  queryClient.clear();
  let reads = 0;
  const [file = null] = files;
  fakeApi(({ path }) => {
    if (path.endsWith('/seller')) return Response.json(creator);
    if (!path.startsWith('/api/downloads/')) return problem(503, 'unavailable');
    return (reads += 1) === 1
      ? Response.json({ ...delivered, files, mediaUrl: file?.mediaUrl ?? null })
      : second;
  });
  renderAt(`/download/7c1f/9a2e${hash}`, page);
  await userEvent.click((await screen.findAllByRole('link', { name: /^Download / }))[0]!);
}

test.each([1, 2])(
  'a link replaced while its page is open is explained, with the creator: %i files',
  async (count) => {
    const files = ['one.pdf', 'two.pdf'].slice(0, count).map((name) => fileNamed(name));
    await clickAfter(problem(404, 'not_found'), '#key=k', files);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(
      'This link no longer works. It may be used up, or its creator has replaced it: ask for a new one.',
    );
    await screen.findByRole('link', { name: 'Ask Ada' });
    expect(screen.queryByText('No offering data found.')).toBeNull();
    expect(screen.queryByRole('link', { name: /^Download / })).toBeNull();
  },
);

test('a click that fails temporarily leaves the page unchanged', async () => {
  await clickAfter(problem(503, 'unavailable'), '#key=k');
  await screen.findByText('Could not retrieve offering details.');
  expect(screen.getByRole('link', { name: 'Download Now (eBook)' })).toBeTruthy();
});

test('a purchased workshop shows its date below the title, even if visitors see no date', async () => {
  const text = 'Saturday, 12 December 2026, 18:00–21:00 (Europe/Berlin)';
  const schedule = {
    ...{ startsAt: '2026-12-12T17:00:00.000Z', endsAt: '2026-12-12T20:00:00.000Z' },
    ...{ timeZone: 'Europe/Berlin', ended: false, text },
  };
  await open({ type: 'Workshop', schedule, deliveryText: 'The room opens at six.' });
  const date = screen.getByText(text, { exact: false });
  const heading = screen.getByRole('heading', { level: 1 });
  const thanks = screen.getByText('Thank you for supporting an independent creator.');
  const { DOCUMENT_POSITION_FOLLOWING: after } = Node;
  expect(heading.compareDocumentPosition(date) & after && date.compareDocumentPosition(thanks) & after).toBe(
    after,
  );
  const own = date.querySelector('visitor-time');
  expect(['start', 'end', 'zone'].map((name) => own?.getAttribute(name))).toEqual([
    schedule.startsAt,
    schedule.endsAt,
    schedule.timeZone,
  ]);
  expect(screen.queryByText('No downloadable file is associated with this offering.')).toBeNull();
});
