import { limits, mailboxOf } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Database } from '../database.ts';
import type { Prisma } from '../generated/prisma/client.ts';

/**
 * `proof`: verifies an address. `notice`: concerns the security of an account. `other`: any other mail.
 * `proof` has the lowest daily limit, because the recipient may be a stranger.
 */
export type MailKind = 'proof' | 'notice' | 'other';

const mostPerDay: Record<MailKind, number> = {
  proof: limits.unprovedMailsPerDay,
  other: limits.mailsPerDay,
  notice: limits.noticesPerDay,
};

/** The database stores only a hash of the recipient, because an unproved address may belong to a stranger. */
const recipientOf = (address: string) => createHash('sha256').update(mailboxOf(address)).digest('hex');

@Injectable()
export class RecipientMails {
  constructor(private readonly prisma: Database) {}

  /** Counts a mail before it is sent. Returns false if the recipient's daily limit is reached. */
  claim(address: string, kind: MailKind): Promise<boolean> {
    return this.prisma.$transaction((tx) => claimMail(tx, address, kind));
  }

  /** Undoes `claim` if the mail was not sent. */
  unclaim(address: string): Promise<void> {
    return this.prisma.$transaction((tx) => unclaimMail(tx, address));
  }
}

/**
 * Counts a mail to a mailbox, which several accounts may share. Returns false if the daily limit is reached.
 * The lock makes concurrent calls for one mailbox wait, so that each counts all mails.
 */
export async function claimMail(
  tx: Prisma.TransactionClient,
  address: string,
  kind: MailKind,
): Promise<boolean> {
  const recipient = recipientOf(address);
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${recipient}, 6))`;
  await tx.$executeRaw`DELETE FROM recipient_mail WHERE at < now() - interval '1 day'`;
  const claimed = await tx.$executeRaw`
    INSERT INTO recipient_mail (recipient)
    SELECT ${recipient} WHERE (SELECT count(*) FROM recipient_mail WHERE recipient = ${recipient}) < ${mostPerDay[kind]}`;
  return claimed === 1;
}

/** When the daily limit allows the next mail of this kind; null if it allows one now. */
export async function nextAllowedAt(
  tx: Prisma.TransactionClient,
  address: string,
  kind: MailKind,
): Promise<Date | null> {
  const [last] = await tx.$queryRaw<{ from: Date }[]>`
    SELECT at + interval '1 day' AS from FROM recipient_mail WHERE recipient = ${recipientOf(address)}
     ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${mostPerDay[kind] - 1}`;
  return last?.from ?? null;
}

/** Deletes the newest counted mail of this recipient, because it was not sent. */
export async function unclaimMail(tx: Prisma.TransactionClient, address: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM recipient_mail WHERE id = (
      SELECT id FROM recipient_mail WHERE recipient = ${recipientOf(address)} ORDER BY at DESC, id DESC LIMIT 1)`;
}
