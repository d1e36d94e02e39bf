import { act } from '@testing-library/react';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { setImmediate } from 'node:timers';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { prerender } from 'react-dom/static';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { queryClient } from './api/query-client.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type Answers, storeAnswers } from './api/public/public.queries.ts';
import { renderPage } from './entry-server.tsx';
import { preloadPage, routes } from './routes.tsx';
import { makePublicCreator } from './testing/creators.ts';
import { fakeApi } from './testing/fake-api.ts';
import { makePublicOffering } from './testing/offerings.ts';
import { MediaUrl } from './ui/pictures/picture.tsx';

const mediaUrl = 'https://media.example.test';
const picture = {
  id: crypto.randomUUID(),
  path: 'p',
  widths: [96, 480],
  width: 480,
  height: 480,
  color: '#aabbcc',
};
const hostile = `"><script>alert('$&')</script></noscript>`;

function answersOf(text: string, url: string): Answers {
  const creator = makePublicCreator({
    displayName: text,
    bio: `${text}\r\n${text}`,
    profileImage: picture,
    niches: ['Poet'],
    paygates: [{ name: text, url }],
    socialLinks: { youtube: url, tiktok: 'https://www.tiktok.com/@ada', instagram: null },
  });
  const offering = (slug: string) =>
    makePublicOffering({
      ...{ id: slug, creatorId: creator.uid, slug, title: text, description: text, price: text },
      ...{ paymentUrl: url, coverImage: picture },
    });
  const cards = Array.from({ length: 3 }, (_, index) => ({ ...creator, uid: `${index}`, bioPreview: text }));
  const list = { items: cards, nextCursor: 'next', total: 1000, totalIsExact: false };
  return {
    '/api/creators': list,
    '/api/creators?niche=Poet': list,
    '/api/creators/ada': creator,
    '/api/creators/ada/offerings': { items: [offering('ink'), offering('letters')] },
    '/api/creators/ada/offerings/ink': offering('ink'),
  };
}

const harmless = answersOf('Ada', 'https://pay.example.test/');

// React's server renderer and the browser code need these globals, which jsdom lacks.
beforeAll(() => {
  const matchMedia = () => Object.assign(new EventTarget(), { matches: false });
  const ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  Object.assign(globalThis, { setImmediate, matchMedia, ResizeObserver, scrollTo: () => {} });
});

afterEach(() => {
  queryClient.clear();
  history.replaceState(null, '', '/');
});

/** Hydrates the page like a browser. Returns the differences that the first render found. */
async function takeOver(html: string, address: string, answers: Answers): Promise<unknown[]> {
  // Both renderers share one React here, and the server's keeps the last page's contexts until its next
  // render.
  await prerender(null);
  const errors: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((...said) => {
    if (!`${said}`.startsWith('Detected multiple renderers')) errors.push(said);
  });
  fakeApi(() => new Promise<never>(() => {}));
  history.replaceState(null, '', address);
  document.body.innerHTML = `<div id="root">${html}</div>`;
  storeAnswers(queryClient, answers);
  await preloadPage(location.pathname);
  const app = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MediaUrl value={mediaUrl}>
          <RouterProvider router={createBrowserRouter(routes, { hydrationData: {} })} />
        </MediaUrl>
      </QueryClientProvider>
    </StrictMode>
  );
  const root = document.getElementById('root') as HTMLElement;
  const found = await act(async () => hydrateRoot(root, app, { onRecoverableError: (e) => errors.push(e) }));
  act(() => found.unmount());
  return errors;
}

test.each([
  ['/', 'A place of your own for the work you make.'],
  ['/about', 'Our mission'],
  ['/browse-creators', 'View Profile'],
  ['/browse-creators?niche=Poet', 'View Profile'],
  ['/profile/ada', 'Support '],
  ['/profile/ada/ink', 'More from '],
  ['/profile/ada/contact', 'Send Message'],
  ['/contact', 'Send Message'],
  ['/privacy', 'Privacy Policy'],
  ['/terms-of-service', 'Terms of Service'],
  ['/community-guidelines', 'Community Guidelines'],
  ['/help-feedback', 'Help'],
])('%s renders on the server as it first renders in the browser [web-7]', async (address, words) => {
  const html = await renderPage({ address, answers: harmless, mediaUrl });
  expect(html).toContain(words);
  // The content security policy forbids these.
  expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  expect(await takeOver(html, address, harmless)).toEqual([]);
});

const header = { ...picture, path: 'wide' };
const withHeader = { ...harmless['/api/creators/ada']!, headerImage: header };
test.each([
  ['/', harmless, []],
  ['/browse-creators', harmless, ['p']],
  ['/profile/ada', harmless, ['p']],
  ['/profile/ada', { ...harmless, '/api/creators/ada': withHeader }, ['wide']],
  ['/profile/ada/ink', harmless, ['p']],
])('at most one picture of %s is urgent, and all others load lazily', async (address, answers, urgent) => {
  const html = await renderPage({ address, answers, mediaUrl });
  const images = html.match(/<img [^>]*>/g) ?? [];
  const isUrgent = (image: string) => image.includes('loading="eager" fetchPriority="high"');
  const first = images.filter(isUrgent);
  expect(first.map((image) => /test\/(\w+)\//.exec(image)?.[1])).toEqual(urgent);
  const others = images.filter((image) => !isUrgent(image));
  expect(others.filter((image) => !image.includes('loading="lazy" fetchPriority="low"'))).toEqual([]);
});

test('a first render that differs is detected', async () => {
  const address = '/profile/ada';
  const html = await renderPage({ address, answers: answersOf('Kofi', 'https://x.example.test/'), mediaUrl });
  expect(await takeOver(html, address, harmless)).not.toEqual([]);
});

test('failed reads render as loading, not as empty', async () => {
  const { '/api/creators/ada/offerings': _, ...rest } = harmless;
  const html = await renderPage({ address: '/profile/ada', answers: rest, mediaUrl });
  expect(html).toContain('Loading offerings...');
  expect(html).not.toContain('has not added any offerings');
});

test.each(['/profile/ada', '/profile/ada/ink', '/browse-creators'])(
  'on %s, hostile names and links close no element and run no script [web-8]',
  async (address) => {
    const elements = (html: string) => html.match(/<\/?[a-z][a-z0-9]*/g);
    const answers = answersOf(hostile, `https://x.example.test/${hostile}`);
    const safe = answersOf('x'.repeat(hostile.length), 'https://x.example.test/');
    const html = await renderPage({ address, answers, mediaUrl });
    expect(elements(html)).toEqual(elements(await renderPage({ address, answers: safe, mediaUrl })));
    const script = await renderPage({ address, answers: answersOf('x', 'javascript:alert(1)'), mediaUrl });
    expect(script).not.toContain('javascript:alert');
  },
);

test('two pages rendered at the same time share no data', async () => {
  const other = answersOf('Kofi', 'https://pay.example.test/');
  const [one, two] = await Promise.all(
    [harmless, other].map((answers) => renderPage({ address: '/profile/ada', answers, mediaUrl })),
  );
  expect(one).not.toContain('Kofi');
  expect(two).not.toContain('>Ada<');
});
