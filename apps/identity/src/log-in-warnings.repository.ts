import { randomUUID } from 'node:crypto';
import type { FailedLogIn } from './account-changes.ts';
import { type AddressedMail, DueMails } from './due-mails.repository.ts';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';

interface Content {
  readonly username: string;
  /** The time of the first of them. */
  readonly since: Date;
  /** How many passwords and codes were wrong. */
  readonly tries: number;
  /** How many of them were codes of an authenticator app: each takes the right password first. */
  readonly codes: number;
}

/** Failed log-ins that the owner of the account is mailed about. */
export type DueLogInWarning = AddressedMail & Content;

/** So many wrong ones within a day are worth a mail. Three codes are half of what strangers have. */
export const worthAMail = { tries: 10, codes: 3 };

/** The mails about failed log-ins: two a day and account at most, and none once it is a day old. */
export class LogInWarnings extends DueMails<Content, Content> {
  constructor(prisma: PrismaClient) {
    super(prisma, {
      table: 'log_in_warning',
      keptDays: 1,
      columns: ['username', 'since', 'tries', 'codes'],
      read: ({ username, since, tries, codes }) => ({ username, since, tries, codes }),
    });
  }
}

/** Counts a failed log-in for a day from the first one, and asks for the mail when that day has seen enough of them. */
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
  // What waits still is brought up to date; what was mailed is not mailed again.
  await tx.$executeRaw`UPDATE log_in_warning SET tries = ${tries}, codes = ${codes}
     WHERE uid = ${uid}::uuid AND since = ${since}::timestamptz`;
  if (!crosses(tries, codes, isCode)) return;
  await tx.logInWarning.create({ data: { id: randomUUID(), uid, since, tries, codes } });
}

/**
 * Whether this very try is the first that is worth a mail, or the first whose codes are: a mail about passwords alone has not
 * said that somebody knows the right one.
 */
function crosses(tries: number, codes: number, isCode: boolean): boolean {
  if (isCode && codes === worthAMail.codes) return true;
  return tries === worthAMail.tries && codes < worthAMail.codes;
}

/** Forgets the counts that are over. */
export async function forgetFailedLogIns(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`DELETE FROM failed_log_in WHERE since < now() - interval '2 days'`;
}
