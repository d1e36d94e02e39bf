import { z } from 'zod';
import { isAddress, plainAddress } from './email-address.ts';
import { limits } from './limits.ts';
import { leadingMark, mixesScripts } from './names.ts';
import { isBlank, plainLine, plainText, stackedMarks, unstorable } from './plain-text.ts';
import { isReservedName } from './reserved-names.ts';
import { hasAtMost } from './text.ts';
import { completeLink, linkProblem } from './typed-links.ts';

const missing = 'This field is required.';
// What JSON Schema can say of the rules below, in the part of regular expressions that every language has.
const storable = String.raw`^[^\u0000]*$`;
const someShown = String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`;
const oneShownLine = String.raw`^[^\n\r\u0000]*[^\s\u0000][^\n\r\u0000]*$`;

/** Refuses a value with the words that `problem` has for it. */
const unless = (problem: (value: string) => string | undefined) =>
  z.superRefine<string>((value, context) => {
    const message = problem(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/**
 * Text of at most `max` characters as a person counts them, in the form that `plainText` gives it. Running it twice
 * changes nothing.
 */
function typed(max: number, form: (value: string) => string) {
  return (
    z
      .string(missing)
      // A grapheme can be many code units long; this cheap bound comes first so that counting stays bounded.
      .max(max * 16, { error: `Must be at most ${max} characters.`, abort: true })
      .overwrite(form)
      .check(unless(unstorable), unless(stackedMarks))
      .refine((value) => hasAtMost(value, max), `Must be at most ${max} characters.`)
      // For the API's document, which cannot count as people do.
      .meta({ maxLength: max, pattern: storable })
  );
}

/** Text of several lines. */
export const text = (max: number) => typed(max, plainText);

/** Text that holds something to see. */
export function requiredText(max: number) {
  return text(max)
    .refine((value) => !isBlank(value), missing)
    .meta({ minLength: 1, maxLength: max, pattern: someShown });
}

const isOneLine = (value: string): boolean => !value.includes('\n');

/** At most one line of text. A tab in it becomes a blank. */
export function line(max: number) {
  return typed(max, plainLine).refine(isOneLine, 'Must be a single line.');
}

/** One line of required text, fit for a mail header or a title. A tab in it becomes a blank. */
export function requiredLine(max: number) {
  return line(max)
    .refine((value) => !isBlank(value), missing)
    .meta({ minLength: 1, maxLength: max, pattern: oneShownLine });
}

/** What somebody is called on the site, by everybody: without direction marks, which would turn its neighbours around. */
export function publicName(max: number) {
  return requiredLine(max)
    .overwrite((value) => plainLine(value.replace(/[\u200e\u200f\u061c]/g, '')))
    .check(unless(leadingMark))
    .refine((value) => !mixesScripts(value), 'Contains a word with letters of several alphabets.')
    .refine((value) => !isReservedName(value), 'This name is kept for the people behind the site.');
}

/** What somebody looks for. What cannot be seen finds nothing, and is no reason to refuse a pasted word. */
export const query = (max: number) => typed(max, (value) => plainText(value).replace(/\s+/g, ' '));

/**
 * An id in the one spelling that all compare: Postgres takes `ABC…` and `abc…` for the same, text does not. Every id of a
 * request, an answer or an event goes through here.
 */
export const uuid = (message?: string) => z.uuid(message).toLowerCase();
export const Id = uuid();
export const Uid = uuid();
/** Keycloak's id of a sign-in and all that is refreshed from it. */
export const SessionId = z.string().regex(/^[\w-]{16,64}$/);
export const Timestamp = z.iso.datetime();
export const Version = z.int().nonnegative();
/** The version that an edit was made from: with it, an edit of anything newer is refused as `precondition_failed`. */
export const EditedVersion = z.int().positive().max(2_147_483_647).optional();

const tooLong = `Must be at most ${limits.urlLength} characters.`;

/**
 * A link people follow, from what they type for one: http or https, without credentials in it. Spelt as browsers spell it, so
 * that what is stored is where it leads: `https://a.example\\@b.example` becomes `https://a.example/@b.example`, a blank
 * `%20`, and a host in any script its ASCII form. Whether the host is one that everybody reaches is `isPublicHost`.
 */
export const typedLink = (complete: (typed: string) => string) =>
  z
    .string(missing)
    .max(limits.urlLength, { error: tooLong, abort: true })
    .overwrite(complete)
    .check(unless((value) => (value === '' ? missing : (unstorable(value) ?? linkProblem(value)))))
    .overwrite((value) => URL.parse(value)?.href ?? value)
    // What is not ASCII grows.
    .max(limits.urlLength, tooLong)
    .meta({ minLength: 1, maxLength: limits.urlLength });

export const Link = typedLink(completeLink);

const noAddress = 'The email address is not valid.';

/** An address that mail can be sent to, as `plainAddress` keeps it. */
export const Email = z
  .string(missing)
  .max(1000, { error: noAddress, abort: true })
  .overwrite(plainAddress)
  .check(unless((value) => (value === '' ? missing : isAddress(value) ? undefined : noAddress)))
  .max(254, noAddress)
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
