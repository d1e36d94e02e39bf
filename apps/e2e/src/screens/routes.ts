export interface Route {
  name: string;
  path: string;
}

/** Every page that a visitor sees; `username` has a full profile. */
export const publicRoutes = (username: string): Route[] => [
  { name: 'home', path: '/' },
  { name: 'about', path: '/about' },
  { name: 'browse', path: `/browse-creators` },
  { name: 'browse-empty', path: '/browse-creators?search=nobody-is-called-this' },
  { name: 'profile', path: `/profile/${username}` },
  { name: 'profile-contact', path: `/profile/${username}/contact` },
  { name: 'profile-missing', path: '/profile/nobody-is-called-this' },
  { name: 'contact', path: '/contact' },
  { name: 'privacy', path: '/privacy' },
  { name: 'terms', path: '/terms-of-service' },
  { name: 'guidelines', path: '/community-guidelines' },
  { name: 'help', path: '/help-feedback' },
  { name: 'undo-change', path: '/undo-change' },
  { name: 'not-found', path: '/no-such-page' },
];

/** Keycloak's pages, in our theme. */
export const accountRoutes: Route[] = [
  { name: 'login', path: '/login' },
  { name: 'signup', path: '/signup' },
  { name: 'forgot-password', path: '/forgot-password' },
];

/** The rooms of a signed-in creator. */
export const creatorRoutes = ({ uid, offeringId }: { uid: string; offeringId: string }): Route[] => [
  { name: 'dashboard', path: '/dashboard' },
  { name: 'account', path: '/dashboard/account' },
  { name: 'edit-profile', path: '/dashboard/edit-profile' },
  { name: 'add-offering', path: '/dashboard/add-offering' },
  { name: 'edit-offering', path: `/dashboard/edit-offering/${offeringId}` },
  { name: 'download', path: `/download/${uid}/${offeringId}` },
];
