import { z } from 'zod';
import { limits } from './limits.ts';
import { countCharacters } from './text.ts';

// Control characters other than tab and line breaks, and the bidirectional overrides that let a name
// pretend to be another one on screen.
const unprintable = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

const missing = 'This field is required.';
const broken = 'Contains broken characters.';
const unshown = 'Contains characters that cannot be shown.';

// Half of a surrogate pair is no text: Postgres refuses it in JSON and replaces it elsewhere.
function isUnicode(value: string): boolean {
  return value.isWellFormed();
}

/** Text of at most `max` characters as a person counts them. Trimmed, so that running it twice changes nothing. */
export function text(max: number) {
  return (
    z
      .string(missing)
      // A grapheme can be many code units long; this cheap bound comes first so that counting stays bounded.
      .max(max * 16, `Must be at most ${max} characters.`)
      .trim()
      .refine(isUnicode, broken)
      .refine((value) => !unprintable.test(value), unshown)
      .refine((value) => countCharacters(value) <= max, `Must be at most ${max} characters.`)
  );
}

/** Text that must hold something besides white space. */
export function requiredText(max: number) {
  return text(max).refine((value) => value.length > 0, missing);
}

/** One line of required text, fit for a mail header or a title. */
export function requiredLine(max: number) {
  return requiredText(max).refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'Must be a single line.');
}

export const Id = z.uuid();
export const Uid = z.uuid();
/** Keycloak's id of a sign-in and all that is refreshed from it. */
export const SessionId = z.string().regex(/^[\w-]{16,64}$/);
export const Timestamp = z.iso.datetime();
export const Version = z.int().nonnegative();

/** A link people follow: http or https, without credentials in it. */
export const Link = z
  .string(missing)
  .trim()
  .min(1, missing)
  .max(limits.urlLength, `Must be at most ${limits.urlLength} characters.`)
  .refine(isUnicode, broken)
  .refine((value) => !unprintable.test(value), unshown)
  .refine(isSafeLink, 'Enter a link that starts with http:// or https://.');

function isSafeLink(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || /\s/.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
}

export const Email = z.string(missing).trim().max(254).pipe(z.email('The email address is not valid.'));
export const Username = z.string().regex(/^[a-z0-9_-]{3,30}$/);

/** Opaque position in a list; only the service that wrote it can read it. */
export const Cursor = z.string().min(1).max(512);

/** A page of a list that is walked by cursor, with the count of everything that matches. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: Cursor.nullable(), total: z.int().nonnegative() });
}

export const Nothing = z.object({});
