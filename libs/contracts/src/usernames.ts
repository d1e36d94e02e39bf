import { z } from 'zod';

/**
 * Reserved usernames: addresses of the site, and words that would let somebody pass for the people behind it.
 * Keycloak's form refuses the same ones (`deploy/keycloak/user-profile.json`, held equal by a test of libs/realm).
 */
export const reservedUsernames: readonly string[] = `
  about account accounts add-offering admin administrator api assets auth blog browse browse-creators
  community-guidelines contact create-profile creator creators dashboard download edit-offering
  edit-profile forgot-password health help help-feedback home index legal login logout mail me media
  metrics moderator null offering offerings official postmaster privacy profile root security settings
  signin signout signup static status stoa support system team terms terms-of-service undefined
  uploads user users webmaster www
`
  .trim()
  .split(/\s+/);

/** The rule for a new username, without anchors, in words that JavaScript and Java (Keycloak) read alike. */
export const usernamePattern = `(?!(?:${reservedUsernames.join('|')})$)[a-z0-9_-]{3,30}`;

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
  if (reservedUsernames.includes(username)) return 'reserved';
  return NewUsername.safeParse(username).success ? undefined : 'invalid';
}
