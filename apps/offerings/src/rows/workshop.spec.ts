import { describe, expect, test } from '@jest/globals';
import { workshopOf } from './workshop.ts';

const row = (timeZone: string) => ({
  ...{ type: 'Workshop', startsAt: new Date('2027-03-14T16:30:00Z'), endsAt: null, timeZone, seats: 3 },
});
const textIn = (timeZone: string) => workshopOf(row(timeZone), 0).schedule?.text;

describe('the text of a date', () => {
  test('has the local time of its zone', () =>
    expect(textIn('Africa/Johannesburg')).toBe('Sunday, 14 March 2027 at 18:30 (Africa/Johannesburg)'));

  test('has UTC and the name of the zone if the runtime does not know it', () =>
    expect(textIn('Europe/New_Atlantis')).toBe('Sunday, 14 March 2027 at 16:30 (UTC; Europe/New Atlantis)'));
});
