import { describe, expect, test } from '@jest/globals';
import { endOf, ScheduleForm, Seats } from './schedules.ts';
import { instantOf, isTimeZone, localTimeOf } from './zoned-time.ts';

const instant = (local: string, timeZone: string) => {
  const at = instantOf(local, timeZone);
  return at === undefined ? undefined : new Date(at).toISOString();
};
const messages = (form: object) =>
  ScheduleForm.safeParse(form).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('a local time', () => {
  test.each([
    ['2026-12-03T18:00', 'Africa/Johannesburg', '2026-12-03T16:00:00.000Z'],
    ['2027-07-01T00:15', 'Asia/Kathmandu', '2027-06-30T18:30:00.000Z'],
    ['2027-01-01T00:00', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2027-06-30T23:59', 'America/New_York', '2027-07-01T03:59:00.000Z'],
    ['2028-02-29T12:00', 'UTC', '2028-02-29T12:00:00.000Z'],
    // A time zone whose daylight saving time is half an hour.
    ['2027-10-03T02:30', 'Australia/Lord_Howe', '2027-10-02T15:30:00.000Z'],
  ])('%s in %s is %s', (local, timeZone, at) => {
    expect(instant(local, timeZone)).toBe(at);
    expect(localTimeOf(at, timeZone)).toBe(local);
  });

  test.each([
    ['2027-03-28T02:30', 'Europe/Berlin'],
    ['2027-03-14T02:00', 'America/New_York'],
    ['2027-10-03T02:15', 'Australia/Lord_Howe'],
    ['2027-02-30T12:00', 'UTC'],
    ['2027-04-31T12:00', 'Africa/Johannesburg'],
  ])('%s does not exist in %s [contracts-7]', (local, timeZone) => {
    expect(instant(local, timeZone)).toBeUndefined();
    expect(messages({ start: local, timeZone })).toEqual([
      ['start', expect.stringContaining('There is no such time')],
    ]);
  });

  test('that repeats in autumn is the first of the two', () => {
    expect(instant('2027-10-31T02:30', 'Europe/Berlin')).toBe('2027-10-31T00:30:00.000Z');
    expect(instant('2027-11-07T01:30', 'America/New_York')).toBe('2027-11-07T05:30:00.000Z');
  });

  test.each([
    ['2027-03-27', 'Europe/Berlin'],
    ['2027-10-30', 'Europe/Berlin'],
    ['2027-04-03', 'Pacific/Chatham'],
  ])('converts back to the same instant for three days from %s in %s', (day, timeZone) => {
    const from = Date.parse(day);
    const lost = Array.from({ length: 144 }, (_, half) => from + half * 1_800_000).filter((at) => {
      const local = localTimeOf(at, timeZone);
      const found = instantOf(local, timeZone);
      // A repeated hour converts to its first instant.
      return found === undefined || localTimeOf(found, timeZone) !== local || at - found > 3_600_000;
    });
    expect(lost).toEqual([]);
  });
});

test.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC'])(
  '%s is a time zone',
  (name) => expect(isTimeZone(name)).toBe(true),
);

test.each(['', 'Berlin', 'Europe/Atlantis', '+02:00', 'europe/berlin', 'UTC+2', "UTC'; --", 'Etc/GMT+99'])(
  '%j is not a time zone',
  (timeZone) => {
    expect(isTimeZone(timeZone)).toBe(false);
    expect(messages({ start: '2027-01-01T10:00', timeZone })).toContainEqual([
      'timeZone',
      'Choose a time zone.',
    ]);
  },
);

const timeZone = 'Africa/Johannesburg';

test.each(['2027-01-01T10:00', '2027-01-01T09:59', '2026-12-31T23:00'])('an end at %s is refused', (end) => {
  expect(messages({ start: '2027-01-01T10:00', end, timeZone })).toEqual([
    ['end', 'The end comes after the start.'],
  ]);
});

test('an end in a repeated hour is its first instant', () => {
  const night = { start: '2027-10-31T01:30', end: '2027-10-31T02:15', timeZone: 'Europe/Berlin' };
  expect(ScheduleForm.parse(ScheduleForm.parse(night))).toEqual(night);
});

test.each([
  '',
  '2027-01-01',
  '2027-01-01T10:00Z',
  '2027-1-1T10:00',
  '1999-01-01T10:00',
  '2027-13-01T10:00',
  7,
])('a start of %j is refused', (start) =>
  expect(messages({ start, timeZone })).toEqual([['start', 'Enter a date and a time.']]),
);

test('seats are a whole number from 0 to 10,000', () => {
  expect([0, 1, 12, 10_000].map((seats) => Seats.safeParse(seats).success)).toEqual(Array(4).fill(true));
  const refused = [-1, 1.5, 10_001, '12', Number.NaN, Infinity].map((seats) => Seats.safeParse(seats));
  expect(refused.map(({ error }) => error?.issues[0]?.message)).toEqual(
    Array(6).fill('Enter a whole number up to 10,000.'),
  );
});

test('a workshop without an end is over three hours after its start', () => {
  const startsAt = '2027-01-01T10:00:00.000Z';
  expect(endOf({ startsAt, endsAt: null })).toBe(Date.parse('2027-01-01T13:00:00.000Z'));
  expect(endOf({ startsAt, endsAt: '2027-01-01T11:00:00.000Z' })).toBe(Date.parse('2027-01-01T11:00:00Z'));
});
