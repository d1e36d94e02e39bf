// Without schemas: public pages import this file, and zod would add to their size.

const dayMs = 86_400_000;

/** Whether this runtime knows the IANA time zone. A plain offset is not a time zone. */
export function isTimeZone(name: string): boolean {
  if (!timeZoneName.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The zone, or UTC if this runtime does not know it. */
export const zoneOrUtc = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : 'UTC');

/** The format of IANA names: `Africa/Johannesburg`, `America/Argentina/Buenos_Aires`, `UTC`. */
export const timeZoneName = /^[A-Z][A-Za-z0-9_+-]{1,30}(\/[A-Z][A-Za-z0-9_+-]{1,30}){0,2}$/;

/** The local time of a zone at an instant, in the format of form fields: `2027-03-14T18:30`. */
export function localTimeOf(at: string | number, timeZone: string): string {
  const shown = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit' },
    ...{ day: '2-digit', hour: '2-digit', minute: '2-digit' },
  } as const).formatToParts(new Date(at));
  const { year, month, day, hour, minute } = Object.fromEntries(
    shown.map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/**
 * The instant of a local time in epoch milliseconds. Undefined if the zone skips the time, as in spring, or the day does
 * not exist. Of a repeated hour in autumn it is the first.
 */
export function instantOf(localTime: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${localTime}:00Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The offset from UTC changes at most once in these two days.
  const instants = [asUtc - dayMs, asUtc + dayMs]
    .map((near) => asUtc - (Date.parse(`${localTimeOf(near, timeZone)}:00Z`) - near))
    .filter((instant) => localTimeOf(instant, timeZone) === localTime);
  return instants.length > 0 ? Math.min(...instants) : undefined;
}

/** The name of a zone for people, with spaces. */
export const zoneText = (timeZone: string): string => timeZone.replaceAll('_', ' ');
