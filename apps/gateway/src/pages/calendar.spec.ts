import { expect, test } from '@jest/globals';
import { workshopCalendar } from './calendar.ts';

const place = {
  site: 'https://stoa.example.test',
  username: 'ama',
  now: new Date('2026-11-24T10:00:00.123Z'),
};
const schedule = {
  ...{ startsAt: '2030-12-03T16:00:00.000Z', endsAt: '2030-12-03T18:30:00.000Z', ended: false },
  ...{ timeZone: 'America/New_York', text: 'Tuesday, 3 December 2030, 11:00–13:30 (America/New York)' },
};
const workshop = {
  ...{ id: '0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c22', title: 'Ink; paper, and \\ patience', price: 'R150' },
  ...{ description: 'One\nevening.', slug: 'ink', schedule },
};
const unfolded = (text: string) => text.replaceAll('\r\n ', '');

test('a workshop becomes an event in UTC, with a stable id, its page and its texts [gateway-3]', () => {
  const lines = unfolded(workshopCalendar(workshop, place)).split('\r\n');
  expect(lines.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0']);
  expect(lines.slice(5)).toEqual([
    'BEGIN:VEVENT',
    'UID:0b7f1f0e-3c07-4c8d-8a53-6a2f5d8b9c22@stoa.example.test',
    'DTSTAMP:20261124T100000Z',
    'DTSTART:20301203T160000Z',
    'DTEND:20301203T183000Z',
    'SUMMARY:Ink\\; paper\\, and \\\\ patience',
    'DESCRIPTION:Tuesday\\, 3 December 2030\\, 11:00–13:30 (America/New York)\\n\\nR150\\n\\nOne\\nevening.\\n\\nhttps://stoa.example.test/profile/ama/ink',
    'URL:https://stoa.example.test/profile/ama/ink',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('a workshop without an end has no DTEND', () => {
  const open = { ...workshop, schedule: { ...schedule, endsAt: null } };
  expect(workshopCalendar(open, place)).not.toContain('DTEND');
});

test('lines have at most 75 bytes, split no character, and cannot be injected by text [gateway-4]', () => {
  const description = `${'山🎨é'.repeat(60)}\r\nEND:VEVENT\r\u0007BEGIN:VALARM`;
  const text = workshopCalendar({ ...workshop, description }, place);
  const lines = text.split('\r\n');
  expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  expect(unfolded(text)).toContain('山🎨é'.repeat(60));
  expect(lines.filter((line) => /^(END:VEVENT|BEGIN:VALARM)/.test(line))).toEqual(['END:VEVENT']);
  expect(text).not.toMatch(/[^\r]\n|\r[^\n]/);
});

test('a title has its language where that is certain', () => {
  const inJapanese = { ...workshop, title: '東京', description: '東京で書いています。' };
  expect(unfolded(workshopCalendar(inJapanese, place))).toContain('SUMMARY;LANGUAGE=ja:東京');
});
