import { z } from 'zod';
import { Uid } from './fields.ts';

/** What the receipt of a deletion counts. */
export const erasedKinds = [
  'profiles',
  'offerings',
  'pictures',
  'files',
  'messagesReceived',
  'messagesSent',
] as const;

export const ErasedCounts = z.partialRecord(z.enum(erasedKinds), z.int().nonnegative());
export type ErasedCounts = z.infer<typeof ErasedCounts>;

/** A service has let go of everything of a closed account, and how much that was. */
export const ErasedAccount = z.object({ uid: Uid, counts: ErasedCounts });
export type ErasedAccount = z.infer<typeof ErasedAccount>;
