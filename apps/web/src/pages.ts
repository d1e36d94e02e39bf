import type { ComponentType } from 'react';
import {
  creatorOfferingQuery,
  creatorOfferingsQuery,
  creatorQuery,
  prefetchCreators,
} from './api/public/creator.queries.ts';
import { prefetch } from './api/public/public.queries.ts';
import { paths, patterns } from './navigation/paths.ts';
import { pictureSizes } from './storefront/picture-sizes.ts';

/** A page outside of the signed-in creators' pages. The build and the routes both read these declarations. */
export interface VisitorPage {
  pattern: string;
  /** Imports its code, which has its own chunk. */
  load: () => Promise<{ default: ComponentType }>;
  /** Begins the reads of what the page shows first. */
  reads?: (params: Readonly<Record<string, string | undefined>>, search: string) => Promise<void>[];
  /** Limits the page to accounts, or to accounts and holders of a delivery key; all visitors if absent. */
  audience?: 'accounts' | 'accounts-or-key';
  /** Whether the server renders the page. The browser then loads its code before hydration. */
  isRendered?: true;
  /** The `sizes` of its first picture, which the server preloads. */
  pictureSizes?: string;
  /** The `sizes` of the wide header picture, if the page has one. */
  headerSizes?: string;
}

const signIn = () => import('./features/sign-in/redirect-to-sign-in-page.tsx');

/** The first page that matches an address is shown. */
export const visitorPages: readonly VisitorPage[] = [
  { pattern: paths.home, load: () => import('./features/home/home-page.tsx'), isRendered: true },
  { pattern: paths.about, load: () => import('./features/about/about-page.tsx'), isRendered: true },
  {
    pattern: paths.browse,
    load: () => import('./features/browse/browse-page.tsx'),
    reads: (_, search) => [prefetchCreators(new URLSearchParams(search))],
    isRendered: true,
    pictureSizes: pictureSizes.card,
  },
  {
    pattern: patterns.profile,
    load: () => import('./features/profile/profile-page.tsx'),
    reads: ({ username }) =>
      username ? [prefetch(creatorQuery(username)), prefetch(creatorOfferingsQuery(username))] : [],
    isRendered: true,
    pictureSizes: pictureSizes.profile,
    headerSizes: pictureSizes.header,
  },
  {
    pattern: patterns.contactCreator,
    load: () => import('./features/contact/creator-contact-page.tsx'),
    reads: ({ username = '' }) => [prefetch(creatorQuery(username))],
    isRendered: true,
  },
  {
    pattern: patterns.offering,
    load: () => import('./features/profile/offering-page.tsx'),
    reads: ({ username = '', slug = '' }) => [
      prefetch(creatorQuery(username)),
      prefetch(creatorOfferingQuery(username, slug)),
      prefetch(creatorOfferingsQuery(username)),
    ],
    isRendered: true,
    pictureSizes: pictureSizes.offeringPage,
  },
  { pattern: paths.contact, load: () => import('./features/contact/contact-page.tsx'), isRendered: true },
  { pattern: paths.privacy, load: () => import('./features/legal/privacy-page.tsx'), isRendered: true },
  { pattern: paths.terms, load: () => import('./features/legal/terms-page.tsx'), isRendered: true },
  { pattern: paths.guidelines, load: () => import('./features/legal/guidelines-page.tsx'), isRendered: true },
  { pattern: paths.help, load: () => import('./features/legal/help-page.tsx'), isRendered: true },
  { pattern: paths.login, load: signIn },
  { pattern: paths.signup, load: signIn },
  { pattern: paths.forgotPassword, load: signIn },
  { pattern: paths.authCallback, load: () => import('./features/sign-in/callback-page.tsx') },
  {
    pattern: patterns.download,
    load: () => import('./features/download/download-page.tsx'),
    audience: 'accounts-or-key',
  },
  { pattern: paths.review, load: () => import('./features/review/review-page.tsx'), audience: 'accounts' },
  { pattern: paths.report, load: () => import('./features/report/report-page.tsx') },
  { pattern: paths.undoChange, load: () => import('./features/undo-change/undo-change-page.tsx') },
  {
    pattern: paths.accountDeleted,
    load: () => import('./features/account-deleted/account-deleted-page.tsx'),
  },
];
