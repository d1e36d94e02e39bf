/** All paths of the site. Other code imports them and contains no path of its own. */
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
  numbers: '/dashboard/numbers',
  addOffering: '/dashboard/add-offering',
  editOffering: (id: string) => `/dashboard/edit-offering/${encodeURIComponent(id)}`,
  download: (creatorId: string, offeringId: string) => `/download/${creatorId}/${offeringId}`,
  /** The download page for buyers without an account. */
  delivery: (creatorId: string, offeringId: string, key: string) =>
    `${paths.download(creatorId, offeringId)}#key=${key}`,
} as const;

/** The Atom feed of a profile. It is not in `paths`, because the web app has no page for it. */
export const feedPath = (username: string) => `${paths.profile(username)}/feed.xml`;

/** The iCalendar file of a workshop. */
export const calendarPath = (username: string, slug: string) => `${paths.offering(username, slug)}/event.ics`;

/** Paths as route patterns. An optional part lets the page itself report that the part is missing. */
export const patterns = {
  profile: '/profile/:username?',
  contactCreator: '/profile/:username/contact',
  offering: '/profile/:username/:slug',
  termsAlias: '/terms',
  editOffering: '/dashboard/edit-offering/:offeringId',
  download: '/download/:creatorId?/:offeringId?',
  everythingElse: '*',
} as const;

/** The titles of static pages in menus, headings and browser tabs. */
export const pageTitles = {
  about: 'About Us',
  browse: 'Browse Creators',
  contact: 'Contact',
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  guidelines: 'Community Guidelines',
  help: 'Help & Feedback',
} as const;
