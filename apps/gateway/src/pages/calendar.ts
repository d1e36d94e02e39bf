import { languageOf, paths, type PublicOffering, type Schedule, withoutFormat } from '@stoa/contracts';

/** A workshop that says when it takes place. */
type Workshop = Pick<PublicOffering, 'id' | 'title' | 'price' | 'description' | 'slug'> & {
  schedule: Schedule;
};

/** One workshop as calendars read it (RFC 5545), in UTC, so that no time zone has to be described. */
export function workshopCalendar(
  { id, title, price, description, slug, schedule }: Workshop,
  { site, username, now }: { site: string; username: string; now: Date },
): string {
  const address = site + paths.offering(username, slug);
  const words = [schedule.text, price, withoutFormat(description), address].filter((each) => each.trim());
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Stoa//Workshops//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    // The same whenever it is fetched: a calendar changes the event that it has.
    `UID:${id}@${new URL(site).hostname}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(new Date(schedule.startsAt))}`,
    ...(schedule.endsAt ? [`DTEND:${utc(new Date(schedule.endsAt))}`] : []),
    `SUMMARY${languageParameter(title, description)}:${escaped(title)}`,
    `DESCRIPTION:${escaped(words.join('\n\n'))}`,
    `URL:${address}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Where the language is certain (RFC 5545 3.2.10). */
function languageParameter(text: string, ...others: string[]): string {
  const language = languageOf(text, ...others);
  return language === '' || language.startsWith('und') ? '' : `;LANGUAGE=${language}`;
}

const utc = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, '');

const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    // Of the other control characters a calendar takes none.
    // eslint-disable-next-line no-control-regex -- they are what is meant
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const lineBytes = 75;

/** Lines of at most 75 bytes, those that go on begun by a blank, and no character torn apart. */
function folded(line: string): string {
  const rows: string[] = [''];
  let room = lineBytes;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (bytes > room) {
      rows.push('');
      room = lineBytes - 1;
    }
    rows[rows.length - 1] += character;
    room -= bytes;
  }
  return rows.join('\r\n ');
}
