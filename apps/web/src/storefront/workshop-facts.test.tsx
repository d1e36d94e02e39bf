import type { PublicOffering } from '@stoa/contracts';
import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, jest, test } from '@jest/globals';
import { tellVisitorTimes } from '../browser/visitor-time.ts';
import { AccessNow } from './access-now.tsx';
import { WorkshopFacts } from './workshop-facts.tsx';

const schedule = {
  startsAt: '2030-12-03T16:00:00.000Z',
  endsAt: '2030-12-03T18:30:00.000Z',
  timeZone: 'America/New_York',
  ended: false,
  text: 'Tuesday, 3 December 2030, 11:00–13:30 (America/New York)',
};
const workshop = {
  ...{ title: 'Linocut', type: 'Workshop', state: 'published', paymentUrl: 'https://pay.example.com/x' },
  ...{ schedule, seats: 12 },
} as PublicOffering;

/** Sets the visitor's time zone. */
function livesIn(timeZone: string) {
  const resolved = new Intl.DateTimeFormat().resolvedOptions();
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...resolved, timeZone });
}

/** The rendered text, and the text in the visitor's own time zone. */
function show(changes: Partial<PublicOffering> = {}) {
  tellVisitorTimes();
  const { container } = render(<WorkshopFacts offering={{ ...workshop, ...changes }} />);
  const here = container.querySelector('visitor-time');
  return { text: container.textContent, here: here?.shadowRoot?.textContent, room: here?.parentElement };
}

test('a workshop shows its own time, its zone and the seats', () => {
  livesIn('America/New_York');
  expect(show()).toMatchObject({ text: `${schedule.text} · 12 seats`, here: '' });
});

test('a visitor in another zone also sees their own time', () => {
  livesIn('Asia/Tokyo');
  expect(show()).toMatchObject({ text: `${schedule.text} · 12 seats`, here: '4 Dec, 01:00–03:30 your time' });
});

test('a visitor with the same time sees it once', () => {
  livesIn('America/Toronto');
  expect(show().here).toBe('');
});

test("the server renders the workshop's own time, and space for the visitor's [web-115]", () => {
  livesIn('Asia/Tokyo');
  const written = renderToString(<WorkshopFacts offering={{ ...workshop, seats: null }} />);
  expect(written).toContain(schedule.text);
  expect(written).toMatch(/<p class="[^"]*min-h-lh[^"]*"><visitor-time [^>]*><\/visitor-time><\/p>/);
  const { room, here } = show({ seats: null });
  expect(room?.className).toContain('min-h-lh');
  expect(here).toBe('4 Dec, 01:00–03:30 your time');
});

test('one seat is singular, even without a date; other counts show nothing', () => {
  expect(show({ schedule: null, seats: 1 })).toMatchObject({ text: '1 seat', here: '' });
  for (const seats of [0, null]) expect(show({ schedule: null, seats }).text).toBe('');
});

test('an ended workshop shows that in place of its payment link and seats', () => {
  const ended = { ...workshop, paymentUrl: '', seats: null, schedule: { ...schedule, ended: true } };
  const { container } = render(
    <>
      <WorkshopFacts offering={ended} />
      <AccessNow offering={ended} />
    </>,
  );
  expect(screen.getByText('This workshop has ended.')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
  expect(container.textContent).not.toMatch(/seats|Sold out|pay\.example/);
});

test('a workshop without an end shows its start only', () => {
  livesIn('Asia/Tokyo');
  const open = { ...schedule, endsAt: null };
  expect(show({ schedule: open, seats: null }).here).toBe('4 Dec, 01:00 your time');
});

test('a workshop that ends on another day there shows both days', () => {
  livesIn('Asia/Tokyo');
  const long = { ...schedule, startsAt: '2030-12-03T13:00:00.000Z', endsAt: '2030-12-03T16:00:00.000Z' };
  expect(show({ schedule: long, seats: null }).here).toMatch(/^3 Dec, 22:00.–.4 Dec, 01:00 your time$/);
});
