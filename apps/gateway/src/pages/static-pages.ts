import { documentTitle, isPage, pageTitles, paths, siteTitle } from '@stoa/contracts';
import type { PageHead } from './page-head.ts';

const page = (path: string, title: string, description: string): [string, PageHead] => [
  path,
  { path, title: documentTitle(title), description, indexed: true },
];

const browse = page(
  paths.browse,
  pageTitles.browse,
  'Find writers, artists, healers, coaches, musicians and poets on Stoa.',
);

export const browsePage: PageHead = browse[1];

/** The pages whose words do not depend on data, by their path. */
export const staticPages: ReadonlyMap<string, PageHead> = new Map([
  [
    paths.home,
    {
      path: paths.home,
      title: siteTitle,
      description:
        'Stoa gives writers, artists, healers, coaches, musicians and poets a free profile and a place to sell. No fee, no commission.',
      indexed: true,
      facts: { '@type': 'WebSite', name: 'Stoa' },
    },
  ],
  page(paths.about, pageTitles.about, 'Why Stoa exists: creators keep everything that they earn.'),
  browse,
  page(paths.contact, pageTitles.contact, 'Write to the people behind Stoa.'),
  page(paths.privacy, pageTitles.privacy, 'What Stoa keeps about you, why, and how to have it removed.'),
  page(paths.terms, pageTitles.terms, 'The terms on which creators and visitors use Stoa.'),
  page(paths.guidelines, pageTitles.guidelines, 'How we treat each other on Stoa.'),
  page(paths.help, pageTitles.help, 'Answers to common questions, and where to send yours.'),
]);

/** The head of a page that exists but is not for search engines; undefined for unknown addresses. */
export function unlistedPage(path: string): PageHead | undefined {
  return isPage(path) ? { path, title: siteTitle, description: 'Stoa', indexed: false } : undefined;
}

/** The head of a profile or an offering that cannot be read for now: it says nothing of it, neither that it is there nor that it is not. */
export function unavailableProfilePage(path: string): PageHead {
  return {
    path,
    title: siteTitle,
    description: 'A free profile and a place to sell, without commission.',
    indexed: true,
  };
}

export const notFoundPage: PageHead = {
  path: '/',
  title: documentTitle('Page not found'),
  description: 'There is nothing at this address.',
  indexed: false,
};
