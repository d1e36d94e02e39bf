import { paths } from '@stoa/contracts';

export interface Route {
  name: string;
  path: string;
}

/** All public pages. The creator has a full profile, and an offering with this slug. */
export const publicRoutes = ({ username, slug }: { username: string; slug: string }): Route[] => [
  { name: 'home', path: paths.home },
  { name: 'about', path: paths.about },
  { name: 'browse', path: paths.browse },
  { name: 'browse-empty', path: `${paths.browse}?search=nobody-is-called-this` },
  { name: 'profile', path: paths.profile(username) },
  { name: 'profile-contact', path: paths.contactCreator(username) },
  { name: 'offering', path: paths.offering(username, slug) },
  { name: 'offering-not-found', path: paths.offering(username, 'nothing-is-called-this') },
  { name: 'profile-missing', path: paths.profile('nobody-is-called-this') },
  { name: 'contact', path: paths.contact },
  { name: 'privacy', path: paths.privacy },
  { name: 'terms', path: paths.terms },
  { name: 'guidelines', path: paths.guidelines },
  { name: 'help', path: paths.help },
  { name: 'undo-change', path: paths.undoChange },
  { name: 'account-deleted', path: paths.accountDeleted },
  { name: 'report', path: `${paths.report}?page=${paths.profile(username)}` },
  { name: 'not-found', path: '/no-such-page' },
];

/** Keycloak's pages in the theme of the site. */
export const accountRoutes: Route[] = [
  { name: 'login', path: paths.login },
  { name: 'signup', path: paths.signup },
  { name: 'forgot-password', path: paths.forgotPassword },
];

/** Pages of a creator who is logged in. */
export const creatorRoutes = ({ uid, offeringId }: { uid: string; offeringId: string }): Route[] => [
  { name: 'dashboard', path: paths.dashboard },
  { name: 'account', path: paths.account },
  { name: 'edit-profile', path: paths.editProfile },
  { name: 'add-offering', path: paths.addOffering },
  { name: 'edit-offering', path: paths.editOffering(offeringId) },
  { name: 'download', path: paths.download(uid, offeringId) },
];
