/** Every address of the site. Nothing else in the project spells one out. */
export const paths = {
  home: '/',
  about: '/about',
  browse: '/browse-creators',
  profile: (username: string) => `/profile/${encodeURIComponent(username)}`,
  offering: (username: string, slug: string) =>
    `/profile/${encodeURIComponent(username)}/${encodeURIComponent(slug)}`,
  contactCreator: (username: string) => `/profile/${encodeURIComponent(username)}/contact`,
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms-of-service',
  guidelines: '/community-guidelines',
  help: '/help-feedback',
  login: '/login',
  forgotPassword: '/forgot-password',
  signup: '/signup',
  undoChange: '/undo-change',
  accountDeleted: '/account-deleted',
  report: '/report',
  review: '/review',
  authCallback: '/auth/callback',
  authSilent: '/auth/silent.html',
  createProfile: '/create-profile',
  dashboard: '/dashboard',
  editProfile: '/dashboard/edit-profile',
  account: '/dashboard/account',
  addOffering: '/dashboard/add-offering',
  editOffering: (id: string) => `/dashboard/edit-offering/${encodeURIComponent(id)}`,
  download: (creatorId: string, offeringId: string) => `/download/${creatorId}/${offeringId}`,
  /** For buyers without an account. */
  delivery: (creatorId: string, offeringId: string, key: string) =>
    `${paths.download(creatorId, offeringId)}#key=${key}`,
} as const;

/** The Atom feed of a profile. Apart from the pages: no page of the browser leads there. */
export const feedPath = (username: string) => `${paths.profile(username)}/feed.xml`;

/** A workshop for calendars, as a file. */
export const calendarPath = (username: string, slug: string) => `${paths.offering(username, slug)}/event.ics`;

/** The same with holes, as routers write them; a missing part gets the page's own message. */
export const patterns = {
  profile: '/profile/:username?',
  contactCreator: '/profile/:username/contact',
  offering: '/profile/:username/:slug',
  termsAlias: '/terms',
  editOffering: '/dashboard/edit-offering/:offeringId',
  download: '/download/:creatorId?/:offeringId?',
  everythingElse: '*',
} as const;

/** What the pages are called whose words do not depend on data: in menus, titles and headings. */
export const pageTitles = {
  about: 'About Us',
  browse: 'Browse Creators',
  contact: 'Contact',
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  guidelines: 'Community Guidelines',
  help: 'Help & Feedback',
} as const;
