import { limits } from '@stoa/contracts';
import { hash } from 'node:crypto';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';

/** Usernames of closed accounts that nobody may take. Kept as hashes, which say of a name no more than the API does. */
export class ReservedUsernames {
  constructor(private readonly prisma: PrismaClient) {}

  has(username: string): Promise<boolean> {
    return isReserved(this.prisma, username);
  }

  /** Forgets those whose time is over. */
  async forget(): Promise<void> {
    await this.prisma.$executeRaw`DELETE FROM reserved_username WHERE until <= now()`;
  }
}

/**
 * Whether nobody may take this username, until the transaction ends: closing the account that has it waits for that, and
 * the other way round.
 */
export async function refuseReserved(tx: Prisma.TransactionClient, username: string): Promise<boolean> {
  await lock(tx, username);
  return isReserved(tx, username);
}

/** Keeps the username of an account that is closed from everybody: for good where an operator has hidden something of it. */
export async function reserve(
  tx: Prisma.TransactionClient,
  { uid, username, takenDown }: { uid: string; username: string; takenDown: boolean },
): Promise<void> {
  await lock(tx, username);
  const where = { kind: 'hidden', case: { creatorId: uid } };
  const isForGood = takenDown || (await tx.reviewStep.findFirst({ where, select: { id: true } })) !== null;
  // A null is for good, whichever of the two says so.
  await tx.$executeRaw`
    INSERT INTO reserved_username AS known (hash, until)
    SELECT ${hashOf(username)}, CASE WHEN NOT ${isForGood}::boolean
                             THEN now() + make_interval(days => ${limits.usernameReservedDays}::int) END
    ON CONFLICT (hash) DO UPDATE
       SET until = CASE WHEN known.until IS NOT NULL AND excluded.until IS NOT NULL THEN excluded.until END`;
}

async function isReserved(database: Pick<Prisma.TransactionClient, '$queryRaw'>, username: string) {
  const rows = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM reserved_username WHERE hash = ${hashOf(username)} AND (until IS NULL OR until > now())`;
  return rows.length > 0;
}

const hashOf = (username: string): string => hash('sha256', username, 'hex');

async function lock(tx: Prisma.TransactionClient, username: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`username ${username}`}, 0))`;
}
