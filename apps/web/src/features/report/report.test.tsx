import { guidelineLabels } from '@stoa/contracts/choices';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { beforeEach, expect, test } from '@jest/globals';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import ReportPage from './report-page.tsx';
import { reportedPage } from './reported-page.ts';

beforeEach(() => sessionStorage.clear());

const openReport = () => renderAt('/report?page=/profile/ada/twelve-letters', <ReportPage />);
const choose = () =>
  userEvent.selectOptions(screen.getByLabelText(/^Which guideline/), guidelineLabels.misleading);
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send Report' }));

test('a report sends page, guideline and text, and shows thanks [web-81]', async () => {
  const asked = fakeApi(() => Response.json({ id: 'x' }, { status: 202 }));
  openReport();
  await choose();
  await userEvent.type(screen.getByLabelText('What is wrong?'), ' Nothing came. ');
  const regions = screen.getAllByRole('status');
  await send();
  // The region existed before its text. Otherwise screen readers would ignore it.
  expect(regions).toContain((await screen.findByText(/^Thank you\./)).closest('[role=status]'));
  const body = { username: 'ada', slug: 'twelve-letters', reason: 'misleading', text: 'Nothing came.' };
  expect(asked).toMatchObject([{ method: 'POST', path: '/api/reports', body }]);
});

test('a report counts characters as people do, and one that is too long is not sent', async () => {
  const asked = fakeApi(() => Response.json({ id: 'x' }, { status: 202 }));
  openReport();
  await choose();
  const words = screen.getByLabelText('What is wrong?');
  await userEvent.click(words);
  await userEvent.paste('😀'.repeat(1001));
  expect(await screen.findByText('1001 / 1000 characters')).toBeTruthy();
  await send();
  expect((await screen.findAllByText('Must be at most 1000 characters.')).length).toBeGreaterThan(0);
  expect(asked).toEqual([]);
  await userEvent.clear(words);
  await userEvent.paste('😀'.repeat(1000));
  const regions = screen.getAllByRole('status');
  await send();
  // The region existed before its text. Otherwise screen readers would ignore it.
  expect(regions).toContain((await screen.findByText(/^Thank you\./)).closest('[role=status]'));
});

test('a report without a guideline is not sent', async () => {
  const asked = fakeApi(() => Response.json({}));
  openReport();
  await send();
  expect((await screen.findAllByText('Choose what it goes against.')).length).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

test('a failed report keeps its text, and a retry has the same id', async () => {
  const answers = [problem(503, 'unavailable'), Response.json({ id: 'x' }, { status: 202 })];
  const asked = fakeApi(() => answers.shift()!);
  openReport();
  await choose();
  await send();
  expect(await screen.findByText(/The report could not be sent/)).toBeTruthy();
  await send();
  await screen.findByText(/^Thank you\./);
  const [first, second] = asked.map(({ body }) => (body as { id: string }).id);
  expect(first).toBe(second);
});

test('a report of another page has its own form and id', async () => {
  const asked = fakeApi(() => Response.json({ id: 'x' }, { status: 202 }));
  renderAt(
    '/report?page=/profile/ada',
    <>
      <Link to="/report?page=/profile/kofi">Kofi</Link>
      <ReportPage />
    </>,
  );
  await choose();
  await send();
  await screen.findByText(/^Thank you\./);
  await userEvent.click(screen.getByText('Kofi'));
  await choose();
  await send();
  await screen.findByText(/^Thank you\./);
  const bodies = asked.map(({ body }) => body as { id: string; username: string });
  expect(bodies.map(({ username }) => username)).toEqual(['ada', 'kofi']);
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(2);
});

test.each([
  [404, 'not_found', 'This page is not there any more, so there is nothing left to report.'],
  [429, 'rate_limited', 'You have sent several reports within the hour. Please try again later.'],
])('a report refused with %i shows the reason', async (status, code, words) => {
  fakeApi(() => problem(status, code));
  openReport();
  await choose();
  await send();
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a refused text shows its error at the field', async () => {
  const message = 'This text is too long.';
  fakeApi(() => problem(400, 'invalid_input', [{ field: 'text', message }]));
  openReport();
  await choose();
  await send();
  expect(await screen.findByText(/^The report was not sent\./)).toBeTruthy();
  const words = screen.getByRole('textbox', { name: 'What is wrong?', description: new RegExp(message) });
  expect(document.activeElement).toBe(words);
  expect(screen.queryByText(/Please try again/)).toBeNull();
});

test('a refused page shows an error that mentions no marked field', async () => {
  const message = 'Must be 3 to 30 characters.';
  fakeApi(() => problem(400, 'invalid_input', [{ field: 'username', message }]));
  openReport();
  await choose();
  await send();
  expect(await screen.findByText('The report could not be sent. Please try again.')).toBeTruthy();
  expect(screen.queryByText(/what is marked/)).toBeNull();
});

test('only addresses of profiles and offerings can be reported', () => {
  renderAt('/report?page=/browse-creators', <ReportPage />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('There is no such page to report.');
  expect(reportedPage('/profile')).toBeUndefined();
  expect(reportedPage('https://elsewhere.example/profile/ada')).toBeUndefined();
  expect(reportedPage('/profile/ada')).toEqual({ username: 'ada' });
});

test('a failed report returns after a reload, for its page only [web-82]', async () => {
  fakeApi(() => problem(503, 'unavailable'));
  openReport();
  await choose();
  await userEvent.type(screen.getByLabelText('What is wrong?'), 'Nothing came.');
  await send();
  await screen.findByText(/The report could not be sent/);
  const kept = Object.entries(sessionStorage) as [string, string][];
  cleanup();
  for (const [key, value] of kept) sessionStorage.setItem(key, value);

  renderAt('/report?page=/profile/ada', <ReportPage />);
  expect(screen.getByLabelText<HTMLTextAreaElement>('What is wrong?').value).toBe('');
  cleanup();
  openReport();
  expect(screen.getByLabelText<HTMLTextAreaElement>('What is wrong?').value).toBe('Nothing came.');
  expect(screen.getByLabelText<HTMLSelectElement>(/^Which guideline/).value).toBe('misleading');
  expect(screen.getByText('What you typed before is here again. It is not sent yet.')).toBeTruthy();
});
