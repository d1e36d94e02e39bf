import { z } from 'zod';
import { isAddress, plainAddress } from './email-address.ts';
import { limits } from './limits.ts';
import { leadingMarkProblem, mixesScripts } from './names.ts';
import { isBlank, plainLine, plainText, stackedMarksProblem, unstorableProblem } from './plain-text.ts';
import { isReservedName } from './reserved-names.ts';
import { hasMaxCharacters } from './text.ts';
import { completeLink, linkProblem } from './typed-links.ts';

const missing = 'This field is required.';
// JSON Schema's version of the rules below, in regular expression syntax that all languages share.
const storable = String.raw`^[^\u0000]*$`;
const someShown = String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`;
const oneShownLine = String.raw`^[^\n\r\u0000]*[^\s\u0000][^\n\r\u0000]*$`;

/** Refuses a value with the message that `problem` returns. */
const unless = (problem: (value: string) => string | undefined) =>
  z.superRefine<string>((value, context) => {
    const message = problem(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Text of at most `max` graphemes, normalized by `form`. Parsing is idempotent. */
function typed(max: number, form: (value: string) => string) {
  return (
    z
      .string(missing)
      // A grapheme can have many code units. This cheap check runs first and bounds the cost of counting.
      .max(max * 16, { error: `Must be at most ${max} characters.`, abort: true })
      .overwrite(form)
      .check(unless(unstorableProblem), unless(stackedMarksProblem))
      .refine((value) => hasMaxCharacters(value, max), `Must be at most ${max} characters.`)
      // For the OpenAPI document, which cannot count graphemes.
      .meta({ maxLength: max, pattern: storable })
  );
}

/** Multi-line text, which may be empty. */
export const text = (max: number) => typed(max, plainText);

/** Multi-line text with at least one visible character. */
export function requiredText(max: number) {
  return text(max)
    .refine((value) => !isBlank(value), missing)
    .meta({ minLength: 1, maxLength: max, pattern: someShown });
}

const isOneLine = (value: string): boolean => !value.includes('\n');

/** One line of text, which may be empty. A tab becomes a space. */
export function line(max: number) {
  return typed(max, plainLine).refine(isOneLine, 'Must be a single line.');
}

/** One line with at least one visible character, safe for a mail header. A tab becomes a space. */
export function requiredLine(max: number) {
  return line(max)
    .refine((value) => !isBlank(value), missing)
    .meta({ minLength: 1, maxLength: max, pattern: oneShownLine });
}

/** A display name. Direction marks are removed, because they would reorder the text beside the name. */
export function publicName(max: number) {
  return requiredLine(max)
    .overwrite((value) => plainLine(value.replace(/[\u200e\u200f\u061c]/g, '')))
    .check(unless(leadingMarkProblem))
    .refine((value) => !mixesScripts(value), 'Contains a word with letters of several alphabets.')
    .refine((value) => !isReservedName(value), 'This name is kept for the people behind the site.');
}

/** A search query. Invisible characters are removed, because pasted text often contains them. */
export const query = (max: number) => typed(max, (value) => plainText(value).replace(/\s+/g, ' '));

/**
 * A UUID in lower case. Postgres treats `ABC…` and `abc…` as equal, but string comparison does not. All ids of requests,
 * responses and events use this schema.
 */
export const uuid = (message?: string) => z.uuid(message).toLowerCase();
export const Id = uuid();
export const Uid = uuid();
/** Keycloak's id of a session. Refreshed tokens keep it. */
export const SessionId = z.string().regex(/^[\w-]{16,64}$/);
export const Timestamp = z.iso.datetime();
export const Version = z.int().nonnegative();
/** The version that the user edited. A service refuses the edit of a newer version with `precondition_failed`. */
export const EditedVersion = z.int().positive().max(2_147_483_647).optional();

const tooLong = `Must be at most ${limits.urlLength} characters.`;

/**
 * An http or https link without credentials, made from typed text by `complete`. The URL parser normalizes it, so that the
 * stored text shows the real target: `https://a.example\\@b.example` becomes `https://a.example/@b.example`, and a host is
 * converted to ASCII. `isPublicHost` checks the host.
 */
export const typedLink = (complete: (typed: string) => string) =>
  z
    .string(missing)
    .max(limits.urlLength, { error: tooLong, abort: true })
    .overwrite(complete)
    .check(unless((value) => (value === '' ? missing : (unstorableProblem(value) ?? linkProblem(value)))))
    .overwrite((value) => URL.parse(value)?.href ?? value)
    // The URL parser encodes characters that are not ASCII, so the link may have grown.
    .max(limits.urlLength, tooLong)
    .meta({ minLength: 1, maxLength: limits.urlLength });

export const Link = typedLink(completeLink);

const noAddress = 'The email address is not valid.';

/** An email address, normalized by `plainAddress`. */
export const Email = z
  .string(missing)
  .max(1000, { error: noAddress, abort: true })
  .overwrite(plainAddress)
  .check(unless((value) => (value === '' ? missing : isAddress(value) ? undefined : noAddress)))
  .max(254, noAddress)
  .meta({ format: 'email', maxLength: 254 });
export const Username = z.string().regex(/^[a-z0-9_-]{3,30}$/);

/** An opaque position in a list. Only the service that created it can read it. */
export const Cursor = z.string().min(1).max(512);

/** A page of a list with cursor pagination. `total` counts matches up to `limits.countedMatches`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    nextCursor: Cursor.nullable().describe('The cursor of the next page. Null on the last page.'),
    total: z
      .int()
      .nonnegative()
      .describe(`The number of items on all pages, counted up to ${limits.countedMatches}.`),
    totalIsExact: z
      .boolean()
      .describe(
        'Whether `total` is the exact number. Otherwise there are more items, or the count was not completed.',
      ),
  });
}

export const Nothing = z.object({});
