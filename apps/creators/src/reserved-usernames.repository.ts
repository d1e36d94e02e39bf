import { creators, limits } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { usernameDigest } from '@stoa/platform';
import type { Prisma, PrismaClient, ReservedUsername } from './generated/prisma/client.ts';

/** The stream of events keeps 30 days (libs/system), and edge learns from it which usernames are reserved. */
const announcedDays = 20;
const batch = 200;

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

  /** Announces some that were never announced, or long ago. Answers whether there were any. */
  announceSome(): Promise<boolean> {
    return this.prisma.$transaction(async (tx) => {
      const due = await tx.$queryRaw<Reservation[]>`
        UPDATE reserved_username SET announced_at = now()
         WHERE hash IN (SELECT hash FROM reserved_username
                         WHERE announced_at < now() - make_interval(days => ${announcedDays}::int)
                         ORDER BY announced_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING hash, until`;
      for (const reservation of due) await announce(tx, reservation);
      return due.length > 0;
    });
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
  const rows = await tx.$queryRaw<Reservation[]>`
    INSERT INTO reserved_username AS known (hash, until, announced_at)
    SELECT ${usernameDigest(username)}, CASE WHEN NOT ${isForGood}::boolean
                             THEN now() + make_interval(days => ${limits.usernameReservedDays}::int) END, now()
    ON CONFLICT (hash) DO UPDATE
       SET until = CASE WHEN known.until IS NOT NULL AND excluded.until IS NOT NULL THEN excluded.until END,
           announced_at = excluded.announced_at
    RETURNING hash, until`;
  for (const reservation of rows) await announce(tx, reservation);
}

type Reservation = Pick<ReservedUsername, 'hash' | 'until'>;

const announce = (tx: Prisma.TransactionClient, { hash, until }: Reservation): Promise<void> =>
  recordEvent(tx, creators.usernameReserved, { digest: hash, until: until?.toISOString() ?? null });

async function isReserved(database: Pick<Prisma.TransactionClient, '$queryRaw'>, username: string) {
  const rows = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM reserved_username WHERE hash = ${usernameDigest(username)} AND (until IS NULL OR until > now())`;
  return rows.length > 0;
}

async function lock(tx: Prisma.TransactionClient, username: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`username ${username}`}, 0))`;
}
