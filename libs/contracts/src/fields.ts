import { z } from 'zod';
import { limits } from './limits.ts';
import { isReservedName, mixesScripts, reordersOrJoinsNeighbours } from './names.ts';
import { hasStackedMarks, hasInvisibleCharacters, isBlank } from './text-rules.ts';
import { hasAtMost } from './text.ts';

const missing = 'This field is required.';
const broken = 'Contains broken characters.';
// What JSON Schema can say of the rules below, in the part of regular expressions that every language has.
const controls = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const shownOnly = `^[^${controls}]*$`;
const someShown = String.raw`^[^${controls}]*[^\s${controls}][^${controls}]*$`;
const oneShownLine = String.raw`^[^\n\r${controls}]*[^\s${controls}][^\n\r${controls}]*$`;

const unshown = 'Contains characters that cannot be shown.';

// Half of a surrogate pair is no text: Postgres refuses it in JSON and replaces it elsewhere.
function isUnicode(value: string): boolean {
  return value.isWellFormed();
}

/**
 * Text of at most `max` characters as a person counts them, that shows what it holds. Trimmed and in Unicode's composed
 * form (NFC), so that running it twice changes nothing.
 */
export function text(max: number) {
  return (
    z
      .string(missing)
      // A grapheme can be many code units long; this cheap bound comes first so that counting stays bounded.
      .max(max * 16, `Must be at most ${max} characters.`)
      .refine(isUnicode, broken)
      .normalize('NFC')
      .trim()
      .refine((value) => !hasInvisibleCharacters(value), unshown)
      .refine((value) => !hasStackedMarks(value), 'Contains too many marks on one letter.')
      .refine((value) => hasAtMost(value, max), `Must be at most ${max} characters.`)
      // For the API's document, which cannot count as people do.
      .meta({ maxLength: max, pattern: shownOnly })
  );
}

/** Text that holds something to see. */
export function requiredText(max: number) {
  return text(max)
    .refine((value) => !isBlank(value), missing)
    .meta({ minLength: 1, maxLength: max, pattern: someShown });
}

// It comes along with what is pasted from a table. Two names that differ by it alone look like one.
const withoutTabs = (value: string): string => value.replaceAll('\t', ' ');

/** One line of required text, fit for a mail header or a title. A tab in it becomes a space. */
export function requiredLine(max: number) {
  return requiredText(max)
    .overwrite(withoutTabs)
    .refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'Must be a single line.')
    .meta({ minLength: 1, maxLength: max, pattern: oneShownLine });
}

/** At most one line of text. A tab in it becomes a space. */
export function line(max: number) {
  return text(max)
    .overwrite(withoutTabs)
    .refine((value) => !/[\r\n\u2028\u2029]/.test(value), 'Must be a single line.');
}

/** What somebody is called on the site, by everybody. */
export function publicName(max: number) {
  return requiredLine(max)
    .refine((value) => !reordersOrJoinsNeighbours(value), unshown)
    .refine((value) => !mixesScripts(value), 'Contains a word with letters of several alphabets.')
    .refine((value) => !isReservedName(value), 'This name is kept for the people behind the site.');
}

/** What somebody looks for. What cannot be seen finds nothing, and is no reason to refuse a pasted word. */
export function query(max: number) {
  return z
    .string()
    .max(max * 16, `Must be at most ${max} characters.`)
    .refine(isUnicode, broken)
    .trim()
    .refine((value) => !/(?![\t\n\r])\p{Cc}/u.test(value), unshown)
    .refine((value) => hasAtMost(value, max), `Must be at most ${max} characters.`)
    .meta({ maxLength: max, pattern: shownOnly });
}

export const Id = z.uuid();
export const Uid = z.uuid();
/** Keycloak's id of a sign-in and all that is refreshed from it. */
export const SessionId = z.string().regex(/^[\w-]{16,64}$/);
export const Timestamp = z.iso.datetime();
export const Version = z.int().nonnegative();
/** The version that an edit was made from: with it, an edit of anything newer is refused as `precondition_failed`. */
export const EditedVersion = z.int().positive().max(2_147_483_647).optional();

const tooLong = `Must be at most ${limits.urlLength} characters.`;
const withPassword = 'Leave out the name and password before the @ of this link.';
const noLink = 'Enter a link that starts with http:// or https://.';

/**
 * A link people follow: http or https, without credentials in it. Spelt as browsers spell it, so that what is stored is
 * where it leads: `https://a.example\\@b.example` becomes `https://a.example/@b.example`. Whether the host is one that
 * everybody reaches is `isPublicHost`.
 */
export const Link = z
  .string(missing)
  .max(limits.urlLength, tooLong)
  .refine(isUnicode, broken)
  .normalize('NFC')
  .trim()
  .min(1, missing)
  .refine((value) => !hasInvisibleCharacters(value), unshown)
  .refine(hasNoPassword, withPassword)
  .refine(isSafeLink, noLink)
  .overwrite((value) => URL.parse(value)?.href ?? value)
  // What is not ASCII grows.
  .max(limits.urlLength, tooLong)
  .meta({ format: 'uri', minLength: 1, maxLength: limits.urlLength, pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' });

function hasNoPassword(value: string): boolean {
  const { username = '', password = '' } = URL.parse(value) ?? {};
  return username + password === '';
}

function isSafeLink(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || /\s/.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.hostname !== '';
}

export const Email = z
  .string(missing)
  .trim()
  .max(254)
  .pipe(z.email('The email address is not valid.'))
  .meta({ format: 'email', maxLength: 254 });
export const Username = z.string().regex(/^[a-z0-9_-]{3,30}$/);

/** Opaque position in a list; only the service that wrote it can read it. */
export const Cursor = z.string().min(1).max(512);

/** A page of a list that is walked by cursor, with the count of what matches, which ends at `limits.countedMatches`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    nextCursor: Cursor.nullable().describe('Asks for the page after this one; null on the last.'),
    total: z
      .int()
      .nonnegative()
      .describe(`How many there are on all pages, counted up to ${limits.countedMatches}.`),
    totalIsExact: z
      .boolean()
      .default(true)
      .describe(
        'Whether `total` is all there are; otherwise there are more, or nobody has looked through all of them.',
      ),
  });
}

export const Nothing = z.object({});
