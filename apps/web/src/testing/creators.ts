import type { Creator, PublicCreator } from '@stoa/contracts';

/** A public creator with an empty profile. */
export const makePublicCreator = (changes: Partial<PublicCreator> = {}): PublicCreator => ({
  uid: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  username: 'ada',
  displayName: 'Ada',
  contactBy: 'form',
  email: null,
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
  createdAt: '2026-11-21T12:00:00Z',
  ...changes,
});

/** A published creator, as the creator's own pages show it. */
export const makeCreator = (changes: Partial<Creator> = {}): Creator => ({
  ...makePublicCreator(),
  contactBy: 'email',
  email: 'ada@example.com',
  emailVerified: true,
  published: true,
  isPublic: true,
  takenDown: false,
  updatedAt: '2026-11-21T12:00:00Z',
  version: 1,
  ...changes,
});
