import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Numbers } from '@stoa/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setTokenSource } from '../../api/http.ts';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi, problem, type RecordedRequest } from '../../testing/fake-api.ts';
import { makeOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import NumbersPanel from './numbers-panel.tsx';
import { scaleTop } from './views-chart.tsx';

const none = { views: 0, visitors: 0, accessClicks: 0, supportClicks: 0, downloads: 0 };
const offering = makeOffering({ id: crypto.randomUUID(), title: 'Ink' });

/** Numbers of this many days, with visits on the last one. */
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
let asked: RecordedRequest[];

const ownOfferings = () => Response.json({ items: [offering], pinnedId: null, version: 1 });
let offerings: () => Response | Promise<Response>;

beforeEach(() => {
  offerings = ownOfferings;
  asked = fakeApi(({ path, query }) => {
    if (path === '/api/me') return Response.json(makeCreator());
    if (path === '/api/me/offerings') return offerings();
    return answer(Number(query.get('days')));
  });
});
afterEach(() => queryClient.clear());

const show = () => renderAt('/dashboard', <NumbersPanel />);
const table = (name: string) => screen.findByRole('table', { name });

test('totals, days, offerings and sites are shown [web-36]', async () => {
  answer = (days) => Response.json(makeNumbers(days));
  show();
  expect((await screen.findByText('Visitors', { selector: 'dt' })).parentElement?.textContent).toContain('7');
  expect(screen.getByText('1,200')).toBeTruthy();
  const rows = within(await table('Views, visitors and clicks by day, the latest first')).getAllByRole('row');
  // Days without visits are left out.
  expect(rows).toHaveLength(1 + 1);
  expect(rows[1]?.textContent).toBe('24 Nov120074');
  // An offering that is not the creator's is left out.
  expect((await table('Top offerings')).textContent).toBe('Top offeringsOfferingViewsClicksInk3003');
  expect((await table('Where visitors came from')).textContent).toContain('example.org40');
});

test('another period can be chosen, and all of its days with visits shown', async () => {
  answer = (days) => {
    const numbers = makeNumbers(days);
    return Response.json({ ...numbers, days: numbers.days.map((day) => ({ ...day, views: 2 })) });
  };
  show();
  await userEvent.click(screen.getByRole('button', { name: '90 days' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show all 90 days with visits' }));
  const days = await table('Views, visitors and clicks by day, the latest first');
  expect(within(days).getAllByRole('row')).toHaveLength(1 + 90);
});

test("the chart has a bar of each day's views and visitors [web-37]", async () => {
  answer = (days) => Response.json(makeNumbers(days));
  show();
  await table('Top offerings');
  const bars = [...document.querySelectorAll('figure rect')].map(
    (bar) => Math.round(Number(bar.getAttribute('height')) * 10) / 10,
  );
  expect(bars).toHaveLength(2 * 30);
  // The scale ends at 1,200, and the chart is 120 high.
  expect(bars.filter((height) => height > 0)).toEqual([120, 0.7]);
});

test('the arrow keys choose a day of the chart [web-117]', async () => {
  answer = (days) => Response.json(makeNumbers(days));
  show();
  const chart = await screen.findByRole('slider', { name: 'Day' });
  expect(chart.getAttribute('aria-valuetext')).toBe('24 Nov: 1200 views, 7 visitors, 4 clicks');
  chart.focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(chart.getAttribute('aria-valuetext')).toBe('23 Nov: 0 views, 0 visitors, 0 clicks');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  expect(chart.getAttribute('aria-valuenow')).toBe('0');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}');
  expect(chart.getAttribute('aria-valuenow')).toBe('1');
  await userEvent.keyboard('{PageUp}');
  expect(chart.getAttribute('aria-valuenow')).toBe('8');
  await userEvent.keyboard('{PageDown}');
  expect(chart.getAttribute('aria-valuenow')).toBe('1');
});

test.each([
  ['stays when a finger lifts', 'touch', '3'],
  ['goes when the mouse leaves', 'mouse', '29'],
])('the chosen day of the chart %s', async (_, pointerType, index) => {
  answer = (days) => Response.json(makeNumbers(days));
  show();
  const chart = await screen.findByRole('slider', { name: 'Day' });
  chart.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect;
  // jsdom has no pointer events. React derives a leave from `pointerout`.
  const point = (type: string) =>
    fireEvent(chart, Object.assign(new MouseEvent(type, { bubbles: true, clientX: 35 }), { pointerType }));
  point('pointerdown');
  expect(chart.getAttribute('aria-valuenow')).toBe('3');
  point('pointerout');
  expect(chart.getAttribute('aria-valuenow')).toBe(index);
});

test('the ranking of offerings waits for their titles, and a failed read can be retried', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  answer = (days) => Response.json(makeNumbers(days));
  const { promise, resolve } = Promise.withResolvers<Response>();
  offerings = () => promise;
  show();
  expect(await screen.findByText('Loading your offerings...')).toBeTruthy();
  expect(screen.queryByText('No offering was opened yet.')).toBeNull();
  offerings = ownOfferings;
  resolve(problem(403, 'forbidden'));
  expect((await screen.findByText('Failed to load your offerings.')).closest('[role=alert]')).not.toBeNull();
  expect(screen.queryByText('No offering was opened yet.')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await table('Top offerings')).textContent).toContain('Ink');
});

test('each total shows the one of the period before, as long as that is listed [web-118]', async () => {
  answer = (days) => {
    const numbers = makeNumbers(days);
    return Response.json({ ...numbers, totals: { ...numbers.totals, visitors: days / 10 } });
  };
  show();
  const visitors = () => screen.getByText('Visitors', { selector: 'dt' }).parentElement?.textContent;
  await waitFor(() => expect(visitors()).toContain('3before: 3 in the 30 days before'));
  await userEvent.click(screen.getByRole('button', { name: '90 days' }));
  await waitFor(() => expect(visitors()).toBe('Visitors9'));
});

test("the chosen period's numbers are saved as CSV, and a failure is shown [web-38]", async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const saved: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:table', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  answer = (days) => Response.json(makeNumbers(days));
  show();
  await userEvent.click(screen.getByRole('button', { name: '90 days' }));
  const save = await screen.findByRole('button', { name: 'Download CSV' });
  await table('Top offerings');
  answer = (days) => new Response(`Day\r\n${days}`);
  await userEvent.click(save);
  await waitFor(() => expect(saved).toEqual(['stoa-numbers-90-days.csv']));
  answer = () => problem(503, 'unavailable');
  await userEvent.click(save);
  expect((await screen.findByRole('alert')).textContent).toMatch(/\S/);
});

test('the CSV request has a token, retries with a new one, and reports an ended session', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const renewed = ['new', undefined];
  setTokenSource({ token: async () => 'old', renew: async () => renewed.shift() });
  answer = (days) => Response.json(makeNumbers(days));
  show();
  const save = await screen.findByRole('button', { name: 'Download CSV' });
  await table('Top offerings');
  answer = () => problem(401, 'unauthenticated');
  await userEvent.click(save);
  await screen.findByText('Your session has ended. Log in again, then download the table.');
  await userEvent.click(save);
  await waitFor(() => expect(renewed).toEqual([]));
  const tokens = asked
    .filter(({ path }) => path.endsWith('.csv'))
    .map(({ headers }) => headers.get('authorization'));
  expect(tokens).toEqual(['Bearer old', 'Bearer new', 'Bearer old']);
  setTokenSource(undefined);
});

test('without visits the panel suggests what to do', async () => {
  answer = () => Response.json(noVisits);
  show();
  expect(await screen.findByText('No visits yet. Share your page.')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Copy link' })).toBeTruthy();
});

test('numbers that cannot be read can be retried', async () => {
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
