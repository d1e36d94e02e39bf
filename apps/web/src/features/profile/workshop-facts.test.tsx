import type { PublicOffering } from '@stoa/contracts';
import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AccessHost, AccessNow } from './access-now.tsx';
import { WorkshopFacts } from './workshop-facts.tsx';

const schedule = {
  startsAt: '2030-12-03T16:00:00.000Z',
  endsAt: '2030-12-03T18:30:00.000Z',
  timeZone: 'America/New_York',
  ended: false,
};
const workshop = {
  ...{ title: 'Linocut', type: 'Workshop', state: 'published', paymentUrl: 'https://pay.example.com/x' },
  ...{ schedule, seats: 12 },
} as PublicOffering;

/** The visitor's clock. */
function livesIn(timeZone: string) {
  const resolved = new Intl.DateTimeFormat().resolvedOptions();
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...resolved, timeZone });
}
beforeEach(() => livesIn('America/New_York'));
afterEach(() => void jest.restoreAllMocks());

const show = (changes: Partial<PublicOffering> = {}) =>
  render(<WorkshopFacts offering={{ ...workshop, ...changes }} />).container;

test('a workshop is dated by its own clocks, with their zone and the seats', () => {
  const shown = show();
  expect(screen.getByText(/Tuesday,? 3 December 2030.*11:00.+13:30/).tagName).toBe('TIME');
  expect(shown.textContent).toContain('America/New York');
  expect(screen.getByText('12 seats')).toBeTruthy();
  expect(shown.textContent).not.toContain('your time');
});

test('a visitor elsewhere also reads it by their own clocks', () => {
  livesIn('Asia/Tokyo');
  const shown = show();
  expect(screen.getByText(/Tuesday,? 3 December 2030.*11:00/)).toBeTruthy();
  expect(shown.textContent).toMatch(/12 seats · 4 Dec, 01:00 your time$/);
});

test('a visitor whose clocks show the same reads it once', () => {
  livesIn('America/Toronto');
  expect(show().textContent).not.toContain('your time');
});

test("the server writes the workshop's own clocks, with room for the visitor's", () => {
  livesIn('Asia/Tokyo');
  const written = renderToString(<WorkshopFacts offering={{ ...workshop, seats: null }} />);
  expect(written).toMatch(/11:00.+13:30/);
  expect(written).not.toContain('your time');
  const room = /<p class="[^"]*min-h-\[1lh\][^"]*"><\/p>/;
  expect(written).toMatch(room);
  // The same room holds it in the browser.
  expect(show({ seats: null }).querySelector('p')?.className).toContain('min-h-[1lh]');
});

test('one seat is one, without a date too; of anything else nothing is said', () => {
  expect(show({ schedule: null, seats: 1 }).textContent).toBe('1 seat');
  expect(show({ schedule: null, seats: null }).textContent).toBe('');
});

test('an ended workshop says so in place of its payment link and its seats', () => {
  const ended = { ...workshop, schedule: { ...schedule, ended: true } };
  const { container } = render(
    <>
      <WorkshopFacts offering={ended} />
      <AccessNow offering={{ ...ended, state: 'sold_out' }} />
      <AccessHost offering={ended} />
    </>,
  );
  expect(screen.getByText('This workshop has ended.')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
  expect(container.textContent).not.toMatch(/seats|Sold out|pay\.example/);
});
