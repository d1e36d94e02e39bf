import { z } from 'zod';
import { contract, event, request } from './contract.ts';
import { Nothing, Timestamp, Uid } from './fields.ts';

export const Account = z
  .object({
    uid: Uid,
    username: z.string(),
    email: z.string(),
    termsAcceptedAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

export const AccountFacts = z.object({ uid: Uid });
export type AccountFacts = z.infer<typeof AccountFacts>;

export const identity = contract('identity', {
  /** Records the caller's account and consent on their first call, and follows later changes of the e-mail address. */
  open: request({ input: Nothing, output: Account }),
  opened: event(AccountFacts),
});
