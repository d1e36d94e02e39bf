import {
  type CheckedLink,
  contact,
  type DeadLink,
  LinkFinding,
  LinkKind,
  limits,
  type ListedLink,
  type LinkListing,
} from '@stoa/contracts';
import { isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { getDomain } from 'tldts';
import { Database } from '../database.ts';
import { type CheckedLink as Row, type LinkedPage, Prisma } from '../generated/prisma/client.ts';
import type { LinkState } from './link-verdict.ts';

/** A link that this replica may check until the lease ends. Other replicas skip the link until then. */
export interface LeasedLink {
  readonly id: string;
  readonly url: string;
  /** End of the lease. A replica stores its result only if the row still has this value. */
  readonly leasedUntil: Date;
}

type ListingWithHosts = Omit<LinkListing, 'links'> & { links: readonly (ListedLink & { host: string })[] };

/**
 * `unknown`: the creator has no dead link with this id. `waitSeconds`: time until another request is allowed.
 */
type CheckRequestOutcome = 'scheduled' | 'unknown' | { waitSeconds: number };

// Key of a Postgres advisory lock. Any number works, because only this service uses the database.
const leaseLock = 7_307_020;
const tombstoneDays = 30;

@Injectable()
export class CheckedLinks {
  readonly #logger = new Logger(CheckedLinks.name);

  constructor(private readonly prisma: Database) {}

  /**
   * Stores the links of a page. Links that stay keep their results. Older versions of the page are ignored.
   */
  async list({ uid, offeringId, title, version, links }: ListingWithHosts): Promise<void> {
    const id = offeringId ?? uid;
    await this.prisma.$transaction(async (tx) => {
      await lock(tx, uid);
      if ((await tx.closedAccount.count({ where: { uid } })) > 0) return;
      const known = await tx.linkedPage.findUnique({ where: { id }, include: { links: true } });
      if (known && (known.uid !== uid || known.version > version || known.goneAt)) return;
      if (!known && links.length === 0) return;
      const page = { uid, offeringId, title, version };
      await tx.linkedPage.upsert({ where: { id }, create: { id, ...page }, update: page });
      const stay = new Map(links.map((link) => [keyOf(link), link]));
      const gone = known?.links.filter((link) => !stay.has(keyOf(link))) ?? [];
      await tx.checkedLink.deleteMany({ where: { id: { in: gone.map((link) => link.id) } } });
      for (const row of known?.links ?? []) {
        const listed = stay.get(keyOf(row));
        if (listed && listed.label !== row.label)
          await tx.checkedLink.update({ where: { id: row.id }, data: { label: listed.label } });
        stay.delete(keyOf(row));
      }
      const data = [...stay.values()].map((link) => ({ ...link, id: randomUUID(), pageId: id }));
      // Raw SQL sets `next_look_at` by the database's clock; Prisma would use the clock of this process.
      await tx.$executeRaw`
        INSERT INTO checked_link (id, page_id, kind, label, url, host, site)
        SELECT id, page_id, kind, label, url, host, site FROM jsonb_to_recordset(${JSON.stringify(
          data.map(({ pageId, ...link }) => ({ ...link, page_id: pageId, site: siteOf(link.host) })),
        )}::jsonb) AS link (id uuid, page_id uuid, kind text, label text, url text, host text, site text)`;
    });
  }

  /** Deletes the links of a removed page. The row of the page stays as a tombstone against late events. */
  async drop(id: string, uid: string, version: number): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      await lock(tx, uid);
      if ((await tx.closedAccount.count({ where: { uid } })) > 0) return;
      const gone = { title: '', version, goneAt: new Date() };
      await tx.linkedPage.upsert({
        where: { id, uid },
        create: { id, uid, offeringId: id === uid ? null : id, ...gone },
        update: gone,
      });
      await tx.checkedLink.deleteMany({ where: { pageId: id } });
    });
  }

  /**
   * Finds links whose next check is due, at most one per host. It skips hosts that a replica is checking or
   * has checked within `hostPauseMs`. Creators and sites (registrable domains, such as `shop.co.uk`) take
   * turns, so that many links of one do not delay the others.
   */
  async findDue({ most, hostPauseMs }: { most: number; hostPauseMs: number }): Promise<string[]> {
    const found = await this.prisma.$queryRaw<{ id: string }[]>`
      WITH busy AS MATERIALIZED (${busyHosts(hostPauseMs)}),
      first_of_host AS (
        SELECT DISTINCT ON (host) id, site, page_id, next_look_at
          FROM checked_link
         WHERE next_look_at < now() + interval '1 millisecond' AND (leased_until IS NULL OR leased_until < now())
           AND host NOT IN (SELECT host FROM busy)
         ORDER BY host, next_look_at),
      turns AS (
        SELECT due.id, next_look_at, row_number() OVER (PARTITION BY page.uid ORDER BY next_look_at) AS of_creator,
               row_number() OVER (PARTITION BY site ORDER BY next_look_at) AS of_site
          FROM first_of_host AS due JOIN linked_page AS page ON page.id = page_id)
      SELECT id FROM turns ORDER BY greatest(of_creator, of_site), next_look_at LIMIT ${most}`;
    return found.map(({ id }) => id);
  }

  /**
   * Leases a link whose check is due; null if a replica is checking its host or did within `hostPauseMs`. The
   * lock admits one replica at a time; otherwise two could lease links of the same host.
   */
  async lease(
    id: string,
    { leaseMs, hostPauseMs }: { leaseMs: number; hostPauseMs: number },
  ): Promise<LeasedLink | null> {
    return this.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${leaseLock}::bigint)`;
      const [leased] = await tx.$queryRaw<LeasedLink[]>`
        UPDATE checked_link SET leased_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
         WHERE id = ${id}::uuid AND next_look_at < now() + interval '1 millisecond'
           AND (leased_until IS NULL OR leased_until < now())
           AND host NOT IN (${busyHosts(hostPauseMs)})
        RETURNING id, url, leased_until AS "leasedUntil"`;
      return leased ?? null;
    });
  }

  /** Stores the result of a check, unless the link was deleted or another replica has leased it since. */
  async record(
    { id, leasedUntil }: LeasedLink,
    evaluateNext: (state: LinkState, now: Date) => { state: LinkState; nextLookAt: Date },
  ): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<(LinkState & { now: Date })[]>`
        SELECT failures, finding, failing_since AS "failingSince", counted_at AS "countedAt",
               dead_since AS "deadSince", now() AS now
          FROM checked_link WHERE id = ${id}::uuid AND leased_until = ${leasedUntil} FOR UPDATE`;
      if (!row) return;
      const { now, ...state } = row;
      const { state: next, nextLookAt } = evaluateNext(state, now);
      await tx.checkedLink.update({
        where: { id },
        data: { ...next, nextLookAt, lookedAt: now, leasedUntil: null },
      });
    });
  }

  async release({ id, leasedUntil }: LeasedLink): Promise<void> {
    await this.prisma.checkedLink.updateMany({ where: { id, leasedUntil }, data: { leasedUntil: null } });
  }

  async listDead(uid: string): Promise<DeadLink[]> {
    const rows = await this.prisma.checkedLink.findMany({
      where: { page: { uid }, deadSince: { not: null } },
      include: { page: true },
      orderBy: [{ failingSince: 'asc' }, { id: 'asc' }],
    });
    return rows.map(toDead);
  }

  async listAll(
    uid: string,
    after: string | undefined,
    take: number,
  ): Promise<{ items: CheckedLink[]; next: string | null }> {
    const rows = await this.prisma.checkedLink.findMany({
      where: { page: { uid }, ...(after && { id: { gt: after } }) },
      include: { page: true },
      orderBy: { id: 'asc' },
      take,
    });
    const items = rows.map((row) => ({
      ...placeOf(row),
      failures: row.failures,
      finding: row.finding === null ? null : LinkFinding.parse(row.finding),
      failingSince: row.failingSince?.toISOString() ?? null,
      deadSince: row.deadSince?.toISOString() ?? null,
      lookedAt: row.lookedAt?.toISOString() ?? null,
    }));
    return { items, next: rows.length < take ? null : (rows.at(-1)?.id ?? null) };
  }

  /** Makes the check of a dead link due now, at most once in `pauseMinutes` for each link. */
  async requestCheck(
    { uid, id }: { uid: string; id: string },
    pauseMinutes: number,
    requestId: string | undefined,
  ): Promise<CheckRequestOutcome> {
    return this.prisma.$transaction(async (tx) => {
      await lock(tx, uid);
      if (await isRequestDone(tx, requestId)) return 'scheduled';
      const [row] = await tx.$queryRaw<{ wait: number }[]>`
        SELECT coalesce(extract(epoch FROM asked_at + ${pauseMinutes}::int * interval '1 minute' - now()), 0)::float8 AS wait
          FROM checked_link JOIN linked_page AS page ON page.id = page_id
         WHERE checked_link.id = ${id}::uuid AND uid = ${uid}::uuid AND dead_since IS NOT NULL`;
      if (!row) return 'unknown';
      if (row.wait > 0) return { waitSeconds: row.wait };
      await recordRequest(tx, requestId);
      await tx.$executeRaw`
        UPDATE checked_link SET asked_at = now(), next_look_at = now() WHERE id = ${id}::uuid`;
      return 'scheduled';
    });
  }

  /**
   * Publishes the newly dead links of one creator as one event, `gatherMs` after the first died. A creator
   * gets at most one event a day. Returns false if no event is left to publish.
   */
  async announceNext({
    gatherMs,
    repeatAfter,
  }: {
    gatherMs: number;
    repeatAfter: { days: number };
  }): Promise<boolean> {
    const chosen: string[] = [];
    try {
      return await this.#announceInTransaction({ gatherMs, repeatAfter }, chosen);
    } catch (error) {
      if (isDatabaseOutage(error) || chosen.length === 0) throw error;
      // Marks these links as announced, because their error would otherwise block all other creators.
      this.#logger.error(error, `the ${chosen.length} dead links of one creator cannot be announced`);
      await this.prisma.checkedLink.updateMany({
        where: { id: { in: chosen } },
        data: { toldAt: new Date() },
      });
      return true;
    }
  }

  /**
   * @param chosen Filled with the ids of the links, so that the caller can skip them if this function fails
   */
  #announceInTransaction(
    { gatherMs, repeatAfter }: { gatherMs: number; repeatAfter: { days: number } },
    chosen: string[],
  ): Promise<boolean> {
    return this.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${leaseLock + 1}::bigint)`;
      const rows = await tx.$queryRaw<{ id: string }[]>`
        WITH untold AS (
          SELECT id, (SELECT uid FROM linked_page AS page WHERE page.id = page_id) AS uid, dead_since FROM checked_link
           WHERE dead_since IS NOT NULL AND (told_at IS NULL OR told_at < dead_since)
             AND (told_at IS NULL OR told_at < now() - ${repeatAfter.days}::int * interval '1 day')),
        next AS (
          SELECT uid FROM untold GROUP BY uid
          HAVING min(dead_since) < now() - ${gatherMs}::float8 * interval '1 millisecond'
             AND coalesce((SELECT max(told_at) FROM checked_link JOIN linked_page AS page ON page.id = page_id
                            WHERE page.uid = untold.uid) <= now() - interval '1 day', true)
           LIMIT 1)
        SELECT untold.id FROM untold JOIN next USING (uid)`;
      if (rows.length === 0) return false;
      const where = { id: { in: rows.map(({ id }) => id) } };
      const dead = await tx.checkedLink.findMany({
        where,
        include: { page: true },
        orderBy: { id: 'asc' },
        // Further links of this creator are in the next event, a day later.
        take: limits.linksPerPage,
      });
      chosen.push(...dead.map(({ id }) => id));
      const uid = dead[0]?.page.uid;
      if (uid === undefined) return false;
      await tx.$executeRaw`UPDATE checked_link SET told_at = now() WHERE id = ANY(${dead.map(({ id }) => id)}::uuid[])`;
      const links = dead.map((row) => {
        const { kind, label, url, offeringId, title, finding } = toDead(row);
        return { kind, label, url, offeringId, title, finding };
      });
      await recordEvent(tx, contact.linksDied, {
        ...{ id: randomUUID(), uid, at: new Date().toISOString(), links },
      });
      return true;
    });
  }

  /** Milliseconds until a check or the event about a dead link is due; not positive if a check is overdue. */
  async nextDueMs(gatherMs: number): Promise<number | undefined> {
    const gather = Prisma.sql`${gatherMs}::float8 * interval '1 millisecond'`;
    const [next] = await this.prisma.$queryRaw<{ ms: number | null }[]>`
      SELECT extract(epoch FROM least(
               (SELECT min(next_look_at) FROM checked_link),
               (SELECT min(dead_since) + ${gather} FROM checked_link
                 WHERE dead_since IS NOT NULL AND (told_at IS NULL OR told_at < dead_since)
                   AND dead_since > now() - ${gather})) - now())::float8 * 1000 AS ms`;
    return next?.ms ?? undefined;
  }

  /** Age in seconds of the most overdue check; 0 if none is overdue. */
  async oldestDue(): Promise<number> {
    const [oldest] = await this.prisma.$queryRaw<{ age: number }[]>`
      SELECT greatest(coalesce(extract(epoch FROM now() - min(next_look_at)), 0), 0)::float8 AS age FROM checked_link`;
    return oldest?.age ?? 0;
  }

  async deleteTombstones(): Promise<void> {
    await this.prisma.$executeRaw`
      DELETE FROM linked_page WHERE gone_at < now() - ${tombstoneDays}::int * interval '1 day'`;
  }
}

const busyHosts = (hostPauseMs: number) => Prisma.sql`
  SELECT host FROM checked_link WHERE leased_until > now()
  UNION ALL SELECT host FROM checked_link WHERE looked_at > now() - ${hostPauseMs}::float8 * interval '1 millisecond'`;

/** The registrable domain by the public suffix list; the whole host if it has none. */
const siteOf = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host;

const keyOf = ({ kind, url }: { kind: string; url: string }) => `${kind} ${url}`;

// The service takes the same lock to close an account, so that no link is stored during the closure.
async function lock(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 1))`;
}

type PlacedRow = Row & { page: LinkedPage };

function placeOf({ kind, label, url, page: { offeringId, title } }: PlacedRow) {
  return { kind: LinkKind.parse(kind), label, url, offeringId, title };
}

function toDead(row: PlacedRow): DeadLink {
  const { id, lookedAt, askedAt, failingSince, deadSince } = row;
  const since = failingSince ?? deadSince ?? new Date();
  return {
    ...{ id, ...placeOf(row), finding: LinkFinding.parse(row.finding) },
    since: since.toISOString(),
    lookedAt: (lookedAt ?? since).toISOString(),
    isQueued: askedAt !== null && (lookedAt === null || askedAt > lookedAt),
  };
}
