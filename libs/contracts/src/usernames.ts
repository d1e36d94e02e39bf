import { z } from 'zod';
import { impersonation, isReservedName } from './reserved-names.ts';

/** First path segments of present or likely future pages, and words that programs treat as empty. */
const addresses = `
  about account account-deleted accounts add-offering api app assets auth billing blog browse browse-creators calendar callback card
  community-guidelines contact copyright create-profile creator creators dashboard dmca download downloads edit-offering edit-profile
  embed event feed forgot-password guidelines health help help-feedback home index invoice invoices legal login logout mail me media
  metrics null numbers oembed offering offerings payment payments payouts preview previews privacy profile profiles realms refunds report
  reports resources review reviews robots safety settings showcase signin signout signup sitemap sitemaps static status system team
  terms terms-of-service undefined undo-change uploads user username usernames users verification verify well-known www
`
  .trim()
  .split(/\s+/);

/**
 * The rule for a new username, without anchors and in syntax that JavaScript and Java share. Keycloak's
 * `user-profile.json` contains it too; a test of libs/realm keeps both equal. The length check comes first and bounds the
 * cost of the other patterns.
 */
export const usernamePattern = `(?=[a-z0-9_-]{3,30}$)(?!(?:${addresses.join('|')}|${impersonation})$)[a-z0-9_-]*`;

/** A username for a new account. It is stricter than `Username`, which also accepts names older than a rule. */
export const NewUsername = z
  .string()
  .regex(
    new RegExp(`^(?:${usernamePattern})$`),
    'Use 3 to 30 lowercase letters, numbers, hyphens or underscores. Some names are reserved.',
  );

/** Whether a username is available for a new account. */
export const UsernameCheck = z
  .object({
    username: z.string().describe('The username in lowercase, as it would be stored.'),
    state: z
      .enum(['free', 'taken', 'reserved', 'invalid'])
      .describe(
        '`taken` if a public profile has it. A name of an account without a public profile is `free` here but refused at sign-up. `reserved` if it is a word of the site or belonged to a closed account.',
      ),
  })
  .meta({ id: 'UsernameCheck' });
export type UsernameCheck = z.infer<typeof UsernameCheck>;

/** The reason why the rules exclude a username; undefined if they allow it. */
export function usernameRefusal(username: string): 'reserved' | 'invalid' | undefined {
  if (addresses.includes(username) || isReservedName(username)) return 'reserved';
  return NewUsername.safeParse(username).success ? undefined : 'invalid';
}
