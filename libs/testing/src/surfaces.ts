import type { UploadPurpose } from '@stoa/contracts';

/**
 * The content of a public surface. `profile`: data of a creator. `offering`: a listed offering. `delivery`: content for
 * buyers. `seller`: the creator behind an invalid download link. `nothing`: no content of a creator.
 */
export type SurfaceContent = 'profile' | 'offering' | 'delivery' | 'seller' | 'nothing';

/** The content of each gateway route that is public or opens with a key. A test fails for a missing route. */
export const gatewaySurfaces: Readonly<Record<string, readonly SurfaceContent[]>> = {
  // Home shows the first creator. The other pages under this route show no creator.
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
  // The same entries, if the sitemap has several files.
  'GET /sitemaps/pages.xml': ['profile', 'offering'],
  'GET /sitemaps/profiles/:after.xml': ['profile', 'offering'],
  'GET /terms': ['nothing'],
  'POST /api/account-changes/undo': ['nothing'],
  'POST /api/contact-messages': ['nothing'],
  // A refusal reveals whether the profile exists.
  'POST /api/creators/:username/messages': ['profile'],
  'POST /api/link-changes/undo': ['nothing'],
  'POST /api/reports': ['nothing'],
  'POST /api/visits': ['nothing'],
  'POST /contact': ['nothing'],
  // The same as the API's route for messages.
  'POST /profile/:username/contact': ['profile'],
};

/** The routes of edge in front of the object store, by the purpose of their bucket. */
export const mediaRoutes = {
  staging: ['POST', 'OPTIONS'],
  public: ['GET', 'HEAD'],
  files: ['GET', 'HEAD'],
} as const;

/** The objects in the public bucket and the files bucket, by the purpose of their upload or creation. */
export const objectSurfaces: Readonly<
  Record<
    UploadPurpose | 'profile-card' | 'offering-card',
    { bucket: 'public' | 'files'; shown: SurfaceContent }
  >
> = {
  'profile-picture': { bucket: 'public', shown: 'profile' },
  'profile-header': { bucket: 'public', shown: 'profile' },
  // The owner and buyers see the cover in any state of the offering.
  'offering-cover': { bucket: 'public', shown: 'delivery' },
  'offering-file': { bucket: 'files', shown: 'delivery' },
  'profile-card': { bucket: 'public', shown: 'profile' },
  'offering-card': { bucket: 'public', shown: 'offering' },
};

/** The states of an offering, its creator's profile and account that limit its visibility. */
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

const everything: readonly SurfaceContent[] = ['profile', 'offering', 'delivery', 'seller'];
const ownersChoice = everything.filter((shown) => shown !== 'offering');

/**
 * The remaining public content in each state. Buyers keep the content unless an operator hides it. A buyer of a removed
 * offering still finds the seller.
 */
export const contentByState: Readonly<Record<VisibilityState, readonly SurfaceContent[]>> = {
  draft: ownersChoice,
  'hidden by its owner': ownersChoice,
  archived: ownersChoice,
  'hidden by an operator': ['profile'],
  'of a hidden profile': [],
  removed: ['profile', 'seller'],
  'of a closed account': [],
};
