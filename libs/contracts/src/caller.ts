import { z } from 'zod';
import { Timestamp, Uid } from './fields.ts';
import { limits } from './limits.ts';

/** The signed-in user of a request, proved by the gateway. It is sent in a header, never in a body. */
export const Caller = z.object({
  uid: Uid,
  /** The Keycloak session of the token. */
  sid: z.string().min(1),
  username: z.string().min(1),
  email: z.string().min(1),
  /** Whether the owner of the address has opened the mailed link. */
  emailVerified: z.boolean(),
  displayName: z.string(),
  termsAcceptedAt: Timestamp.nullable(),
  tokenIssuedAt: Timestamp,
  /** The last log-in with credentials. A refreshed session does not change it. */
  authenticatedAt: Timestamp.optional(),
  /** Whether Keycloak's realm gives the user the role `operator`. */
  isOperator: z.boolean(),
});
export type Caller = z.infer<typeof Caller>;

/** Whether the caller's log-in is recent (`limits.freshLoginMinutes`), as sensitive operations require. */
export function hasFreshLogin({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>): boolean {
  const oldest = Date.now() - limits.freshLoginMinutes * 60_000;
  return authenticatedAt !== undefined && Date.parse(authenticatedAt) >= oldest;
}
