import type { UploadPurpose } from '@stoa/contracts';

/**
 * What a public surface shows. `profile`: anything of a creator; `offering`: an offering where visitors come across it;
 * `delivery`: what somebody paid for; `seller`: whose offering a lost link is of; `nothing`: no content of a creator.
 */
export type Shown = 'profile' | 'offering' | 'delivery' | 'seller' | 'nothing';

/** What each route of the gateway shows that is open to everybody or to a key. A route that is not here fails its test. */
export const gatewaySurfaces: Readonly<Record<string, readonly Shown[]>> = {
  // Home shows who stands first; every other page of it is the same for everybody.
  'GET /*': ['profile', 'offering'],
  'GET /.well-known/change-password': ['nothing'],
  'GET /api/config': ['nothing'],
  'GET /api/creators': ['profile', 'offering'],
  'GET /api/creators/:username': ['profile'],
  'GET /api/creators/:username/card.jpg': ['profile'],
  'GET /api/creators/:username/offerings': ['offering'],
  'GET /api/creators/:username/offerings/:slug': ['offering'],
  'GET /api/creators/:username/offerings/:slug/card.jpg': ['offering'],
  'GET /api/downloads/:creatorId/:offeringId': ['delivery'],
  'GET /api/downloads/:creatorId/:offeringId/seller': ['seller'],
  'GET /api/showcase': ['profile', 'offering'],
  'GET /api/usernames/:username': ['profile'],
  'GET /assets/:name': ['nothing'],
  'GET /browse-creators': ['profile', 'offering'],
  'GET /embed/:username': ['profile', 'offering'],
  'GET /oembed': ['profile'],
  'GET /profile/:username': ['profile', 'offering'],
  'GET /profile/:username/:slug': ['offering'],
  'GET /profile/:username/:slug/event.ics': ['offering'],
  'GET /profile/:username/feed.xml': ['profile', 'offering'],
  'GET /robots.txt': ['nothing'],
  'GET /sitemap.xml': ['profile', 'offering'],
  // The same entries, where there are so many that the sitemap is in parts.
  'GET /sitemaps/pages.xml': ['profile', 'offering'],
  'GET /sitemaps/profiles/:after.xml': ['profile', 'offering'],
  'GET /terms': ['nothing'],
  'POST /api/account-changes/undo': ['nothing'],
  'POST /api/contact-messages': ['nothing'],
  // Says by its refusal whether there is such a profile.
  'POST /api/creators/:username/messages': ['profile'],
  'POST /api/link-changes/undo': ['nothing'],
  'POST /api/reports': ['nothing'],
  'POST /api/visits': ['nothing'],
  'POST /contact': ['nothing'],
  // As the API's route for the same message.
  'POST /profile/:username/contact': ['profile'],
};

/** The routes of edge in front of the object store, by the purpose of their bucket. */
export const mediaRoutes = {
  staging: ['POST', 'OPTIONS'],
  public: ['GET', 'HEAD'],
  files: ['GET', 'HEAD'],
} as const;

/** What lies in the public bucket and among the files, by what it was uploaded as or made for. */
export const objectSurfaces: Readonly<
  Record<UploadPurpose | 'profile-card' | 'offering-card', { bucket: 'public' | 'files'; shown: Shown }>
> = {
  'profile-picture': { bucket: 'public', shown: 'profile' },
  'profile-header': { bucket: 'public', shown: 'profile' },
  // Its owner and who bought the offering see the cover, whatever its owner has made of it.
  'offering-cover': { bucket: 'public', shown: 'delivery' },
  'offering-file': { bucket: 'files', shown: 'delivery' },
  'profile-card': { bucket: 'public', shown: 'profile' },
  'offering-card': { bucket: 'public', shown: 'offering' },
};

/** What can become of an offering, its creator's profile and account. */
export const visibilityStates = [
  'draft',
  'hidden by its owner',
  'archived',
  'hidden by an operator',
  'of a hidden profile',
  'removed',
  'of a closed account',
] as const;
export type VisibilityState = (typeof visibilityStates)[number];

const everything: readonly Shown[] = ['profile', 'offering', 'delivery', 'seller'];
const ownersChoice = everything.filter((shown) => shown !== 'offering');

/**
 * What is still shown in each state. Who has paid keeps what they paid for, unless an operator hides it. A buyer of a removed
 * offering still learns whom to contact.
 */
export const shownIn: Readonly<Record<VisibilityState, readonly Shown[]>> = {
  draft: ownersChoice,
  'hidden by its owner': ownersChoice,
  archived: ownersChoice,
  'hidden by an operator': ['profile'],
  'of a hidden profile': [],
  removed: ['profile', 'seller'],
  'of a closed account': [],
};
