import type { CreatorCard } from '@stoa/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import BrowsePage from './browse-page.tsx';

beforeEach(() => queryClient.clear());

function card(displayName: string, bioPreview = 'Short'): CreatorCard {
  return {
    uid: crypto.randomUUID(),
    username: 'someone',
    displayName,
    bioPreview,
    profileImage: null,
    niches: ['Writer'],
    offeringCount: 0,
  };
}

function pageOf(items: CreatorCard[], nextCursor: string | null = null): Response {
  return Response.json({ items, nextCursor, total: 40 });
}

test('a card ends its preview with dots, and shows what is missing', async () => {
  fakeApi(() => pageOf([card('Ada'), card('', '')]));
  renderAt('/browse-creators', <BrowsePage />);

  await screen.findByText('Short...');
  expect(screen.getByText('Unnamed Creator')).toBeTruthy();
  expect(screen.getByText('No bio yet.')).toBeTruthy();
  await screen.findByText('40 creators');
});

test('a total beyond the counting limit is shown with a plus', async () => {
  fakeApi(() => Response.json({ items: [card('Ada')], nextCursor: 'n', total: 1000, totalIsExact: false }));
  renderAt('/browse-creators', <BrowsePage />);
  await screen.findByText('1,000+ creators');
  expect(screen.getByRole('status').textContent).toBe('1,000+ creators');
});

test('a card shows covers as decoration, and their number as text', async () => {
  const thumbnail = (name: string) => ({
    ...{ path: `offering_images/${name}`, widths: [320], width: 320, height: 240, color: '#aabbcc' },
  });
  const thumbnails = ['a', 'b', 'c'].map(thumbnail);
  fakeApi(() =>
    pageOf([
      { ...card('Ada'), offeringCount: 7, thumbnails },
      { ...card('Ben'), offeringCount: 1 },
    ]),
  );
  renderAt('/browse-creators', <BrowsePage />);
  await screen.findByText('7 offerings');
  const [ada, ben] = screen.getAllByRole('article');
  const covers = within(ada!).getAllByRole<HTMLImageElement>('presentation');
  expect(covers.map(({ src }) => new URL(src, 'http://media').pathname)).toEqual(
    ['a', 'b', 'c'].map((name) => `/offering_images/${name}/320.webp`),
  );
  expect(within(ada!).getAllByRole('link')).toEqual([
    within(ada!).getByRole('link', { name: 'Writer' }),
    within(ada!).getByRole('link', { name: 'View Profile of Ada' }),
  ]);
  expect(within(ben!).getByText('1 offering')).toBeTruthy();
  expect(within(ben!).queryByRole('presentation')).toBeNull();
});

test('a stale response never shows under another filter', async () => {
  let answerAll: (response: Response) => void = () => {};
  fakeApi(({ query }) =>
    query.get('niche') === 'Poet'
      ? pageOf([card('A Poet')])
      : new Promise<Response>((resolve) => {
          answerAll = resolve;
        }),
  );
  renderAt('/browse-creators', <BrowsePage />);
  await userEvent.click(screen.getByRole('button', { name: 'Poet' }));
  await screen.findByText('A Poet');

  answerAll(pageOf([card('Somebody Else')]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.queryByText('Somebody Else')).toBeNull();
  expect(screen.getByText('A Poet')).toBeTruthy();
});

test('typing is debounced into one request, trimmed', async () => {
  const asked = fakeApi(() => pageOf([card('Ada')]));
  renderAt('/browse-creators', <BrowsePage />);
  await screen.findByText('Ada');
  // In one turn of the event loop, so that a slow machine cannot exceed the pause between two keys.
  for (const value of [' r', ' ri', ' riv', ' rive', ' river', ' river '])
    fireEvent.change(screen.getByRole('searchbox'), { target: { value } });

  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.query.get('search')).toBe('river');
});

test('a failed page keeps the list, and the button retries it [web-11]', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let refuse = true;
  fakeApi(({ query }) => {
    if (!query.has('cursor')) return pageOf([card('First')], 'next');
    return refuse ? problem(400, 'invalid_input') : pageOf([card('Second')]);
  });
  renderAt('/browse-creators', <BrowsePage />);
  const more = await screen.findByRole('button', { name: 'Load more creators' });
  await userEvent.click(more);
  await screen.findByText('Failed to load creators.');
  expect(screen.getByText('First')).toBeTruthy();

  refuse = false;
  await userEvent.click(more);
  await screen.findByText('Second');
  expect(screen.getByText('First')).toBeTruthy();
  expect(screen.queryByText('Failed to load creators.')).toBeNull();
});

test("one live region announces every filter's result once", async () => {
  let found = 40;
  const begun = Promise.withResolvers<void>();
  fakeApi(async () => {
    await begun.promise;
    return Response.json({ items: found ? [card('Ada')] : [], nextCursor: null, total: found });
  });
  renderAt('/browse-creators', <BrowsePage />);
  const status = screen.getByRole('status');
  await waitFor(() => expect(status.textContent).toBe('Loading creators...'));
  begun.resolve();
  await waitFor(() => expect(status.textContent).toBe('40 creators'));

  found = 0;
  await userEvent.click(screen.getByRole('button', { name: 'Poet' }));
  await waitFor(() => expect(status.textContent).toContain('No creators found matching your criteria.'));
  expect(screen.getAllByRole('status')).toEqual([status]);
});

test('loading more moves the focus to the first new creator', async () => {
  const answer = Promise.withResolvers<Response>();
  fakeApi(({ query }) => (query.has('cursor') ? answer.promise : pageOf([card('First')], 'next')));
  renderAt('/browse-creators', <BrowsePage />);
  const more = await screen.findByRole('button', { name: 'Load more creators' });
  await userEvent.click(more);
  expect(document.activeElement).toBe(more);
  await userEvent.click(more);
  answer.resolve(pageOf([card('Second')]));
  const link = await screen.findByRole('link', { name: /Second$/ });
  await waitFor(() => expect(document.activeElement).toBe(link));
});

test('a new search while the next page is loading shows only the new one', async () => {
  const late = Promise.withResolvers<Response>();
  fakeApi(({ query }) => {
    if (query.has('cursor')) return late.promise;
    return query.get('niche') ? pageOf([card('A Poet')]) : pageOf([card('First')], 'next');
  });
  renderAt('/browse-creators', <BrowsePage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Load more creators' }));
  await userEvent.click(screen.getByRole('button', { name: 'Poet' }));
  await screen.findByText('A Poet');
  late.resolve(pageOf([card('Second')]));
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  await screen.findByText('First');
  expect(screen.queryByText('Second')).toBeNull();
  expect(screen.getByRole('button', { name: 'Load more creators' })).toBeTruthy();
});

test('a search from the address contains nothing that the server refuses', async () => {
  const asked = fakeApi(() => pageOf([card('Ada')]));
  renderAt(`/browse-creators?search=a%00b%E2%80%AE${encodeURIComponent('👨‍👩‍👧'.repeat(101))}`, <BrowsePage />);
  await screen.findByText('Ada');
  expect(asked[0]?.query.get('search')).toBe(`a b ${'👨‍👩‍👧'.repeat(96)}`);
});

test('a retry moves the focus to the heading', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let refuse = true;
  fakeApi(() => (refuse ? problem(400, 'invalid_input') : pageOf([card('Ada')])));
  renderAt(
    '/browse-creators',
    <main>
      <BrowsePage />
    </main>,
  );
  for (const words of ['Failed to load creators.', 'Ada']) {
    const again = await screen.findByRole('button', { name: 'Try again' });
    refuse = words !== 'Ada';
    again.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByText(words);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Browse Creators' }));
  }
});

test('scrolling loads a bounded number of creators, then only the button does [web-12]', async () => {
  let count = 0;
  const observe = jest.fn();
  class Seen implements IntersectionObserver {
    readonly root = null;
    readonly rootMargin = '';
    readonly scrollMargin = '';
    readonly thresholds = [];
    constructor(private readonly tell: IntersectionObserverCallback) {}
    observe(target: Element) {
      observe();
      const entry = { isIntersecting: true, target } as unknown as IntersectionObserverEntry;
      setTimeout(() => this.tell([entry], this));
    }
    unobserve() {}
    disconnect() {}
    takeRecords() {
      return [];
    }
  }
  Object.assign(window, { IntersectionObserver: Seen });
  try {
    fakeApi(() => {
      count += 1;
      return pageOf(
        Array.from({ length: 24 }, (_, index) => card(`Creator ${count}.${index}.`)),
        'next',
      );
    });
    renderAt('/browse-creators', <BrowsePage />);
    await screen.findByText('Creator 4.0.');
    const watched = observe.mock.calls.length;
    const more = await screen.findByRole('button', { name: 'Load more creators' });
    expect(count).toBe(4);
    await userEvent.click(more);
    await screen.findByText('Creator 5.0.');
    expect(count).toBe(5);
    expect(observe.mock.calls.length).toBe(watched);
  } finally {
    Reflect.deleteProperty(window, 'IntersectionObserver');
  }
});

test('a niche on a card links to all creators of the niche [web-13]', async () => {
  const asked = fakeApi(() => pageOf([card('Ada')]));
  renderAt('/browse-creators?search=ada', <BrowsePage />);
  const niches = await screen.findByRole('list', { name: 'Niches of Ada' });
  await userEvent.click(within(niches).getByRole('link', { name: 'Writer' }));
  await waitFor(() => expect(asked.at(-1)?.query.toString()).toBe('niche=Writer'));
  expect(screen.getByRole('button', { name: 'Writer' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
});

test('only the first picture loads immediately', async () => {
  const profileImage = {
    id: 'p',
    path: 'profile_pictures/a',
    widths: [192],
    width: 192,
    height: 192,
    color: '#abc',
  };
  fakeApi(() => pageOf(Array.from({ length: 6 }, (_, index) => ({ ...card(`Ada ${index}`), profileImage }))));
  renderAt('/browse-creators', <BrowsePage />);
  await screen.findByText('Ada 5');
  const pictures = screen.getAllByRole<HTMLImageElement>('img');
  const said = (picture: Element) =>
    `${picture.getAttribute('loading')} ${picture.getAttribute('fetchpriority')}`;
  const [first, ...others] = pictures.map(said);
  expect([first, ...new Set(others)]).toEqual(['eager high', 'lazy low']);
});

test('an empty search result offers all creators and moves the focus to the heading [web-14]', async () => {
  const asked = fakeApi(({ query }) =>
    query.get('search') ? Response.json({ items: [], nextCursor: null, total: 0 }) : pageOf([card('Ada')]),
  );
  renderAt('/browse-creators?search=nobody&niche=Poet', <BrowsePage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show all creators' }));
  await screen.findByText('Ada');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  expect([...asked.at(-1)!.query.keys()]).not.toEqual(expect.arrayContaining(['search']));
  expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.queryByRole('button', { name: 'Show all creators' })).toBeNull();
});

test('a site without creators offers no filter to clear', async () => {
  fakeApi(() => Response.json({ items: [], nextCursor: null, total: 0 }));
  renderAt('/browse-creators', <BrowsePage />);
  await screen.findByText(/^No creators found/);
  expect(screen.queryByRole('button', { name: 'Show all creators' })).toBeNull();
});
