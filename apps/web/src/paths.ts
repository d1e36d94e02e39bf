/** Every address of the site. Nothing else in this app spells one out. */
export const paths = {
  home: '/',
  about: '/about',
  browse: '/browse-creators',
  profile: (username: string) => `/profile/${encodeURIComponent(username)}`,
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
    `/download/${creatorId}/${offeringId}#key=${key}`,
} as const;

/** The same with holes, for the routes; a missing part gets the page's own message. */
export const patterns = {
  profile: '/profile/:username?',
  contactCreator: '/profile/:username/contact',
  termsAlias: '/terms',
  editOffering: '/dashboard/edit-offering/:offeringId',
  download: '/download/:creatorId?/:offeringId?',
  everythingElse: '*',
} as const;

/** Whether an address belongs to the rooms of signed-in creators. */
export function isCreatorPath(pathname: string): boolean {
  return [paths.dashboard, paths.createProfile].some((room) => `${pathname}/`.startsWith(`${room}/`));
}

/** The delivery key in an address, if there is one, whatever a payment provider has put around it. */
export function deliveryKeyOf({ search, hash }: { search: string; hash: string }): string | undefined {
  return /[#?&]key=([\w-]+)/.exec(hash + search)?.[1];
}

/** Links from before have the key in the query, where servers, logs and caches see it; it moves on at once. */
export function moveKeyToFragment(): void {
  const { pathname, search } = location;
  const key = deliveryKeyOf(location);
  if (key && deliveryKeyOf({ search, hash: '' }) && pathname.startsWith('/download/'))
    history.replaceState(history.state, '', `${pathname}#key=${key}`);
}
