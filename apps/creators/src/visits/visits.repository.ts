import type { Visit, VisitCount } from '@stoa/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import {
  addCounts,
  claimVisits,
  deleteExpired,
  knownSubjects,
  listCounts,
  ownedOfferings,
  readDays,
  readSubjects,
  storeVisitors,
} from './visits.statements.ts';
import {
  type KnownSubjects,
  type OwnedOffering,
  type VisitEntry,
  entriesOf,
  sumsOf,
  withinLimits,
} from './visit-entries.ts';

/** A range of days, including both. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export type DayCount = Omit<VisitCount, 'subject'>;
export type SubjectCount = Pick<VisitCount, 'kind' | 'subject' | 'count'>;

@Injectable()
export class Visits {
  constructor(private readonly prisma: Database) {}

  /** Counts each visit once, even if NATS delivers it several times. */
  async count(visits: readonly Visit[]): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const named = visits.map(({ id, creatorId, at }) => ({ id, creatorId, day: at.slice(0, 10) }));
      const claimed = await tx.$queryRawUnsafe<{ id: string }[]>(claimVisits, JSON.stringify(named));
      const fresh = new Set(claimed.map(({ id }) => id));
      // If a message contains a visit twice, the last one counts.
      const counted = new Map(visits.filter(({ id }) => fresh.has(id)).map((visit) => [visit.id, visit]));
      if (counted.size === 0) return;
      const unique = (values: readonly string[]) => [...new Set(values)];
      const owned = await tx.$queryRawUnsafe<OwnedOffering[]>(
        ownedOfferings,
        unique([...counted.values()].flatMap(({ offeringId }) => offeringId ?? [])),
      );
      const all = entriesOf([...counted.values()], owned);
      const known = await tx.$queryRawUnsafe<KnownSubjects[]>(
        knownSubjects,
        unique(all.map(({ creatorId }) => creatorId)),
        unique(all.map(({ day }) => day)),
        unique(all.map(({ subject }) => subject)),
      );
      const entries = withinLimits(all, known);
      const newVisitors = await tx.$queryRawUnsafe<Omit<VisitEntry, 'visitor'>[]>(
        storeVisitors,
        JSON.stringify(entries),
      );
      await tx.$executeRawUnsafe(addCounts, JSON.stringify(sumsOf(entries, newVisitors)));
    });
  }

  readDays(uid: string, { from, to }: DayRange): Promise<DayCount[]> {
    return this.prisma.$queryRawUnsafe(readDays, uid, from, to);
  }

  /** The highest counts come first. */
  readSubjects(uid: string, { from, to }: DayRange): Promise<SubjectCount[]> {
    return this.prisma.$queryRawUnsafe(readSubjects, uid, from, to);
  }

  list(uid: string, { from, to }: DayRange): Promise<VisitCount[]> {
    return this.prisma.$queryRawUnsafe(listCounts, uid, from, to);
  }

  /** Deletes a batch of rows that are older than `days`. Returns whether there may be more. */
  async deleteExpired(table: Parameters<typeof deleteExpired>[0], days: number): Promise<boolean> {
    return (await this.prisma.$executeRawUnsafe(deleteExpired(table), days)) > 0;
  }
}
