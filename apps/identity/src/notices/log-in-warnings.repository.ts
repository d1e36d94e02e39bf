import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { type AddressedMail, DueMails, accountColumn } from '../mails/due-mails.repository.ts';
import type { Prisma } from '../generated/prisma/client.ts';

/** A log-in that failed because of a wrong password or code. */
export interface FailedLogIn {
  readonly uid: string;
  readonly at: Date;
  /** Whether an authenticator code was wrong. Keycloak requests a code only after the right password. */
  readonly isCode: boolean;
}

interface Content {
  readonly username: string;
  /** Time of the first failed log-in. */
  readonly since: Date;
  /** Number of wrong passwords and codes. */
  readonly tries: number;
  /** Number of wrong authenticator codes. Each follows the right password. */
  readonly codes: number;
}

/** A due mail about failed log-ins. */
export type DueLogInWarning = AddressedMail & Content;

/** The counts within a day that cause a mail. Three codes are over half of edge's `CODE_TRIES_PER_DAY`. */
export const warningThresholds = { tries: 10, codes: 3 };

/** The mails about failed log-ins: at most two per day and account. A mail is obsolete after a day. */
@Injectable()
export class LogInWarnings extends DueMails<Content> {
  constructor(prisma: Database) {
    const columns = `since, tries, codes, ${accountColumn('username')}`;
    super(prisma, { table: 'log_in_warning', keptDays: 1, columns });
  }
}

/** Counts a failed log-in within a day of the first one, and stores a mail when a threshold is reached. */
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
  // A waiting mail gets the new counts; a sent mail is not repeated.
  await tx.$executeRaw`UPDATE log_in_warning SET tries = ${tries}, codes = ${codes}
     WHERE uid = ${uid}::uuid AND since = ${since}::timestamptz`;
  if (!crosses(tries, codes, isCode)) return;
  await tx.logInWarning.create({ data: { id: randomUUID(), uid, since, tries, codes } });
}

/**
 * Whether this log-in reaches a threshold for the first time. Codes have their own threshold: a mail about
 * passwords has not warned that the password is known.
 */
function crosses(tries: number, codes: number, isCode: boolean): boolean {
  if (isCode && codes === warningThresholds.codes) return true;
  return tries === warningThresholds.tries && codes < warningThresholds.codes;
}

/** Deletes expired counts. */
export async function deleteExpiredFailedLogIns(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`DELETE FROM failed_log_in WHERE since < now() - interval '2 days'`;
}
