import { limits } from '@stoa/contracts';
import { createHash } from 'node:crypto';
import type { Prisma } from './generated/prisma/client.ts';

/** An address belongs to a stranger until it is proved, so only its hash is kept, and for a day. */
const recipientOf = (address: string) => createHash('sha256').update(address.toLowerCase()).digest('hex');

/**
 * Counts a mail to an address that is not proved; false when it has had enough of them within a day. Accounts come and go:
 * the limit belongs to the recipient. It ends with its transaction, and two claims for one recipient wait for each other.
 */
export async function claimUnprovedMail(tx: Prisma.TransactionClient, address: string): Promise<boolean> {
  const recipient = recipientOf(address);
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${recipient}, 6))`;
  await tx.$executeRaw`DELETE FROM unproved_mail WHERE at < now() - interval '1 day'`;
  const claimed = await tx.$executeRaw`
    INSERT INTO unproved_mail (recipient)
    SELECT ${recipient} WHERE (SELECT count(*) FROM unproved_mail WHERE recipient = ${recipient}) < ${limits.unprovedMailsPerDay}`;
  return claimed === 1;
}

/** Gives the newest claim back: the mail was not sent. */
export async function unclaimUnprovedMail(tx: Prisma.TransactionClient, address: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM unproved_mail WHERE id = (
      SELECT id FROM unproved_mail WHERE recipient = ${recipientOf(address)} ORDER BY at DESC, id DESC LIMIT 1)`;
}
