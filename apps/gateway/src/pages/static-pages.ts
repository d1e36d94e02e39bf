import { html } from '../http/html.ts';
import type { PageHead } from './page-head.ts';

const page = (path: string, title: string, description: string): [string, PageHead] => [
  path,
  {
    path,
    title: `${title} · Stoa`,
    description,
    indexed: true,
    content: html`<h1>${title}</h1>
      <p>${description} This page needs JavaScript to show the rest.</p>
      <p><a href="/browse-creators">Browse Creators</a></p>`,
  },
];

const browse = page(
  '/browse-creators',
  'Browse Creators',
  'Find writers, artists, healers, coaches, musicians and poets on Stoa.',
);

export const browsePage: PageHead = browse[1];

/** The pages whose words do not depend on data, by their path. */
export const staticPages: ReadonlyMap<string, PageHead> = new Map([
  [
    '/',
    {
      path: '/',
      title: 'Stoa: a commission-free home for creators',
      description:
        'Stoa gives writers, artists, healers, coaches, musicians and poets a free profile and a place to sell. No fee, no commission.',
      indexed: true,
      facts: { '@type': 'WebSite', name: 'Stoa' },
      content: html`<h1>Stoa: a commission-free home for creators</h1>
        <p>A free profile and a place to sell. No fee, no commission.</p>
        <p><a href="/browse-creators">Browse Creators</a> <a href="/about">About Us</a></p>`,
    },
  ],
  page('/about', 'About Us', 'Why Stoa exists: creators keep everything that they earn.'),
  browse,
  page('/contact', 'Contact', 'Write to the people behind Stoa.'),
  page('/privacy', 'Privacy Policy', 'What Stoa keeps about you, why, and how to have it removed.'),
  page('/terms-of-service', 'Terms of Service', 'The terms on which creators and visitors use Stoa.'),
  page('/community-guidelines', 'Community Guidelines', 'How we treat each other on Stoa.'),
  page('/help-feedback', 'Help & Feedback', 'Answers to common questions, and where to send yours.'),
]);

// Pages for people at work, which no search engine should keep.
const workPages = [
  /^\/(login|signup|forgot-password|undo-change|create-profile|profile)\/?$/,
  /^\/profile\/[^/]+\/contact\/?$/,
  /^\/auth\/callback$/,
  /^\/dashboard(\/account|\/edit-profile|\/add-offering|\/edit-offering\/[^/]+)?\/?$/,
  /^\/download(\/[^/]+){0,2}\/?$/,
];

/** The head of a page that exists but is not for search engines; undefined for addresses that nobody knows. */
export function workPage(path: string): PageHead | undefined {
  if (!workPages.some((pattern) => pattern.test(path))) return undefined;
  return { path, title: 'Stoa: a commission-free home for creators', description: 'Stoa', indexed: false };
}

/** Whether there is a page at `path` that no route of its own answers. */
export const isPage = (path: string): boolean =>
  staticPages.has(path.replace(/(?<=.)\/$/, '')) || workPage(path) !== undefined;

/** The head of a profile that cannot be read for now: it says nothing of it, neither that it is there nor that it is not. */
export function unreadProfilePage(path: string): PageHead {
  return {
    path,
    title: 'Stoa: a commission-free home for creators',
    description: 'A free profile and a place to sell, without commission.',
    indexed: true,
  };
}

export const notFoundPage: PageHead = {
  path: '/',
  title: 'Page not found · Stoa',
  description: 'There is nothing at this address.',
  indexed: false,
};
