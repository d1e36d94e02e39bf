import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { type AddressedMail, DueMails, accountColumn } from '../mails/due-mails.repository.ts';
import type { Prisma } from '../generated/prisma/client.ts';

export interface FailedLogIn {
  readonly uid: string;
  readonly at: Date;
  /** Whether the code of an authenticator was wrong. Keycloak requests it only after the right password. */
  readonly isCode: boolean;
}

interface Content {
  readonly username: string;
  /** Time of the first failed log-in of the day. */
  readonly since: Date;
  readonly tries: number;
  /** Number of wrong authenticator codes. A caller who enters one knows the password. */
  readonly codes: number;
}

export type DueLogInWarning = AddressedMail & Content;

/** Numbers within a day that cause a mail. Three codes are over half of `CODE_TRIES_PER_DAY` of the edge. */
export const warningThresholds = { tries: 10, codes: 3 };

/** Mails about failed log-ins: at most two a day for each account. They expire after a day. */
@Injectable()
export class LogInWarnings extends DueMails<Content> {
  constructor(prisma: Database) {
    const columns = `since, tries, codes, ${accountColumn('username')}`;
    super(prisma, { table: 'log_in_warning', keptDays: 1, columns });
  }
}

/** Counts a failed log-in for a day since the first one. Stores a mail when the count reaches a threshold. */
export async function recordFailedLogIn(
  tx: Prisma.TransactionClient,
  { uid, at, isCode }: FailedLogIn,
): Promise<void> {
  const code = isCode ? 1 : 0;
  const [counted] = await tx.$queryRaw<Pick<Content, 'since' | 'tries' | 'codes'>[]>`
    INSERT INTO failed_log_in AS known (uid, since, tries, codes)
    SELECT uid, ${at}::timestamptz, 1, ${code}::int FROM account WHERE uid = ${uid}::uuid
    ON CONFLICT (uid) DO UPDATE SET
      since = CASE WHEN known.since > ${at}::timestamptz - interval '1 day' THEN known.since ELSE ${at}::timestamptz END,
      tries = 1 + CASE WHEN known.since > ${at}::timestamptz - interval '1 day' THEN known.tries ELSE 0 END,
      codes = ${code}::int + CASE WHEN known.since > ${at}::timestamptz - interval '1 day' THEN known.codes ELSE 0 END
    RETURNING since, tries, codes`;
  if (!counted) return;
  const { since, tries, codes } = counted;
  // A mail that is not sent yet gets the new counts.
  await tx.$executeRaw`UPDATE log_in_warning SET tries = ${tries}, codes = ${codes}
     WHERE uid = ${uid}::uuid AND since = ${since}::timestamptz`;
  if (!crosses(tries, codes, isCode)) return;
  await tx.logInWarning.create({ data: { id: randomUUID(), uid, since, tries, codes } });
}

/**
 * Whether this log-in is the first to reach a threshold. Wrong codes have their own threshold: they show that
 * the password is known.
 */
function crosses(tries: number, codes: number, isCode: boolean): boolean {
  if (isCode && codes === warningThresholds.codes) return true;
  return tries === warningThresholds.tries && codes < warningThresholds.codes;
}

export async function deleteExpiredFailedLogIns(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`DELETE FROM failed_log_in WHERE since < now() - interval '2 days'`;
}
