import type { Visit, VisitCount } from '@stoa/contracts';
import type { PrismaClient } from './generated/prisma/client.ts';
import {
  addCounts,
  claimVisits,
  forget,
  knownSubjects,
  listCounts,
  ownedOfferings,
  readDays,
  readSubjects,
  rememberVisitors,
} from './visits.statements.ts';
import {
  type Entry,
  type Known,
  type OwnedOffering,
  entriesOf,
  sumsOf,
  withinLimits,
} from './visit-entries.ts';

/** From the first day to the last one, both in it. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export type DayCount = Omit<VisitCount, 'subject'>;
export type SubjectCount = Pick<VisitCount, 'kind' | 'subject' | 'count'>;

/** What visitors did, counted by day. */
export class Visits {
  constructor(private readonly prisma: PrismaClient) {}

  /** Counts each visit that was not counted before, however often it is delivered. */
  async count(visits: readonly Visit[]): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const named = visits.map(({ id, creatorId, at }) => ({ id, creatorId, day: at.slice(0, 10) }));
      const claimed = await tx.$queryRawUnsafe<{ id: string }[]>(claimVisits, JSON.stringify(named));
      const fresh = new Set(claimed.map(({ id }) => id));
      // One message may hold a visit twice: the last counts.
      const counted = new Map(visits.filter(({ id }) => fresh.has(id)).map((visit) => [visit.id, visit]));
      if (counted.size === 0) return;
      const unique = (values: readonly string[]) => [...new Set(values)];
      const owned = await tx.$queryRawUnsafe<OwnedOffering[]>(
        ownedOfferings,
        unique([...counted.values()].flatMap(({ offeringId }) => offeringId ?? [])),
      );
      const all = entriesOf([...counted.values()], owned);
      const known = await tx.$queryRawUnsafe<Known[]>(
        knownSubjects,
        unique(all.map(({ creatorId }) => creatorId)),
        unique(all.map(({ day }) => day)),
        unique(all.map(({ subject }) => subject)),
      );
      const entries = withinLimits(all, known);
      const news = await tx.$queryRawUnsafe<Omit<Entry, 'visitor'>[]>(
        rememberVisitors,
        JSON.stringify(entries),
      );
      await tx.$executeRawUnsafe(addCounts, JSON.stringify(sumsOf(entries, news)));
    });
  }

  readDays(uid: string, { from, to }: Days): Promise<DayCount[]> {
    return this.prisma.$queryRawUnsafe(readDays, uid, from, to);
  }

  /** The highest counts first. */
  readSubjects(uid: string, { from, to }: Days): Promise<SubjectCount[]> {
    return this.prisma.$queryRawUnsafe(readSubjects, uid, from, to);
  }

  list(uid: string, { from, to }: Days): Promise<VisitCount[]> {
    return this.prisma.$queryRawUnsafe(listCounts, uid, from, to);
  }

  /** Forgets what is older than so many days, a part of it; answers whether there may be more. */
  async forget(table: Parameters<typeof forget>[0], days: number): Promise<boolean> {
    return (await this.prisma.$executeRawUnsafe(forget(table), days)) > 0;
  }
}
