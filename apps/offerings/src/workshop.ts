import {
  endOf,
  instantOf,
  knownZone,
  limits,
  type NewOffering,
  type Offering,
  type Schedule,
  type ScheduleForm,
  zoneText,
} from '@stoa/contracts';

/** What the table holds of a workshop; undefined leaves a column alone. */
export interface WorkshopColumns {
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly seats?: number | null | undefined;
}

type Stated = Pick<NewOffering, 'type' | 'schedule' | 'seats'>;

/** What is stored of a form: nothing of this for what is no workshop. */
export function workshopColumns({ type, schedule, seats }: Stated): WorkshopColumns {
  if (type !== 'Workshop') return { ...dateColumns(null), seats: null };
  return { ...(schedule !== undefined && dateColumns(schedule)), seats };
}

function dateColumns(schedule: ScheduleForm | null): WorkshopColumns {
  if (!schedule) return { startsAt: null, endsAt: null, timeZone: null };
  const { start, end, timeZone } = schedule;
  const at = (time: string) => new Date(instantOf(time, timeZone) ?? Number.NaN);
  return { startsAt: at(start), endsAt: end ? at(end) : null, timeZone };
}

type Stored = {
  readonly type: string;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly timeZone: string | null;
  readonly seats: number | null;
};

/** What a row says of a workshop. The release before changes types and leaves these columns as they are. */
export function workshopOf(row: Stored, now = Date.now()): Pick<Offering, 'schedule' | 'seats'> {
  if (row.type !== 'Workshop') return { schedule: null, seats: null };
  const { startsAt, endsAt, timeZone, seats } = row;
  if (!startsAt || timeZone === null) return { schedule: null, seats };
  const span = { startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null };
  return { schedule: inWords({ ...span, timeZone, ended: endOf(span) <= now }), seats };
}

/**
 * Adds the words, made here alone: formatters of browsers and their versions differ in a comma. A zone that a newer release
 * took and this one does not know is told as it is called, beside the time in UTC.
 */
export function inWords(schedule: Omit<Schedule, 'text'>): Schedule {
  const { startsAt, endsAt, timeZone } = schedule;
  const shown = knownZone(timeZone);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: shown });
  const start = new Date(startsAt);
  const span = endsAt ? format.formatRange(start, new Date(endsAt)) : format.format(start);
  return { ...schedule, text: `${span} (${shown === timeZone ? '' : 'UTC; '}${zoneText(timeZone)})` };
}

/** The same in SQL, in terms of a row of `offering`; visitors are told of no seats that were left in the end. */
export const hasEnded = `(type = 'Workshop' AND starts_at IS NOT NULL
  AND coalesce(ends_at, starts_at + interval '${limits.openEndHours} hours') <= now())`;
export const isSoldOut = `(state = 'sold_out' OR type = 'Workshop' AND coalesce(seats, 1) = 0)`;

const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const workshopFields = `CASE WHEN type = 'Workshop' AND NOT ${hasEnded} THEN seats END AS seats,
  CASE WHEN type = 'Workshop' AND starts_at IS NOT NULL AND time_zone IS NOT NULL THEN jsonb_build_object('startsAt', ${isoTime('starts_at')},
    'endsAt', ${isoTime('ends_at')}, 'timeZone', time_zone, 'ended', ${hasEnded}) END AS schedule`;
