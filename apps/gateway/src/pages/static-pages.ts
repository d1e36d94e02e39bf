import { documentTitle, isPage, pageTitles, paths, siteTitle } from '@stoa/contracts';
import type { PageHead } from './page-head.ts';

type Titled = keyof typeof pageTitles;

/** Descriptions of pages, which search engines and link previews show. */
const descriptions: Readonly<Record<Titled, string>> = {
  about: 'Why Stoa exists: creators keep everything that they earn.',
  browse: 'Find writers, artists, healers, coaches, musicians and poets on Stoa.',
  contact: 'Write to the people behind Stoa.',
  privacy: 'What Stoa keeps about you, why, and how to have it removed.',
  terms: 'The terms on which creators and visitors use Stoa.',
  guidelines: 'How we treat each other on Stoa.',
  help: 'Answers to common questions, and where to send yours.',
};

const headOf = (name: Titled): PageHead => ({
  path: paths[name],
  title: documentTitle(pageTitles[name]),
  description: descriptions[name],
  indexed: true,
});

export const browsePage = headOf('browse');

/** Pages without data, which the sitemap lists besides profiles and offerings. By path. */
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
  ...(Object.keys(descriptions) as Titled[]).map((name): [string, PageHead] => {
    const head = name === 'browse' ? browsePage : headOf(name);
    return [head.path, head];
  }),
]);

/** Metadata of a page that search engines must not list; undefined for unknown addresses. */
export function unlistedPage(path: string): PageHead | undefined {
  return isPage(path) ? { path, title: siteTitle, description: 'Stoa', indexed: false } : undefined;
}

/** Metadata of a profile or an offering during an outage, when it is unknown whether the page exists. */
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
