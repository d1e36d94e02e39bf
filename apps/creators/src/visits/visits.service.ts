import { type Caller, limits, type Numbers, Visit, type VisitBatch, type VisitCounts } from '@stoa/contracts';
import { invalidInput, UnprocessableEvent } from '@stoa/messaging';
import { isDatabaseOutage, isRefusedValue } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { lastDays, toNumbers } from './numbers.ts';
import { type DayRange, Visits } from './visits.repository.ts';

interface Failed {
  readonly visit: unknown;
  readonly error: unknown;
}

const dayMs = 24 * 60 * 60 * 1000;

@Injectable()
export class VisitsService {
  constructor(private readonly visits: Visits) {}

  /**
   * Counts a batch of visits, except very old ones, whose ids may already be deleted. A visit that cannot be counted does not
   * stop the others.
   * @throws UnprocessableEvent with the visits that are invalid or that the database refuses
   */
  async count({ visits }: VisitBatch): Promise<void> {
    const oldest = Date.now() - limits.countableDays * dayMs;
    const read = visits.map((visit) => ({ visit, ...Visit.safeParse(visit) }));
    const failed: Failed[] = read.flatMap(({ visit, error }) => (error ? [{ visit, error }] : []));
    const recent = read.flatMap(({ data }) => (data && Date.parse(data.at) > oldest ? [data] : []));
    if (recent.length > 0) failed.push(...(await this.countAll(recent)));
    refuse(failed, visits.length);
  }

  private async countAll(visits: readonly Visit[]): Promise<Failed[]> {
    try {
      await this.visits.count(visits);
      return [];
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      return this.countEach(visits);
    }
  }

  private async countEach(visits: readonly Visit[]): Promise<Failed[]> {
    const failed: Failed[] = [];
    for (const visit of visits)
      await this.visits.count([visit]).catch((error: unknown) => {
        // NATS will deliver the batch again, and visits that are already counted will be skipped.
        if (isDatabaseOutage(error)) throw error;
        failed.push({ visit, error });
      });
    const retryable = failed.find(({ error }) => !isRefusedValue(error));
    if (retryable) throw retryable.error;
    return failed;
  }

  async readNumbers(days: number, { uid }: Caller): Promise<Numbers> {
    const listed = lastDays(days);
    const time = { from: listed[0] ?? '', to: listed.at(-1) ?? '' };
    const [byDay, bySubject] = await Promise.all([
      this.visits.readDays(uid, time),
      this.visits.readSubjects(uid, time),
    ]);
    return toNumbers(listed, byDay, bySubject);
  }

  async list(time: DayRange, { uid }: Caller): Promise<VisitCounts> {
    const days = (Date.parse(time.to) - Date.parse(time.from)) / dayMs + 1;
    if (days > limits.listedVisitDays)
      throw invalidInput([
        { path: ['from'], message: `At most ${limits.listedVisitDays} days in one answer.` },
      ]);
    return { items: await this.visits.list(uid, time) };
  }

  /** Deletes hashes of visitors after a day, ids of visits that are too old to be counted again, and old counts. */
  async deleteExpired(stopping: AbortSignal): Promise<void> {
    const retention = [
      ['day_visitor', 1],
      ['counted_visit', limits.countableDays + 1],
      ['visit_count', limits.visitDays],
    ] as const;
    for (const [table, days] of retention)
      while (!stopping.aborted && (await this.visits.deleteExpired(table, days)));
  }
}

function refuse([first, ...others]: readonly Failed[], total: number): void {
  if (!first) return;
  const failed = [first, ...others];
  throw new UnprocessableEvent(`${failed.length} of ${total} visits: ${String(first.error)}`, {
    facts: { visits: failed.map(({ visit }) => visit) },
    cause: first.error,
  });
}
