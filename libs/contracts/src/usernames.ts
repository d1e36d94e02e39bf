import { z } from 'zod';
import { impersonation, isReservedName } from './reserved-names.ts';

/** Addresses of the site, those that its address may get, and what programs take for nothing. */
const addresses = `
  about account account-deleted accounts add-offering api app assets auth billing blog browse browse-creators calendar callback card
  community-guidelines contact copyright create-profile creator creators dashboard dmca download downloads edit-offering edit-profile
  embed event feed forgot-password guidelines health help help-feedback home index invoice invoices legal login logout mail me media
  metrics null oembed offering offerings payment payments payouts preview previews privacy profile profiles realms refunds report
  reports resources review reviews robots safety settings showcase signin signout signup sitemap sitemaps static status system team
  terms terms-of-service undefined undo-change uploads user username usernames users verification verify well-known www
`
  .trim()
  .split(/\s+/);

/**
 * The rule for a new username, without anchors, in words that JavaScript and Java (Keycloak) read alike. Keycloak's form has it
 * too (`deploy/keycloak/user-profile.json`, held equal by a test of libs/realm). Its length comes first: no longer one is compared.
 */
export const usernamePattern = `(?=[a-z0-9_-]{3,30}$)(?!(?:${addresses.join('|')}|${impersonation})$)[a-z0-9_-]*`;

/** A username that may be given to somebody; stricter than `Username`, which also reads names given before a rule. */
export const NewUsername = z
  .string()
  .regex(
    new RegExp(`^(?:${usernamePattern})$`),
    'Use 3 to 30 lowercase letters, numbers, hyphens or underscores. Some names are reserved.',
  );

/** What a username is to somebody who would like it. */
export const UsernameCheck = z
  .object({
    username: z.string().describe('As it would be stored: in lowercase.'),
    state: z
      .enum(['free', 'taken', 'reserved', 'invalid'])
      .describe(
        '`taken` where a public profile has it; a name of an account without one is called `free`, and refused at sign-up. `reserved` where it is a word of the site, or where an account that is closed had it.',
      ),
  })
  .meta({ id: 'UsernameCheck' });
export type UsernameCheck = z.infer<typeof UsernameCheck>;

/** What the rule alone says of a username; undefined where that depends on who has it. */
export function ruledOut(username: string): 'reserved' | 'invalid' | undefined {
  if (addresses.includes(username) || isReservedName(username)) return 'reserved';
  return NewUsername.safeParse(username).success ? undefined : 'invalid';
}
