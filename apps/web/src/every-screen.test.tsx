import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  CreatorCard,
  Download,
  LinkChange,
  LinkHealth,
  Numbers,
  Offering,
  ReviewCaseList,
  TakedownList,
} from '@stoa/contracts';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { act, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from './api/query-client.ts';
import { beginSession, dropSession } from './auth/session.ts';
import { paths } from './navigation/paths.ts';
import { routes } from './routes.tsx';
import { makeCreator, makePublicCreator } from './testing/creators.ts';
import { fakeApi, problem } from './testing/fake-api.ts';
import { makeOffering } from './testing/offerings.ts';
import { render } from './testing/render.tsx';

// All user text is Korean here, and no other text is.
const words = '한글';
const at = '2026-11-21T12:00:00.000Z';
const id = (last: number) => `4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a${last}`;
const picture = {
  id: id(14),
  path: 'profile_pictures/x',
  widths: [320],
  width: 320,
  height: 320,
  color: '#000000',
};
const schedule = null;

const facts = {
  ...{ uid: id(11), displayName: words, bio: words, profileImage: picture },
  paygates: [{ name: words, url: 'https://pay.example.com/' }],
  links: [{ label: words, url: 'https://example.com/', network: null }],
};
const shop = makePublicCreator({ ...facts, offeringCount: 3 });
const mailed = makePublicCreator({
  ...facts,
  username: 'mailed',
  contactBy: 'email',
  email: 'a@example.com',
});
const me = makeCreator({ ...facts, isPublic: true });
const card: CreatorCard = { ...shop, bioPreview: words, thumbnails: [] };
const files = [12, 13].map((last) => ({
  ...{ id: id(last), filename: `${words}.pdf`, contentType: 'application/pdf', size: 1000 },
  ...{ note: words, updatedAt: at },
}));
const offeringWith = (last: number, more: Partial<Offering> = {}): Offering =>
  makeOffering({
    ...{ id: id(last), creatorId: id(11), slug: `x${last}`, title: words, description: words, price: words },
    ...{ publishedAt: at, files, deliveryText: words, ...more },
  });
const offerings = [offeringWith(21), offeringWith(22), offeringWith(23, { state: 'draft' })];
const download: Download = {
  ...{ title: words, type: 'eBook', description: words, coverImage: null, mediaUrl: null, file: null },
  files: files.map(({ contentType: _, ...file }) => ({ ...file, mediaUrl: 'https://files.example.com/' })),
  ...{ deliveryText: words, deliveryUrl: null, schedule, keyNeeded: false },
  creator: { username: 'ada', displayName: words },
};
const onPage = { url: 'https://dead.example.com/', offeringId: null, title: words, label: words };
const health: LinkHealth = {
  items: (['payment', 'support', 'link'] as const).map((kind, at10) => ({
    ...{ ...onPage, kind, id: id(30 + at10), finding: 'gone', since: at, lookedAt: at, isQueued: false },
  })),
};
const takedowns: TakedownList = {
  items: (['hidden', 'upheld'] as const).map((status, index) => ({
    ...{ id: id(40 + index), offering: { id: id(21), slug: 'x21', title: words }, status, reason: 'fraud' },
    ...{ text: words, hiddenAt: at, answer: words },
  })),
};
const step = { id: id(51), at, kind: 'reported', reason: 'fraud', text: words, actor: null } as const;
const cases: ReviewCaseList = {
  items: [{ id: id(21), slug: 'x21', title: words }, null].map((offering, index) => ({
    ...{ id: id(52 + index), creatorId: id(11), username: 'ada', displayName: words, offering },
    ...{ status: 'open', openedAt: at, reports: 1, steps: [step] },
    content: { title: words, text: words, links: [], picture: null },
  })),
  ...{ nextCursor: null, counts: { waiting: 2, hidden: 0, closed: 0 } },
};
const linkOf = (url: string) => [{ name: words, url }];
const change: LinkChange = {
  ...{ id: id(61), at, offeringId: id(21), undoneAt: null },
  ...{ before: linkOf('https://a.example.com/'), after: linkOf('https://b.example.com/') },
};
const counts = { views: 1, visitors: 1, accessClicks: 1, supportClicks: 0, downloads: 1 };
const numbers: Numbers = {
  ...{ days: [], totals: counts, profileViews: 1, referrers: [] },
  offerings: offerings.map((one) => ({ offeringId: one.id, ...counts })),
};

const filled: readonly (readonly [RegExp, unknown])[] = [
  [
    /^\/api\/creators$/,
    {
      items: [card, card, card, card].map((one, n) => ({ ...one, uid: id(70 + n) })),
      nextCursor: null,
      total: 4,
    },
  ],
  [/^\/api\/creators\/mailed$/, mailed],
  [/^\/api\/creators\/[^/]+$/, shop],
  [/^\/api\/creators\/[^/]+\/offerings$/, { items: offerings }],
  [/^\/api\/creators\/[^/]+\/offerings\/[^/]+$/, offerings[0]],
  [/^\/api\/showcase$/, { creator: card, offerings }],
  [/\/seller$/, download.creator],
  [/^\/api\/downloads\/open\//, download],
  [
    /^\/api\/downloads\/single\//,
    { ...download, files: download.files.slice(0, 1).map((file) => ({ ...file, note: '' })) },
  ],
  [/^\/api\/me$/, me],
  [/^\/api\/me\/offerings$/, { items: offerings, pinnedId: null, version: 1 }],
  [/^\/api\/offerings\//, offerings[0]],
  [/^\/api\/me\/numbers$/, numbers],
  [/^\/api\/me\/link-health$/, health],
  [/^\/api\/me\/takedowns$/, takedowns],
  [/^\/api\/me\/link-changes$/, { items: [change] }],
  [/^\/api\/review\/cases$/, cases],
  [/^\/api\/account\/sessions$/, { items: [] }],
  [/^\/api\/account\/second-factors$/, { items: [] }],
  [/^\/api\/link-changes\/undo$/, { offeringId: id(21), links: linkOf('https://a.example.com/') }],
];

let answers = filled;

beforeEach(() => {
  answers = filled;
  queryClient.clear();
  sessionStorage.clear();
  dropSession();
  jest.spyOn(console, 'error').mockReturnValue();
  const matchMedia = () => Object.assign(new EventTarget(), { matches: false });
  const ResizeObserver = class {
    observe() {}
    disconnect() {}
  };
  Object.assign(globalThis, {
    matchMedia,
    ResizeObserver,
    IntersectionObserver: ResizeObserver,
    scrollTo: () => {},
  });
  fakeApi(({ path }) => {
    const [, answer] = answers.find(([pattern]) => pattern.test(path)) ?? [];
    return answer ? Response.json(answer) : problem(404, 'not_found');
  });
});

/**
 * Korean text without its language, with the elements around it. Fields are excluded, as they hold what their
 * owner types.
 */
function unmarked(): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    // Hidden text in a control becomes part of its name, which cannot have a language of its own.
    const isApart = element?.closest('textarea, title, :is(a, button) > .sr-only');
    if (!text.textContent?.includes(words) || isApart) continue;
    if (element?.closest('[lang]')?.getAttribute('lang') !== 'ko') found.push(element?.outerHTML ?? '');
  }
  for (const image of document.querySelectorAll(`img[alt*="${words}"]`))
    if (image.closest('[lang]')?.getAttribute('lang') !== 'ko') found.push(image.outerHTML);
  return found;
}

/** Pictures of a person that are not in the shape of a face. */
const misshapen = () =>
  [...document.querySelectorAll(`img[alt="${words}"]`)]
    .map((face) => face.closest('.overflow-hidden'))
    .filter((frame) => !frame?.classList.contains('rounded-t-[50%]'))
    .map((frame) => frame?.outerHTML);

/** How often user text appears on screen, outside fields. */
const count = () => document.body.textContent?.split(words).length ?? 0;

/** Live regions that were inserted with their text. Screen readers do not announce it. */
const bornWithWords: string[] = [];
const regions = new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (!(node instanceof Element)) continue;
    for (const region of [node, ...node.querySelectorAll('*')])
      if (region.matches('[role=status], [aria-live]') && region.textContent?.trim())
        bornWithWords.push(region.outerHTML);
  }
});

function open(address: string): void {
  bornWithWords.length = 0;
  regions.observe(document.body, { childList: true, subtree: true });
  const router = createMemoryRouter(routes, { initialEntries: [address], hydrationData: {} });
  render(<RouterProvider router={router} />);
}

/** Each address, and how often user text appears there at least. */
const visitors = [
  [paths.home, 20],
  [paths.browse, 12],
  [paths.profile('ada'), 15],
  [paths.contactCreator('ada'), 2],
  [paths.contactCreator('mailed'), 2],
  [paths.offering('ada', 'x21'), 10],
  [paths.delivery('open', id(21), 'k'), 13],
  [paths.delivery('single', id(21), 'k'), 8],
  [paths.delivery('lost', id(21), 'k'), 2],
] as const;
const creators = [
  [paths.dashboard, 23],
  [paths.numbers, 4],
  [paths.editProfile, 5],
  [paths.account, 1],
  [paths.addOffering, 0],
  [paths.editOffering(id(21)), 4],
  [previewPaths.profile, 10],
  [previewPaths.offering(id(23)), 3],
  [paths.review, 8],
] as const;

test.each(visitors)(
  '%s marks languages of user text, shapes faces alike, and inserts live regions empty',
  async (address, atLeast) => {
    open(address);
    await waitFor(() => expect(count()).toBeGreaterThanOrEqual(atLeast), { timeout: 20_000 });
    expect([unmarked(), bornWithWords, misshapen()]).toEqual([[], [], []]);
  },
);

test.each(creators)(
  '%s marks languages of user text, shapes faces alike, and inserts live regions empty',
  async (address, atLeast) => {
    act(() => beginSession(id(11), 'ada@example.com'));
    open(address);
    await waitFor(() => expect(count()).toBeGreaterThanOrEqual(atLeast), { timeout: 20_000 });
    expect([unmarked(), bornWithWords, misshapen()]).toEqual([[], [], []]);
  },
);

const nothing = { items: [], total: 0, nextCursor: null, pinnedId: null, version: 1 };
const empty: readonly (readonly [RegExp, unknown])[] = [
  [/offerings$|creators$|takedowns|link-/, nothing],
  [/cases$/, { ...nothing, counts: { waiting: 0, hidden: 0, closed: 0 } }],
];

test.each([
  [
    `${paths.browse}?search=x`,
    'No creators found matching your criteria. Try adjusting your search or filter.',
  ],
  [paths.profile('ada'), 'This creator has not added any offerings yet.'],
  [paths.dashboard, 'You have not added any offerings yet.'],
  [paths.review, 'Nothing waits for a decision.'],
])('%s without content inserts its live regions empty', async (address, said) => {
  answers = [...empty, ...filled];
  act(() => beginSession(id(11), 'ada@example.com'));
  open(address);
  const words = await screen.findByText(said, {}, { timeout: 20_000 });
  expect(words.closest('[role=status]')).toBeTruthy();
  expect(bornWithWords).toEqual([]);
});

test('no live region is hidden while it is empty', () => {
  const hidden = globSync('**/*.tsx', { cwd: import.meta.dirname }).filter((file) =>
    /role="(?:status|alert)"[^>]*empty:hidden/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
  expect(hidden).toEqual([]);
});
