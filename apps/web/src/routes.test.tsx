import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from './api/query-client.ts';
import { routes } from './routes.tsx';
import { makePublicCreator } from './testing/creators.ts';
import { fakeApi, problem } from './testing/fake-api.ts';
import { render } from './testing/render.tsx';

const ada = ['/api/creators/ada', '/api/creators/ada/offerings'];
const card = { ...makePublicCreator(), bioPreview: 'Short' };

const served = ({ path }: { path: string }) => {
  if (path === '/api/creators') return Response.json({ items: [card], nextCursor: null, total: 1 });
  return Response.json(path.endsWith('/offerings') ? { items: [] } : makePublicCreator());
};

beforeEach(() => {
  queryClient.clear();
  history.pushState(null, '', '/browse-creators');
  const matchMedia = () => Object.assign(new EventTarget(), { matches: false });
  const ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  Object.assign(globalThis, { matchMedia, ResizeObserver, scrollTo: () => {} });
});

/** Opens the list of creators. Returns the requests made after it. */
async function open(answer: Parameters<typeof fakeApi>[0] = served) {
  const asked = fakeApi(answer);
  render(<RouterProvider router={createBrowserRouter(routes, { hydrationData: {} })} />);
  const profile = await screen.findByRole('link', { name: /Ada/ });
  asked.length = 0;
  const paths = () => asked.map(({ path }) => path).toSorted();
  return { profile, paths };
}

test("hovering a link prefetches its page's data once, and the click adds nothing [web-97]", async () => {
  const { profile, paths } = await open();
  await userEvent.hover(profile);
  await waitFor(() => expect(paths()).toEqual(ada));
  await userEvent.unhover(profile);
  await userEvent.click(profile);
  await screen.findByRole('heading', { level: 1, name: 'Ada' });
  await screen.findByText('This creator has not added any offerings yet.');
  expect(paths()).toEqual(ada);
});

test('a click without a prefetch fetches each resource once', async () => {
  const { profile, paths } = await open();
  await userEvent.click(profile);
  await screen.findByRole('heading', { level: 1, name: 'Ada' });
  expect(paths()).toEqual(ada);
});

test.each([
  ['focusing a link', (link: HTMLElement) => link.focus()],
  [
    'touching a link',
    (link: HTMLElement) => link.dispatchEvent(new TouchEvent('touchstart', { bubbles: true })),
  ],
])('%s prefetches its page', async (_, intend) => {
  const { profile, paths } = await open();
  intend(profile);
  await waitFor(() => expect(paths()).toEqual(ada));
});

test('nothing is prefetched with Save-Data', async () => {
  Object.assign(navigator, { connection: { saveData: true } });
  try {
    const { profile, paths } = await open();
    profile.dispatchEvent(new TouchEvent('touchstart', { bubbles: true }));
    expect(paths()).toEqual([]);
    await userEvent.click(profile);
    await waitFor(() => expect(paths()).toEqual(ada));
  } finally {
    Object.assign(navigator, { connection: undefined });
  }
});

test('a failed prefetch is silent, and the page fetches again', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let away = true;
  const { profile, paths } = await open((asked) =>
    away && asked.path !== '/api/creators' ? problem(400, 'invalid_input') : served(asked),
  );
  await userEvent.hover(profile);
  await waitFor(() => expect(paths()).toEqual(ada));
  away = false;
  await userEvent.click(profile);
  await screen.findByRole('heading', { level: 1, name: 'Ada' });
});

test("a creator's pages use their colours, and other pages do not", async () => {
  const { profile } = await open((asked) =>
    asked.path === '/api/creators/ada'
      ? Response.json(makePublicCreator({ palette: 'plum' }))
      : served(asked),
  );
  const shown = () => document.documentElement.dataset.palette;
  expect(shown()).toBeUndefined();
  await userEvent.click(profile);
  await screen.findByRole('heading', { level: 1, name: 'Ada' });
  expect(shown()).toBe('plum');
  await userEvent.click(screen.getAllByRole('link', { name: /^About/ })[0] as HTMLElement);
  await screen.findByRole('heading', { level: 1, name: /^A roof over the work/ });
  expect(shown()).toBeUndefined();
});
