import { identity } from '@stoa/contracts';
import { recordEvent } from '@stoa/messaging';
import { randomUUID } from 'node:crypto';
import type { Announcement, FailedLogIn, OwnerChange } from './account-changes.ts';
import { forgetMails } from './due-mails.repository.ts';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { forgetOldLinkChanges } from './link-changes.repository.ts';
import { forgetFailedLogIns, recordFailedLogIn } from './log-in-warnings.repository.ts';
import { forgetBrowsers } from './session-browsers.repository.ts';
import { forgetOldChanges, recordChange, recordVerifiedEmail } from './owner-changes.repository.ts';

/** The lists of events that Keycloak keeps. */
export type Stream = 'user' | 'admin' | 'failure';

/** One event of the realm and what follows from it. */
export interface RealmEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly announcements: readonly Announcement[];
  readonly change?: OwnerChange | undefined;
  readonly failure?: FailedLogIn | undefined;
}

/** One round of reading a stream, by the replica that holds its lease. */
export interface RealmRound {
  /** Read on from here, in milliseconds since 1970; events that were handled already may be read again. */
  readonly from: number;
  readonly isNew: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly handle: (event: RealmEvent) => Promise<void>;
  readonly readTo: (time: number) => Promise<void>;
}

// Keycloak dates an event before it commits it, so that one may appear behind others.
const overlapMs = 60_000;
// Nothing older matters to a new installation.
const firstReadMs = 600_000;
/** Longer than a call of Keycloak takes; each event and each page renews it. */
const leaseMs = 10_000;

/** How far the realm's events were read, and what follows from them. */
export class RealmReadings {
  readonly #reader = randomUUID();
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  /**
   * Does one round of reading a stream; does nothing while another replica holds the lease. Keycloak is asked outside of
   * transactions. An event is handled once even where a lease ran out: its id is unique.
   */
  async read(stream: Stream, round: (round: RealmRound) => Promise<void>): Promise<void> {
    const readTo = await this.#lease(stream);
    if (!readTo) return;
    try {
      await round({
        from: readTo.getTime() - overlapMs,
        isNew: (ids) => this.#unknown(ids),
        handle: (event) => this.#handle(stream, event),
        readTo: (time) => this.#readTo(stream, new Date(time)),
      });
      await this.#end(stream, readTo);
    } finally {
      await this.#prisma.realmReading.updateMany({
        where: { stream, leasedBy: this.#reader },
        data: { leasedBy: null, leasedUntil: null },
      });
    }
  }

  /** Seconds since the realm was last read to its end; undefined before the first time. */
  async age(): Promise<number | undefined> {
    const [row] = await this.#prisma.$queryRaw<{ age: number | null }[]>`
      SELECT extract(epoch FROM now() - min(read_at))::float8 AS age FROM realm_reading`;
    return row?.age ?? undefined;
  }

  /** How far the stream was read, or undefined while another replica reads it. */
  async #lease(stream: Stream): Promise<Date | undefined> {
    const [lease] = await this.#prisma.$queryRaw<{ readTo: Date }[]>`
      INSERT INTO realm_reading AS reading (stream, read_to, read_at, leased_by, leased_until)
      VALUES (${stream}, now() - ${firstReadMs} * interval '1 millisecond', now(),
              ${this.#reader}, now() + ${leaseMs} * interval '1 millisecond')
      ON CONFLICT (stream) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
        WHERE reading.leased_until IS NULL OR reading.leased_until < now()
      RETURNING read_to AS "readTo"`;
    return lease?.readTo;
  }

  async #unknown(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const known = await this.#prisma.realmEvent.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true },
    });
    const knownIds = new Set(known.map(({ id }) => id));
    return new Set(ids.filter((id) => !knownIds.has(id)));
  }

  async #handle(stream: Stream, event: RealmEvent): Promise<void> {
    await this.#prisma.$transaction(async (tx) => {
      const data = { id: event.id, stream, at: new Date(event.at) };
      const { count } = await tx.realmEvent.createMany({ data, skipDuplicates: true });
      await this.#renew(tx, stream);
      if (count === 0) return;
      for (const announcement of event.announcements) await announce(tx, announcement);
      if (event.change) await recordChange(tx, event.change);
      if (event.failure) await recordFailedLogIn(tx, event.failure);
    });
  }

  async #readTo(stream: Stream, time: Date): Promise<void> {
    await this.#prisma.$executeRaw`
      UPDATE realm_reading SET read_to = greatest(read_to, ${time}) WHERE stream = ${stream}`;
    await this.#renew(this.#prisma, stream);
  }

  async #renew(tx: Prisma.TransactionClient, stream: Stream): Promise<void> {
    await tx.$executeRaw`
      UPDATE realm_reading SET leased_until = now() + ${leaseMs} * interval '1 millisecond'
       WHERE stream = ${stream} AND leased_by = ${this.#reader}`;
  }

  async #end(stream: Stream, readTo: Date): Promise<void> {
    await this.#prisma.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE realm_reading SET read_at = now() WHERE stream = ${stream}`;
      const over = new Date(readTo.getTime() - 2 * overlapMs);
      await tx.realmEvent.deleteMany({ where: { stream, at: { lt: over } } });
      await forgetOldChanges(tx);
      await forgetOldLinkChanges(tx);
      await forgetFailedLogIns(tx);
    });
  }
}

async function announce(
  tx: Prisma.TransactionClient,
  { event, facts, sessionsGoOn }: Announcement,
): Promise<void> {
  await recordEvent(tx, event, facts);
  if (event.subject === identity.sessionEnded.subject && !sessionsGoOn)
    await forgetBrowsers(tx, identity.sessionEnded.facts.parse(facts));
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
  await forgetMails(tx, uid);
}
