import { plainAddress } from '@stoa/contracts';
import type { OwnerChange } from './account-changes.ts';
import type { AccountChange, Prisma } from './generated/prisma/client.ts';

type Transaction = Prisma.TransactionClient;

/** How long the owner before a change may undo it. */
export const undoHours = 72;
// More changes in three days tell the owner before the first nothing new.
const mostPasswordMails = 10;

const oldest = () => new Date(Date.now() - undoHours * 3_600_000);

/** Remembers a change to be mailed to the address that was proved before it; an unverified one gets no mail. */
export async function recordChange(tx: Transaction, { uid, kind, at, from, to }: OwnerChange): Promise<void> {
  const account = await tx.account.findUnique({ where: { uid } });
  const proved = account?.provedEmail;
  // A token, or a look at the user as they are now, may have told of the new address already. What neither has led to nor
  // begun with what is proved is older than an undo.
  if (proved && from && proved !== from && proved !== to) return;
  if (to) await recordVerifiedEmail(tx, uid, to);
  if (!proved) return;
  const address = from ?? proved;
  const known = await tx.accountChange.count({ where: { uid, kind } });
  if (kind === 'password' && known >= mostPasswordMails) return;
  await tx.accountChange.create({ data: { uid, kind, address, at } });
}

/** Keeps the address that is known as proved; what is said of it comes in its order. */
export async function recordVerifiedEmail(tx: Transaction, uid: string, email: string): Promise<void> {
  await tx.account.updateMany({ where: { uid }, data: { provedEmail: plainAddress(email).toLowerCase() } });
}

export async function forgetOldChanges(tx: Transaction): Promise<void> {
  await tx.accountChange.deleteMany({ where: { at: { lt: oldest() } } });
}

/** The change that this link takes back; null when there is none. */
export function findUndoable(tx: Transaction, tokenHash: string): Promise<AccountChange | null> {
  return tx.accountChange.findFirst({ where: { tokenHashes: { has: tokenHash }, at: { gte: oldest() } } });
}

/** Removes a change and all later ones of the account from the list; false when another request did. */
export async function claimUndo(tx: Transaction, { uid, id }: AccountChange): Promise<boolean> {
  // Of two concurrent requests the second waits here for the first, and finds nothing.
  const { count } = await tx.accountChange.deleteMany({ where: { id } });
  if (count === 0) return false;
  // The author of this change may hold the links of the later ones.
  await tx.accountChange.deleteMany({ where: { uid, id: { gt: id } } });
  return true;
}
