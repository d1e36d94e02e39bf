import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Numbers } from '@stoa/contracts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, makeCreator, problem, renderAt } from '../../testing.tsx';
import NumbersPanel from './numbers-panel.tsx';
import { scaleTop } from './views-chart.tsx';

const none = { views: 0, visitors: 0, accessClicks: 0, supportClicks: 0, downloads: 0 };
const offering = { id: crypto.randomUUID(), title: 'Ink' };

/** Numbers of so many days, of which the last one had visits. */
function makeNumbers(days: number): Numbers {
  const today = { ...none, views: 1200, visitors: 7, accessClicks: 3, supportClicks: 1 };
  return {
    days: Array.from({ length: days }, (_, index) => ({
      day: new Date(Date.UTC(2026, 10, 24 - (days - 1 - index))).toISOString().slice(0, 10),
      ...(index === days - 1 ? today : none),
    })),
    totals: today,
    profileViews: 900,
    offerings: [
      { offeringId: crypto.randomUUID(), views: 999, accessClicks: 0, downloads: 0 },
      { offeringId: offering.id, views: 300, accessClicks: 3, downloads: 0 },
    ],
    referrers: [{ host: 'example.org', views: 40 }],
  };
}

const noVisits = { ...makeNumbers(30), totals: none, offerings: [], referrers: [] };
let answer: (days: number) => Response;

beforeEach(() => {
  fakeApi(({ path, query }) =>
    path === '/api/me' ? Response.json(makeCreator()) : answer(Number(query.get('days'))),
  );
});
afterEach(() => queryClient.clear());

const show = () => renderAt('/dashboard', <NumbersPanel offerings={[offering]} />);
const table = (name: string) => screen.findByRole('table', { name });

test('totals, days, offerings and sites are shown', async () => {
  answer = (days) => Response.json(makeNumbers(days));
  show();
  expect((await screen.findByText('Visitors', { selector: 'dt' })).parentElement?.textContent).toContain('7');
  expect(screen.getByText('1,200')).toBeTruthy();
  const rows = within(await table('Views, visitors and clicks by day, the latest first')).getAllByRole('row');
  expect(rows).toHaveLength(1 + 7);
  expect(rows[1]?.textContent).toBe('24 Nov120074');
  // One that is not theirs was made up by somebody.
  expect((await table('Top offerings')).textContent).toBe('Top offeringsOfferingViewsClicksInk3003');
  expect((await table('Where visitors came from')).textContent).toContain('example.org40');
});

test('another time is asked for, and all of its days can be shown', async () => {
  answer = (days) => Response.json(makeNumbers(days));
  show();
  await userEvent.click(screen.getByRole('button', { name: '90 days' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show all 90 days' }));
  const days = await table('Views, visitors and clicks by day, the latest first');
  expect(within(days).getAllByRole('row')).toHaveLength(1 + 90);
});

test('without visits the panel says what to do', async () => {
  answer = () => Response.json(noVisits);
  show();
  expect(await screen.findByText('No visits yet. Share your page.')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Copy link' })).toBeTruthy();
});

test('numbers that cannot be read can be asked for again', async () => {
  answer = () => problem(403, 'forbidden');
  show();
  await screen.findByText('Failed to load your numbers.');
  answer = (days) => Response.json(makeNumbers(days));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1,200')).toBeTruthy();
});

test.each([
  [1, 2],
  [7, 8],
  [10, 10],
  [99, 100],
  [1234, 1400],
])('the scale of %i ends at %i', (most, top) => expect(scaleTop(most)).toBe(top));
