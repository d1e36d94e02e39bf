import { identity } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Announcement } from './account-changes.ts';
import { Database } from '../database.ts';
import { deleteMails } from '../mails/due-mails.repository.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import {
  type FailedLogIn,
  deleteExpiredFailedLogIns,
  recordFailedLogIn,
} from '../notices/log-in-warnings.repository.ts';
import { deleteExpiredLinkChanges } from '../recovery/link-changes.repository.ts';
import {
  deleteExpiredChanges,
  type OwnerChange,
  recordChange,
  recordVerifiedEmail,
} from '../recovery/owner-changes.repository.ts';
import { deleteBrowsers } from '../sessions/sessions.repository.ts';

export type Stream = (typeof streams)[number];
const streams = ['user', 'admin', 'failure'] as const;

/** An event of Keycloak with everything that identity does because of it. */
export interface RealmEvent {
  readonly id: string;
  readonly at: number;
  readonly announcements: readonly Announcement[];
  readonly change?: OwnerChange | undefined;
  readonly failure?: FailedLogIn | undefined;
}

// Each round reads this many milliseconds again: Keycloak commits an event later than the event's time.
const overlapMs = 60_000;
// The first read of a new installation starts this many milliseconds ago.
const firstReadMs = 600_000;
/** Longer than one call to Keycloak. The lease is renewed after each event and each page. */
const leaseMs = 10_000;

/** Stores how far identity has read Keycloak's event streams, and handles their events. */
@Injectable()
export class RealmReadings {
  readonly #reader = randomUUID();

  constructor(private readonly prisma: Database) {}

  /**
   * Leases the streams that no other replica is reading. Returns the time from which to read each one, in
   * milliseconds since 1970. Some events are read twice, but handled once.
   */
  async lease(): Promise<{ stream: Stream; from: number }[]> {
    const leases = await this.prisma.$queryRaw<{ stream: Stream; readTo: Date }[]>`
      INSERT INTO realm_reading AS reading (stream, read_to, read_at, leased_by, leased_until)
      SELECT stream, now() - ${firstReadMs} * interval '1 millisecond', now(), ${this.#reader},
             now() + ${leaseMs} * interval '1 millisecond'
        FROM unnest(${streams}::text[]) AS stream
      ON CONFLICT (stream) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
        WHERE reading.leased_until IS NULL OR reading.leased_until < now()
      RETURNING stream, read_to AS "readTo"`;
    return leases.map(({ stream, readTo }) => ({ stream, from: readTo.getTime() - overlapMs }));
  }

  /** Ends the leases of this replica. `read` are the streams that were read to the end without an error. */
  async release(read: readonly Stream[]): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE realm_reading SET leased_by = NULL, leased_until = NULL,
             read_at = CASE WHEN stream = ANY(${read}::text[]) THEN now() ELSE read_at END
       WHERE leased_by = ${this.#reader}`;
  }

  /** Seconds since the stream that is furthest behind was read to its end, for an alert. */
  async age(): Promise<number | undefined> {
    const [row] = await this.prisma.$queryRaw<{ age: number | null }[]>`
      SELECT extract(epoch FROM now() - min(read_at))::float8 AS age FROM realm_reading`;
    return row?.age ?? undefined;
  }

  /** The ids of events that are not handled yet. */
  async unknown(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const known = await this.prisma.realmEvent.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true },
    });
    const knownIds = new Set(known.map(({ id }) => id));
    return new Set(ids.filter((id) => !knownIds.has(id)));
  }

  async handle(stream: Stream, event: RealmEvent): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const data = { id: event.id, stream, at: new Date(event.at) };
      const { count } = await tx.realmEvent.createMany({ data, skipDuplicates: true });
      await this.#renew(tx, stream);
      if (count === 0) return;
      for (const announcement of event.announcements) await announce(tx, announcement);
      if (event.change) await recordChange(tx, event.change);
      if (event.failure) await recordFailedLogIn(tx, event.failure);
    });
  }

  /** Moves the reading position, at most to now: an event with a future time would hide later ones. */
  async advanceTo(stream: Stream, time: number): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE realm_reading SET read_to = greatest(read_to, least(${new Date(time)}, now())) WHERE stream = ${stream}`;
    await this.#renew(this.prisma, stream);
  }

  async #renew(tx: Prisma.TransactionClient, stream: Stream): Promise<void> {
    await tx.$executeRaw`
      UPDATE realm_reading SET leased_until = now() + ${leaseMs} * interval '1 millisecond'
       WHERE stream = ${stream} AND leased_by = ${this.#reader}`;
  }

  /** Deletes ids of events that are too old to be read again, and other expired rows. */
  async deleteExpired(): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      for (const { stream, readTo } of await tx.realmReading.findMany()) {
        const over = new Date(readTo.getTime() - 2 * overlapMs);
        await tx.realmEvent.deleteMany({ where: { stream, at: { lt: over } } });
      }
      await deleteExpiredChanges(tx);
      await deleteExpiredLinkChanges(tx);
      await deleteExpiredFailedLogIns(tx);
    });
  }
}

async function announce(
  tx: Prisma.TransactionClient,
  { event, facts, sessionsContinue }: Announcement,
): Promise<void> {
  await recordEvent(tx, event, facts);
  if (event.subject === identity.sessionEnded.subject && !sessionsContinue)
    await deleteBrowsers(tx, identity.sessionEnded.facts.parse(facts));
  if (event.subject === identity.emailVerified.subject) {
    const { uid, email } = identity.emailVerified.facts.parse(facts);
    await recordVerifiedEmail(tx, uid, email);
  }
  if (event.subject !== identity.closed.subject) return;
  const { uid } = identity.closed.facts.parse(facts);
  await tx.account.deleteMany({ where: { uid } });
  await tx.accountChange.deleteMany({ where: { uid } });
  await tx.linkChange.deleteMany({ where: { uid } });
  await tx.logInWarning.deleteMany({ where: { uid } });
  await tx.failedLogIn.deleteMany({ where: { uid } });
  await tx.sessionBrowser.deleteMany({ where: { uid } });
  await deleteMails(tx, uid);
}
