import {
  zoneOrUtc,
  localTimeOf,
  type NewOfferingForm,
  type Offering,
  type OfferingType,
} from '@stoa/contracts';
import { scheduleAsVisitorsSee } from '../../storefront/as-visitors-see.ts';

/** The fields of a workshop, as typed. Empty fields have no value. */
export interface WorkshopValues {
  start: string;
  end: string;
  timeZone: string;
  seats: string;
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const emptyWorkshop = (): WorkshopValues => ({ start: '', end: '', timeZone: ownZone(), seats: '' });

export function workshopValuesOf({ schedule, seats }: Pick<Offering, 'schedule' | 'seats'>): WorkshopValues {
  const typed = { ...emptyWorkshop(), seats: String(seats ?? '') };
  if (!schedule) return typed;
  const { startsAt, endsAt } = schedule;
  // An older browser may not know the zone's name. It shows the same instants in UTC.
  const timeZone = zoneOrUtc(schedule.timeZone);
  const local = (at: string | null) => (at ? localTimeOf(at, timeZone) : '');
  return { ...typed, start: local(startsAt), end: local(endsAt), timeZone };
}

/** The request's fields. An end without a start is sent too, so that the error names the missing start. */
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

/** The fields as visitors would see them. Incomplete values are left out. */
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

/** Whether the stored offering has the same date and seats as the form. */
export function sameWorkshop(
  offering: Pick<Offering, 'schedule' | 'seats'>,
  form: Pick<NewOfferingForm, 'schedule' | 'seats'>,
): boolean {
  const { schedule, seats } = workshopFieldsOf('Workshop', workshopValuesOf(offering));
  const saved = [schedule, seats];
  return JSON.stringify(saved) === JSON.stringify([form.schedule ?? null, form.seats ?? null]);
}
