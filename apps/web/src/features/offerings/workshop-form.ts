import {
  knownZone,
  localTimeOf,
  type NewOfferingForm,
  type Offering,
  type OfferingType,
} from '@stoa/contracts';
import { scheduleAsVisitorsSee } from '../../as-visitors-see.ts';

/** What stands in the fields of a workshop, empty where nothing is said. */
export interface WorkshopValues {
  start: string;
  end: string;
  timeZone: string;
  seats: string;
}

/** As this browser's clock is set. */
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const emptyWorkshop = (): WorkshopValues => ({ start: '', end: '', timeZone: ownZone(), seats: '' });

export function workshopValuesOf({ schedule, seats }: Pick<Offering, 'schedule' | 'seats'>): WorkshopValues {
  const typed = { ...emptyWorkshop(), seats: String(seats ?? '') };
  if (!schedule) return typed;
  const { startsAt, endsAt } = schedule;
  // The same instants by clocks that this browser knows, where it is older than the name of the zone.
  const timeZone = knownZone(schedule.timeZone);
  const local = (at: string | null) => (at ? localTimeOf(at, timeZone) : '');
  return { ...typed, start: local(startsAt), end: local(endsAt), timeZone };
}

/** What the form says of it. An end without a start is sent on, so that the missing start is asked for. */
export function workshopFieldsOf(
  type: OfferingType,
  { start, end, timeZone, seats }: WorkshopValues,
): Pick<NewOfferingForm, 'schedule' | 'seats'> {
  if (type !== 'Workshop') return { schedule: null, seats: null };
  const typed = seats.trim();
  return {
    schedule: start || end ? { start, end: end || null, timeZone } : null,
    seats: typed ? (/^\d+$/.test(typed) ? Number(typed) : Number.NaN) : null,
  };
}

/** What the form says of it, as visitors would read it; nothing of what is not typed in full. */
export function shownWorkshop(
  type: OfferingType,
  values: WorkshopValues,
): Pick<Offering, 'schedule' | 'seats'> {
  const { schedule, seats } = workshopFieldsOf(type, values);
  return {
    schedule: schedule ? scheduleAsVisitorsSee(schedule) : null,
    seats: typeof seats === 'number' && Number.isInteger(seats) ? seats : null,
  };
}

/** Whether the offering tells of the workshop what the form does. */
export function sameWorkshop(
  offering: Pick<Offering, 'schedule' | 'seats'>,
  form: Pick<NewOfferingForm, 'schedule' | 'seats'>,
): boolean {
  const { schedule, seats } = workshopFieldsOf('Workshop', workshopValuesOf(offering));
  const told = [schedule, seats];
  return JSON.stringify(told) === JSON.stringify([form.schedule ?? null, form.seats ?? null]);
}
