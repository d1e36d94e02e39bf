import {
  endOf,
  instantOf,
  withScheduleText,
  limits,
  type NewOffering,
  type Offering,
  type ScheduleForm,
} from '@stoa/contracts';

/** The columns of a workshop; undefined keeps a column unchanged. */
export interface WorkshopColumns {
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly seats?: number | null | undefined;
}

type WorkshopForm = Pick<NewOffering, 'type' | 'schedule' | 'seats'>;

/** The columns for a form; null for other types than workshops. */
export function workshopColumns({ type, schedule, seats }: WorkshopForm): WorkshopColumns {
  if (type !== 'Workshop') return { ...dateColumns(null), seats: null };
  return { ...(schedule !== undefined && dateColumns(schedule)), seats };
}

function dateColumns(schedule: ScheduleForm | null): WorkshopColumns {
  if (!schedule) return { startsAt: null, endsAt: null, timeZone: null };
  const { start, end, timeZone } = schedule;
  const at = (time: string) => new Date(instantOf(time, timeZone) ?? Number.NaN);
  return { startsAt: at(start), endsAt: end ? at(end) : null, timeZone };
}

type WorkshopRow = {
  readonly type: string;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly timeZone: string | null;
  readonly seats: number | null;
};

/** The date and the free seats of a workshop; null for other types. */
export function workshopOf(row: WorkshopRow, now = Date.now()): Pick<Offering, 'schedule' | 'seats'> {
  if (row.type !== 'Workshop') return { schedule: null, seats: null };
  const { startsAt, endsAt, timeZone, seats } = row;
  if (!startsAt || timeZone === null) return { schedule: null, seats };
  const span = { startsAt: startsAt.toISOString(), endsAt: endsAt?.toISOString() ?? null };
  return { schedule: withScheduleText({ ...span, timeZone, ended: endOf(span) <= now }), seats };
}

/** Whether a workshop has ended, as a condition on a row of `offering`. */
export const hasEndedSql = `(type = 'Workshop' AND starts_at IS NOT NULL
  AND coalesce(ends_at, starts_at + interval '${limits.openEndHours} hours') <= now())`;
export const isSoldOutSql = `(state = 'sold_out' OR type = 'Workshop' AND coalesce(seats, 1) = 0)`;

export const isoTimeSql = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** The same fields as `workshopOf`, but visitors do not see the free seats of an ended workshop. */
export const workshopFields = {
  seats: `CASE WHEN type = 'Workshop' AND NOT ${hasEndedSql} THEN seats END`,
  schedule: `CASE WHEN type = 'Workshop' AND starts_at IS NOT NULL AND time_zone IS NOT NULL THEN
    jsonb_build_object('startsAt', ${isoTimeSql('starts_at')}, 'endsAt', ${isoTimeSql('ends_at')}, 'timeZone', time_zone,
      'ended', ${hasEndedSql}) END`,
};
