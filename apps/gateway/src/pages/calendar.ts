import { languageOf, paths, type PublicOffering, type Schedule, withoutFormat } from '@stoa/contracts';

type Workshop = Pick<PublicOffering, 'id' | 'title' | 'price' | 'description' | 'slug'> & {
  schedule: Schedule;
};

/**
 * Renders a workshop as an iCalendar file (RFC 5545). Its times are in UTC, so that it needs no definition of a time zone.
 */
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
    // The id stays the same, so that a calendar updates the event if the visitor imports it again.
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

/** The language of a text as a parameter (RFC 5545, 3.2.10); empty if the language is uncertain. */
function languageParameter(text: string, ...others: string[]): string {
  const language = languageOf(text, ...others);
  return language === '' || language.startsWith('und') ? '' : `;LANGUAGE=${language}`;
}

const utc = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, '');

const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    // Removes control characters that iCalendar does not allow.
    // eslint-disable-next-line no-control-regex -- the pattern removes them
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const lineBytes = 75;

/** Breaks a line after 75 bytes (RFC 5545, 3.1), but not within a character. Each further line begins with a space. */
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
