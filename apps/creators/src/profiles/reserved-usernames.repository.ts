import { creators, limits } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { usernameDigest } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import type { Prisma, ReservedUsername } from '../generated/prisma/client.ts';

/**
 * Days after which each reservation is published again. The edge reads these events from NATS, which keeps them for 30 days.
 */
const reannounceDays = 20;
const batch = 200;

/** Stores the usernames of closed accounts as hashes. */
@Injectable()
export class ReservedUsernames {
  constructor(private readonly prisma: Database) {}

  has(username: string): Promise<boolean> {
    return isReserved(this.prisma, username);
  }

  async deleteExpired(): Promise<void> {
    await this.prisma.$executeRaw`DELETE FROM reserved_username WHERE until <= now()`;
  }

  /** Publishes a batch of reservations again that are due. Returns whether there were any. */
  announceBatch(): Promise<boolean> {
    return this.prisma.$transaction(async (tx) => {
      const due = await tx.$queryRaw<Reservation[]>`
        UPDATE reserved_username SET announced_at = now()
         WHERE hash IN (SELECT hash FROM reserved_username
                         WHERE announced_at < now() - make_interval(days => ${reannounceDays}::int)
                         ORDER BY announced_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        RETURNING hash, until`;
      for (const reservation of due) await announce(tx, reservation);
      return due.length > 0;
    });
  }
}

/**
 * Whether the username is reserved. The lock makes this transaction wait while another one closes the account with this name.
 */
export async function isReservedUnderLock(tx: Prisma.TransactionClient, username: string): Promise<boolean> {
  await lock(tx, username);
  return isReserved(tx, username);
}

/** Reserves the username of a closed account, without end if an operator has hidden a page of the account. */
export async function reserve(
  tx: Prisma.TransactionClient,
  { uid, username, takenDown }: { uid: string; username: string; takenDown: boolean },
): Promise<void> {
  await lock(tx, username);
  const where = { kind: 'hidden', case: { creatorId: uid } };
  const isForever = takenDown || (await tx.reviewStep.findFirst({ where, select: { id: true } })) !== null;
  // Null means without end, so it replaces a date, but no date replaces it.
  const rows = await tx.$queryRaw<Reservation[]>`
    INSERT INTO reserved_username AS known (hash, until, announced_at)
    SELECT ${usernameDigest(username)}, CASE WHEN NOT ${isForever}::boolean
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
