import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { makeOffering } from '../../testing/offerings.ts';
import { renderAt } from '../../testing/render.tsx';
import { ToastProvider } from '../../ui/overlays/toast.tsx';
import AddOfferingPage from './add-offering-page.tsx';
import EditOfferingPage from './edit-offering-page.tsx';
import { changesOf, checkChanges, isSavedIn, valuesOf } from './offering-form.ts';
import OfferingsPanel from './list/offerings-panel.tsx';

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

const workshop = makeOffering({
  ...{ title: 'Linocut', type: 'Workshop', slug: 'linocut' },
  coverImage: { id: 'p', path: 'covers/a', widths: [320], width: 320, height: 240, color: '#aabbcc' },
  seats: 12,
  schedule: {
    startsAt: '2030-12-03T16:00:00.000Z',
    endsAt: '2030-12-03T18:30:00.000Z',
    timeZone: 'Africa/Johannesburg',
    ended: false,
    text: 'Tuesday, 3 December 2030, 18:00–20:30 (Africa/Johannesburg)',
  },
});

const group = () => within(screen.getByRole('group', { name: 'Date and seats' }));
const labelled = (name: RegExp) => group().getByLabelText<HTMLInputElement>(name);

test('a workshop in a time zone unknown to the browser is shown and saved in UTC', () => {
  const schedule = { ...workshop.schedule!, timeZone: 'Antarctica/Newer' };
  const values = valuesOf({ ...workshop, schedule });
  expect(values).toMatchObject({
    workshop: { start: '2030-12-03T16:00', end: '2030-12-03T18:30', timeZone: 'UTC' },
  });
});

test("only a workshop has fields for date and seats, in the browser's time zone", async () => {
  fakeApi(() => Response.error());
  renderAt('/dashboard/add-offering', <AddOfferingPage />);
  expect(screen.queryByRole('group', { name: 'Date and seats' })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText(/^Type/), 'Workshop');
  expect(labelled(/Time zone/).value).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect([/Start/, /End/, /Seats left/].map((name) => labelled(name).value)).toEqual(['', '', '']);
  expect(labelled(/Start/).required).toBe(false);
});

test("the editor shows the date in the workshop's zone, and sends the typed values [web-55]", async () => {
  const asked = fakeApi(({ method }) => Response.json({ ...workshop, version: method === 'PUT' ? 4 : 3 }));
  renderAt('/dashboard/edit-offering/x', <EditOfferingPage />);
  await screen.findByRole('group', { name: 'Date and seats' });
  expect(labelled(/Start/).value).toBe('2030-12-03T18:00');
  expect(labelled(/End/).value).toBe('2030-12-03T20:30');
  expect(labelled(/Time zone/).value).toBe('Africa/Johannesburg');
  await userEvent.selectOptions(labelled(/Time zone/), 'Asia/Tokyo');
  await userEvent.clear(labelled(/Seats left/));
  await userEvent.type(labelled(/Seats left/), '0');
  expect(group().getByText('Visitors read that it is sold out.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Offering updated successfully!');
  const [saved] = asked.filter(({ method }) => method === 'PUT');
  expect(saved?.body).toMatchObject({
    schedule: { start: '2030-12-03T18:00', end: '2030-12-03T20:30', timeZone: 'Asia/Tokyo' },
    seats: 0,
  });
});

test('a past date shows a notice while it is typed, and may be saved', async () => {
  const past = { ...workshop.schedule!, startsAt: '2020-01-01T10:00:00.000Z', endsAt: null, ended: true };
  fakeApi(() => Response.json({ ...workshop, schedule: past }));
  renderAt('/dashboard/edit-offering/x', <EditOfferingPage />);
  await screen.findByRole('group', { name: 'Date and seats' });
  expect(group().getByRole('status').textContent).toMatch(/over: visitors read that the workshop has ended/);
  const values = valuesOf({ ...workshop, schedule: past });
  expect(checkChanges(values, values)).toEqual({});
});

const edited = (changes: object) => {
  const opened = valuesOf(workshop);
  return checkChanges({ ...opened, workshop: { ...opened.workshop, ...changes } }, opened);
};

test.each([
  [{ start: '' }, { 'schedule.start': 'Enter a date and a time.' }],
  [{ end: '2030-12-03T18:00' }, { 'schedule.end': 'The end comes after the start.' }],
  [
    { start: '2027-03-28T02:30', end: '', timeZone: 'Europe/Berlin' },
    { 'schedule.start': expect.stringContaining('clocks skip it') },
  ],
  [{ seats: 'many' }, { seats: 'Enter a whole number up to 10,000.' }],
  [{ seats: '-1' }, { seats: 'Enter a whole number up to 10,000.' }],
  [{ start: '', end: '', seats: '' }, {}],
])('%j returns the errors of its fields', (changes, errors) => {
  expect(edited(changes)).toEqual(errors);
});

test('another type is sent without date and seats, and saved values equal the stored ones', () => {
  const opened = valuesOf(workshop);
  expect(changesOf({ ...opened, type: 'Course' })).toMatchObject({ schedule: null, seats: null });
  expect(isSavedIn(workshop, opened)).toBe(true);
  expect(isSavedIn({ ...workshop, seats: 11 }, opened)).toBe(false);
  expect(isSavedIn({ ...workshop, schedule: null }, opened)).toBe(false);
});

test("the dashboard shows the date in the workshop's zone, the seats and the end", async () => {
  const ended = { ...workshop.schedule!, ended: true };
  const over = { ...workshop, id: 'over', title: 'Over', schedule: ended, seats: null };
  fakeApi(({ path }) =>
    Response.json(
      path === '/api/me/numbers' ? { offerings: [] } : { items: [workshop, over], pinnedId: null },
    ),
  );
  renderAt('/dashboard', <OfferingsPanel />);
  const [first, second] = await screen.findAllByRole('article');
  expect(first!.textContent).toMatch(/3 December 2030, 18:00–20:30 \(Africa\/Johannesburg\) · 12 seats left/);
  expect(within(first!).queryByText('Ended')).toBeNull();
  expect(within(second!).getByText('Ended')).toBeTruthy();
  expect(second!.textContent).not.toContain('seats');
});

test('the announcement of a duplicate mentions the missing date [web-56]', async () => {
  const copy = {
    ...workshop,
    id: 'copy',
    title: 'Linocut (copy)',
    schedule: null,
    seats: null,
    state: 'draft',
    coverImage: null,
  };
  fakeApi(({ method, path }) => {
    if (path === '/api/me/numbers') return Response.json({ offerings: [] });
    return Response.json(method === 'POST' ? copy : { items: [workshop], pinnedId: null });
  });
  renderAt(
    '/dashboard',
    <ToastProvider>
      <OfferingsPanel />
    </ToastProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'More for Linocut' }));
  await userEvent.click(screen.getByRole('button', { name: 'Duplicate Linocut' }));
  expect(await screen.findByText('Duplicated as a draft. Add a date and a cover image.')).toBeTruthy();
});
