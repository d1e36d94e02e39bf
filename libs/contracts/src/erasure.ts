import { z } from 'zod';
import { Uid } from './fields.ts';

const count = z.int().nonnegative().optional();

/** Ignores kinds of a newer release: during a rollout the deletion of an account must still finish. */
export const ErasedCounts = z.object({
  profiles: count,
  offerings: count,
  pictures: count,
  files: count,
  sales: count,
  messagesReceived: count,
  messagesSent: count,
});
export type ErasedCounts = z.infer<typeof ErasedCounts>;

/** The kinds of records that the receipt of a deletion counts, in its order. */
export const erasedKinds = ErasedCounts.keyof().options;

/** The number of records that a service has deleted for a closed account. */
export const ErasedAccount = z.object({
  uid: Uid,
  counts: ErasedCounts,
  // Release 1.0 refuses a kind in `counts` that it does not know, but ignores this field.
  sales: z.int().nonnegative().optional(),
});
export type ErasedAccount = z.infer<typeof ErasedAccount>;
