import { limits, mailboxOf } from '@stoa/contracts';
import { createHash } from 'node:crypto';
import type { Prisma } from './generated/prisma/client.ts';

/**
 * What a mail is: the one that lets prove an address, a notice about the security of an account, or any other. A day has the
 * fewest mails of the first kind, since the recipient may be a stranger, and the most of the second.
 */
export type MailKind = 'proof' | 'notice' | 'other';

const mostPerDay: Record<MailKind, number> = {
  proof: limits.unprovedMailsPerDay,
  other: limits.mailsPerDay,
  notice: limits.noticesPerDay,
};

/** Of a recipient only a hash is kept, and for a day: an address belongs to a stranger until it is proved. */
const recipientOf = (address: string) => createHash('sha256').update(mailboxOf(address)).digest('hex');

/**
 * Counts a mail to a recipient; false when the mails of the last day leave no room for one of its kind. Accounts come and go,
 * so the limit belongs to the mailbox. The claim ends with its transaction; a second claim for one recipient waits for the first.
 */
export async function claimMail(
  tx: Prisma.TransactionClient,
  address: string,
  kind: MailKind,
): Promise<boolean> {
  const recipient = recipientOf(address);
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${recipient}, 6))`;
  await tx.$executeRaw`DELETE FROM unproved_mail WHERE at < now() - interval '1 day'`;
  const claimed = await tx.$executeRaw`
    INSERT INTO unproved_mail (recipient)
    SELECT ${recipient} WHERE (SELECT count(*) FROM unproved_mail WHERE recipient = ${recipient}) < ${mostPerDay[kind]}`;
  return claimed === 1;
}

/** Gives the newest claim back: the mail was not sent. */
export async function unclaimMail(tx: Prisma.TransactionClient, address: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM unproved_mail WHERE id = (
      SELECT id FROM unproved_mail WHERE recipient = ${recipientOf(address)} ORDER BY at DESC, id DESC LIMIT 1)`;
}
