import type { PublicCreator } from '@stoa/contracts';

/** How operators see each field of a reported profile. If a field of the contract is missing, types and a test fail. */
export const reviewDisplay = {
  displayName: 'title',
  bio: 'text',
  profileImage: 'picture',
  headerImage: 'header',
  ...{ paygates: 'links', links: 'links', socialLinks: 'links' },
  ...{ uid: 'none', username: 'none', contactBy: 'none', email: 'none', niches: 'none', palette: 'none' },
  ...{ layout: 'none', offeringCount: 'none', createdAt: 'none' },
} as const satisfies Record<keyof PublicCreator, 'title' | 'text' | 'links' | 'picture' | 'header' | 'none'>;

type DisplayedAs<How> = {
  [Field in keyof typeof reviewDisplay]: (typeof reviewDisplay)[Field] extends How ? Field : never;
}[keyof typeof reviewDisplay];

/** The addresses in a profile, each once, in the order of the fields above. */
export function reviewedLinks(profile: Pick<PublicCreator, DisplayedAs<'links'>>): string[] {
  const fields = Object.entries(reviewDisplay).flatMap(([field, how]) => (how === 'links' ? [field] : []));
  return [...new Set(fields.flatMap((field) => addressesIn(profile[field as DisplayedAs<'links'>])))];
}

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:/i.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}
