// No schema in here: public pages need it, and a schema library would weigh on each of them.

const dayMs = 86_400_000;

/** Whether this runtime knows a time zone of that name in the IANA database; an offset alone is none. */
export function isTimeZone(name: string): boolean {
  if (!timeZoneName.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The zone, or UTC where this runtime is older than its name. */
export const knownZone = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : 'UTC');

/** How names of zones are written: `Africa/Johannesburg`, `America/Argentina/Buenos_Aires`, `UTC`. */
export const timeZoneName = /^[A-Z][A-Za-z0-9_+-]{1,30}(\/[A-Z][A-Za-z0-9_+-]{1,30}){0,2}$/;

/** What the clocks of a zone show at an instant, as fields of forms have it: `2027-03-14T18:30`. */
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
 * When the clocks of a zone show that time, in milliseconds; undefined where they never do, as in the hour that is left out
 * in spring or on 30 February. Of an hour that comes twice in autumn it is the first.
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

/** A zone as people read it. */
export const zoneText = (timeZone: string): string => timeZone.replaceAll('_', ' ');
