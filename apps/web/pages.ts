import { pictureSizes } from './src/picture-sizes.ts';

/** What the gateway may know of a page before the browser does: where its code begins, and how large its first picture is shown. */
export interface PublicPage {
  /** The address, or its pattern; one that ends in a slash stands for everything below it. */
  path: string;
  module: string;
  pictureSizes?: string;
  /** The same of the wide picture, where the page has one. */
  headerSizes?: string;
}

/** The pages for which visitors arrive from elsewhere. */
export const publicPages: readonly PublicPage[] = [
  { path: '/', module: 'features/home/home-page.tsx' },
  { path: '/about', module: 'features/about/about-page.tsx' },
  { path: '/browse-creators', module: 'features/browse/browse-page.tsx', pictureSizes: pictureSizes.card },
  {
    path: '/profile/',
    module: 'features/profile/profile-page.tsx',
    pictureSizes: pictureSizes.profile,
    headerSizes: pictureSizes.header,
  },
  {
    path: '/profile/:username/:slug',
    module: 'features/profile/offering-page.tsx',
    pictureSizes: pictureSizes.offeringPage,
  },
  { path: '/contact', module: 'features/contact/contact-page.tsx' },
  { path: '/privacy', module: 'features/legal/privacy-page.tsx' },
  { path: '/terms-of-service', module: 'features/legal/terms-page.tsx' },
  { path: '/community-guidelines', module: 'features/legal/guidelines-page.tsx' },
  { path: '/help-feedback', module: 'features/legal/help-page.tsx' },
  { path: '/login', module: 'features/sign-in/redirect-to-sign-in-page.tsx' },
  { path: '/signup', module: 'features/sign-in/redirect-to-sign-in-page.tsx' },
  { path: '/forgot-password', module: 'features/sign-in/redirect-to-sign-in-page.tsx' },
];
