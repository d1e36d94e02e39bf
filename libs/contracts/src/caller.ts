import { z } from 'zod';
import { Timestamp, Uid } from './fields.ts';
import { limits } from './limits.ts';

/** Who asks, as proved by the gateway. It travels in a header, never in a body. */
export const Caller = z.object({
  uid: Uid,
  /** The sign-in that the token belongs to; empty where a gateway of the release before asks. */
  sid: z.string().default(''),
  username: z.string().min(1),
  email: z.string().min(1),
  /** Whether the address was proved by a link that was mailed to it. */
  emailVerified: z.boolean().default(false),
  displayName: z.string(),
  termsAcceptedAt: Timestamp.nullable(),
  /** When the token was issued that says all this; not there where a gateway of the release before asks. */
  tokenIssuedAt: Timestamp.optional(),
  /** When they last logged in, rather than went on with a session. */
  authenticatedAt: Timestamp.optional(),
  /** Whether the realm has given them the role `operator`. */
  isOperator: z.boolean().optional(),
});
export type Caller = z.infer<typeof Caller>;

/** Whether somebody logged in so lately that more is done for them than for a session that was left open somewhere. */
export function hasFreshLogin({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>): boolean {
  const oldest = Date.now() - limits.freshLoginMinutes * 60_000;
  return authenticatedAt !== undefined && Date.parse(authenticatedAt) >= oldest;
}
