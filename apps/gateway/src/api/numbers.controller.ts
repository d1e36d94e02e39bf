import { type Caller, creators, Numbers, NumbersQuery, offerings, type VisitCount } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get, Header, Query } from '@nestjs/common';
import { z } from 'zod';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { toCsv } from '../visits/csv.ts';
import { CreatorRoute } from './openapi.decorator.ts';

// Values in a query string are text, but the contract expects a number.
const { days } = NumbersQuery.shape;
const NumbersQueryString = NumbersQuery.extend({
  days: z.coerce
    .number()
    .pipe(days.unwrap())
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: days.unwrap().maxValue,
      description: 'Number of days, including today. Default: 30.',
    })
    .optional(),
});
type NumbersQueryString = z.infer<typeof NumbersQueryString>;

const columns = ['Day (UTC)', 'What', 'About', 'Count', 'Visitors'];
const names: Record<VisitCount['kind'], string> = {
  view: 'View',
  access: "Click on 'Access Now'",
  support: 'Click on a support link',
  download: 'Download',
  any: 'Any visit',
  referrer: 'View from',
};
const dayMs = 24 * 60 * 60 * 1000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

@Controller('api/me')
export class NumbersController {
  constructor(private readonly bus: Bus) {}

  @Get('numbers')
  @CreatorRoute(Numbers, {
    summary: "Reads the visits of the caller's pages",
    description: 'By day (UTC), by offering, and by referring host. Visits of the owner are not counted.',
  })
  read(
    @Query({ schema: NumbersQueryString }) query: NumbersQueryString,
    @CurrentCaller() caller: Caller,
  ): Promise<Numbers> {
    return this.bus.ask(creators.readNumbers, NumbersQuery.parse(query), { caller });
  }

  @Get('numbers.csv')
  @CreatorRoute(null, {
    summary: "Reads the visits of the caller's pages as a table for a spreadsheet",
    description: 'CSV (RFC 4180): a row for each day, kind of visit, and offering or host.',
    mediaType: 'text/csv',
  })
  @Header('content-type', 'text/csv; charset=utf-8')
  @Header('content-disposition', 'attachment; filename="stoa-numbers.csv"')
  async table(
    @Query({ schema: NumbersQueryString }) query: NumbersQueryString,
    @CurrentCaller() caller: Caller,
  ): Promise<string> {
    const now = Date.now();
    const time = { from: dayOf(now - (NumbersQuery.parse(query).days - 1) * dayMs), to: dayOf(now) };
    const [{ items }, titles] = await Promise.all([
      this.bus.ask(creators.listVisits, time, { caller }),
      this.#titles(caller),
    ]);
    const rows = items.map(({ day, kind, subject, count, visitors }) => [
      day,
      names[kind],
      titles.get(subject) ?? (kind === 'view' && subject === '' ? 'Profile' : subject),
      count,
      visitors,
    ]);
    return toCsv([columns, ...rows]);
  }

  /** Titles of the offerings by id. Empty if the offerings service is down, because the numbers are useful without titles. */
  async #titles(caller: Caller): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.bus.ask(offerings.listOwn, {}, { caller }).catch(() => ({ items: [] }));
    return new Map(items.map(({ id, title }) => [id, title]));
  }
}
