import { z } from 'zod';
import { Timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { instantOf, isTimeZone, zoneOrUtc, timeZoneName, zoneText } from './zoned-time.ts';

/** The dates of a workshop, as they are read. */
export const Schedule = z
  .object({
    startsAt: Timestamp,
    endsAt: Timestamp.nullable(),
    timeZone: z.string().describe("The creator's time zone, by its IANA name."),
    text: z
      .string()
      .describe(
        'The formatted dates in that zone: "Tuesday, 3 December 2030, 18:00–20:30 (America/New York)".',
      ),
    ended: z
      .boolean()
      .describe(
        `Whether the workshop is over at the time of the response. Without an end it is over ${limits.openEndHours} hours after its start.`,
      ),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

const noZone = 'Choose a time zone.';
const noDate = 'Enter a date and a time.';
const LocalTime = z
  .string(noDate)
  .regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/, {
    message: noDate,
    abort: true,
  })
  .describe('A local time in the zone: "2027-03-14T18:30".');

/** The dates of a workshop, as its creator enters them. */
export const ScheduleForm = z
  .object({
    start: LocalTime,
    end: LocalTime.nullish(),
    timeZone: z
      .string(noZone)
      .regex(timeZoneName, { message: noZone, abort: true })
      .refine(isTimeZone, { message: noZone, abort: true })
      .describe('An IANA name: "Africa/Johannesburg".'),
  })
  .superRefine(({ start, end, timeZone }, { addIssue }) => {
    const refuse = (field: 'start' | 'end', message: string) =>
      addIssue({ code: 'custom', path: [field], message });
    const [startsAt, endsAt] = [start, end ?? start].map((time) => instantOf(time, timeZone));
    if (startsAt === undefined) refuse('start', noSuchTime);
    else if (endsAt === undefined) refuse('end', noSuchTime);
    else if (end && endsAt <= startsAt) refuse('end', 'The end comes after the start.');
  })
  .meta({ id: 'ScheduleForm' });
export type ScheduleForm = z.infer<typeof ScheduleForm>;

const noSuchTime = 'There is no such time in this time zone: the day does not exist, or clocks skip it.';

const noCount = `Enter a whole number up to ${limits.seats.toLocaleString('en')}.`;
/** The free seats. With 0 a workshop is sold out. */
export const Seats = z.int(noCount).min(0, noCount).max(limits.seats, noCount);

/** The end of a workshop in epoch milliseconds. */
export function endOf({ startsAt, endsAt }: Pick<Schedule, 'startsAt' | 'endsAt'>): number {
  return endsAt ? Date.parse(endsAt) : Date.parse(startsAt) + limits.openEndHours * 3_600_000;
}

/**
 * Adds the formatted dates. The service formats them for all visitors, because browsers differ in details. For a time zone
 * that this release does not know, it formats the time in UTC and adds the zone's name.
 */
export function withScheduleText(schedule: Omit<Schedule, 'text'>): Schedule {
  const { startsAt, endsAt, timeZone } = schedule;
  const shown = zoneOrUtc(timeZone);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: shown });
  const start = new Date(startsAt);
  const span = endsAt ? format.formatRange(start, new Date(endsAt)) : format.format(start);
  return { ...schedule, text: `${span} (${shown === timeZone ? '' : 'UTC; '}${zoneText(timeZone)})` };
}
