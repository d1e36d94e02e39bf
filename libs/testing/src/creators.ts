import type { PublicCreator } from '@stoa/contracts';

/** A public creator with an empty profile. */
export const makePublicCreator = (changes: Partial<PublicCreator> = {}): PublicCreator => ({
  uid: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  username: 'ama-writes',
  displayName: 'Ama',
  contactBy: 'email',
  email: 'ama@example.test',
  bio: '',
  profileImage: null,
  headerImage: null,
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: [],
  palette: 'terracotta',
  layout: 'cards',
  links: [],
  offeringCount: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});
