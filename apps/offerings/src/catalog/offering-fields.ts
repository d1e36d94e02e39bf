import { type Offering, PublicOffering, writtenFields } from '@stoa/contracts';

type Written = (typeof writtenFields)[number];

const duplicated = [...writtenFields, 'type', 'coverImage'] as const;
type Duplicated = Pick<Offering, (typeof duplicated)[number]>;

/** The fields that a duplicate copies: neither the delivered content nor the identity of the original. */
export const duplicatedFields = (offering: Offering): Duplicated =>
  Object.fromEntries(duplicated.map((field) => [field, offering[field]])) as Duplicated;

type Reviewed = Exclude<Written & keyof PublicOffering, 'title'>;
/** The written fields below the title that visitors see, in the order of the contract. */
const reviewed = Object.keys(PublicOffering.shape).filter(
  (field): field is Reviewed => field !== 'title' && (writtenFields as string[]).includes(field),
);

/** The written texts or links that visitors see, for the review by operators. */
export function reviewedContent(offering: Pick<PublicOffering, Reviewed>, how: 'text' | 'link'): string[] {
  return reviewed
    .flatMap((field) => textsIn(offering[field], field))
    .filter(({ field }) => /url$/i.test(field) === (how === 'link'))
    .map(({ text }) => text);
}

/** An upper bound for the size of a list as JSON: 3 bytes per UTF-16 code unit, and 1,000 per item for names of fields. */
export function maxJsonBytes(items: readonly PublicOffering[]): number {
  return 1000 * items.length + 3 * textLength(items);
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + textLength(part), 0);
}

/** Each text in a value, with the name of its field. */
function textsIn(value: unknown, field: string): { field: string; text: string }[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, name));
}
