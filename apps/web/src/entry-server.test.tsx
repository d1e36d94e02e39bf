import type { PublicOffering } from '@stoa/contracts';
import { act } from '@testing-library/react';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { setImmediate } from 'node:timers';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { prerender } from 'react-dom/static';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { type Answers, forgetResources, primeResources } from './api/resource.ts';
import { renderPage } from './entry-server.tsx';
import { preloadPage, routes } from './routes.tsx';
import { makePublicCreator, fakeApi } from './testing.tsx';
import { MediaUrl } from './ui/picture.tsx';

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
  const offering = (slug: string): PublicOffering => ({
    id: slug,
    creatorId: creator.uid,
    title: text,
    description: text,
    price: text,
    type: 'eBook',
    paymentUrl: url,
    coverImage: picture,
    slug,
    state: 'published',
    createdAt: creator.createdAt,
    publishedAt: null,
    schedule: null,
    seats: null,
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

// By which React renders in Node, and what a browser has: the test's page has neither.
beforeAll(() => {
  const matchMedia = () => Object.assign(new EventTarget(), { matches: false });
  const ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  Object.assign(globalThis, { setImmediate, matchMedia, ResizeObserver, scrollTo: () => {} });
});

afterEach(() => {
  forgetResources();
  history.replaceState(null, '', '/');
});

/** Takes the page over as a browser does; answers what the browser's first render found otherwise. */
async function takeOver(html: string, address: string, answers: Answers): Promise<unknown[]> {
  // Here both share one React, and the server's leaves the last page's contexts as they were until its next one.
  await prerender(null);
  const errors: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((...said) => {
    if (!`${said}`.startsWith('Detected multiple renderers')) errors.push(said);
  });
  fakeApi(() => new Promise<never>(() => {}));
  history.replaceState(null, '', address);
  document.body.innerHTML = `<div id="root">${html}</div>`;
  primeResources(answers);
  await preloadPage(location.pathname);
  const app = (
    <StrictMode>
      <MediaUrl value={mediaUrl}>
        <RouterProvider router={createBrowserRouter(routes, { hydrationData: {} })} />
      </MediaUrl>
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
])('%s is rendered on the server as the browser renders it first', async (address, words) => {
  const html = await renderPage({ address, answers: harmless, mediaUrl });
  expect(html).toContain(words);
  // What the content security policy refuses.
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
])('of the pictures of %s at most one is urgent, and all others wait', async (address, answers, urgent) => {
  const html = await renderPage({ address, answers, mediaUrl });
  const images = html.match(/<img [^>]*>/g) ?? [];
  const isUrgent = (image: string) => image.includes('loading="eager" fetchPriority="high"');
  const first = images.filter(isUrgent);
  expect(first.map((image) => /test\/(\w+)\//.exec(image)?.[1])).toEqual(urgent);
  const others = images.filter((image) => !isUrgent(image));
  expect(others.filter((image) => !image.includes('loading="lazy" fetchPriority="low"'))).toEqual([]);
});

test('a first render that differs is noticed', async () => {
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
  'on %s hostile names and links close no element and run nothing',
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
