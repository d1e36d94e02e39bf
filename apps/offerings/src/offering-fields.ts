import { Offering, type PublicOffering } from '@stoa/contracts';

/** What a duplicate takes from its original. The type and a test fail for a field of the contract that is in neither list. */
export const duplicated = {
  title: true,
  description: true,
  price: true,
  type: true,
  paymentUrl: true,
  productUrl: true,
  coverImage: true,
} as const satisfies Partial<Record<keyof Offering, true>>;

/** What is of the original alone: what it is known by, its date, what was sold with it and what was decided about it. */
export const notDuplicated = {
  id: true,
  creatorId: true,
  slug: true,
  state: true,
  createdAt: true,
  publishedAt: true,
  updatedAt: true,
  version: true,
  takenDown: true,
  schedule: true,
  seats: true,
  file: true,
  files: true,
  deliveryText: true,
  deliveryUrl: true,
  deliveryKey: true,
} as const satisfies Record<Exclude<keyof Offering, keyof typeof duplicated>, true>;

const Duplicated = Offering.pick(duplicated);

/** The fields of an offering that a duplicate begins with. */
export const duplicatedFields = (offering: Offering) => Duplicated.parse(offering);

/** How operators see each field of a reported offering. */
export const reviewed = {
  title: 'title',
  price: 'text',
  description: 'text',
  paymentUrl: 'link',
  coverImage: 'picture',
  ...{ id: 'none', creatorId: 'none', type: 'none', state: 'none', slug: 'none' },
  ...{ createdAt: 'none', publishedAt: 'none', schedule: 'none', seats: 'none' },
} as const satisfies Record<keyof PublicOffering, 'title' | 'text' | 'link' | 'picture' | 'none'>;

type ReviewedAs<How> = {
  [Field in keyof typeof reviewed]: (typeof reviewed)[Field] extends How ? Field : never;
}[keyof typeof reviewed];

/** The values of an offering that operators see as `how`. */
export function reviewedAs<How extends 'text' | 'link'>(
  offering: Pick<PublicOffering, ReviewedAs<How>>,
  how: How,
): string[] {
  const fields = Object.entries(reviewed).flatMap(([field, seen]) => (seen === how ? [field] : []));
  return fields.map((field) => String(offering[field as ReviewedAs<How>]));
}

/** What a list takes at most as JSON: three bytes for each half of a character, and the names of fields. */
export function mostBytes(items: readonly PublicOffering[]): number {
  return 1000 * items.length + 3 * textLength(items);
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + textLength(part), 0);
}
