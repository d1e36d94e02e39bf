const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day such as 2026-11-24 as `24 Nov`. */
export const shortDay = (day: string): string => format.format(new Date(day));
