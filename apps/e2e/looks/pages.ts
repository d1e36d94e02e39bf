import { type MadeCreator, makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';

export interface Route {
  name: string;
  path: string;
}

/** A creator with something on every page. */
export async function makeFullCreator(): Promise<MadeCreator & { offeringId: string }> {
  const creator = await makeCreator();
  const { token, displayName } = creator;
  await saveProfile(token, {
    displayName,
    bio: 'Paper, ink and patience. Letters for people who still read them slowly, more than once.',
    niches: ['Writer', 'Poet', 'Healer', 'Coach'],
    paygates: [{ name: 'PayPal', url: 'https://paypal.example.test/x' }],
    socialLinks: {
      youtube: 'https://youtube.example.test/x',
      tiktok: 'https://tiktok.example.test/x',
      instagram: 'https://instagram.example.test/x',
    },
    profileImageId: (await upload(token, 'profile-picture')).id,
  });
  const { id: offeringId } = await makeOffering(token, {
    title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
    description: 'One letter a month, by hand, on paper from a mill that has made it since 1650.',
  });
  await makeOffering(token);
  return { ...creator, offeringId };
}

/** Every page that a visitor sees; `username` has a full profile. */
export const publicRoutes = (username: string): Route[] => [
  { name: 'home', path: '/' },
  { name: 'about', path: '/about' },
  { name: 'browse', path: `/browse-creators` },
  { name: 'browse-empty', path: '/browse-creators?search=nobody-is-called-this' },
  { name: 'profile', path: `/profile/${username}` },
  { name: 'profile-missing', path: '/profile/nobody-is-called-this' },
  { name: 'contact', path: '/contact' },
  { name: 'privacy', path: '/privacy' },
  { name: 'terms', path: '/terms-of-service' },
  { name: 'guidelines', path: '/community-guidelines' },
  { name: 'help', path: '/help-feedback' },
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
  { name: 'edit-profile', path: '/dashboard/edit-profile' },
  { name: 'add-offering', path: '/dashboard/add-offering' },
  { name: 'edit-offering', path: `/dashboard/edit-offering/${offeringId}` },
  { name: 'download', path: `/download/${uid}/${offeringId}` },
];
