import { z } from 'zod';
import { Uid } from './fields.ts';

/** The kinds of records that the receipt of a deletion counts. */
export const erasedKinds = [
  'profiles',
  'offerings',
  'pictures',
  'files',
  'sales',
  'messagesReceived',
  'messagesSent',
] as const;

export const ErasedCounts = z.partialRecord(z.enum(erasedKinds), z.int().nonnegative());
export type ErasedCounts = z.infer<typeof ErasedCounts>;

/** The number of records that a service has deleted for a closed account. */
export const ErasedAccount = z.object({
  uid: Uid,
  counts: ErasedCounts,
  // Release 1.0 refuses a kind in `counts` that it does not know, but ignores this field.
  sales: z.int().nonnegative().optional(),
});
export type ErasedAccount = z.infer<typeof ErasedAccount>;
