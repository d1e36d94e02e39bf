import type { Takedown } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { saveDraftsAndLeave } from '../../browser/drafts.ts';
import { fakeApi, problem, renderAt } from '../../testing.tsx';
import { Takedowns } from './takedowns.tsx';

beforeEach(() => queryClient.clear());

const takedown: Takedown = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  offering: { id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a12', slug: 'letters', title: 'Twelve letters' },
  status: 'hidden',
  reason: 'fraud',
  text: 'It asks for passwords.',
  hiddenAt: '2026-11-20T10:00:00.000Z',
  answer: '',
};
const shown = (...items: Takedown[]) => {
  const asked = fakeApi(({ method }) =>
    method === 'GET' ? Response.json({ items }) : Response.json({ ...takedown, status: 'appealed' }),
  );
  renderAt('/dashboard', <Takedowns />);
  return asked;
};

test('what is hidden stands on the dashboard with guideline and words, and is appealed', async () => {
  const asked = shown(takedown);
  expect(await screen.findByRole('heading', { name: 'Twelve letters' })).toBeTruthy();
  expect(screen.getByText(/^No malware, no phishing/)).toBeTruthy();
  expect(screen.getByText('It asks for passwords.')).toBeTruthy();
  await userEvent.type(screen.getByLabelText(/^Why should it be shown again/), ' It is my shop. ');
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  expect(asked.find(({ method }) => method === 'POST')).toMatchObject({
    path: `/api/me/takedowns/${takedown.id}/appeal`,
    body: { text: 'It is my shop.' },
  });
});

test.each([
  ['cannot be read', () => problem(503, 'unavailable')],
  ['is not yet told to all', () => Response.json({ items: [takedown] })],
] as const)('an appeal that was taken is said also while the list %s', async (_, list) => {
  jest.spyOn(console, 'error').mockReturnValue();
  let appealed = false;
  fakeApi(({ method }) => {
    if (method === 'GET') return appealed ? list() : Response.json({ items: [takedown] });
    appealed = true;
    return Response.json({ ...takedown, status: 'appealed' });
  });
  renderAt('/dashboard', <Takedowns />);
  await userEvent.type(await words(), 'It is my shop.');
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  expect(await screen.findByText(/^You have appealed/)).toBeTruthy();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.getByText(/^You have appealed/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

const words = () => screen.findByLabelText<HTMLTextAreaElement>(/^Why should it be shown again/);

test('an appeal without words says what is missing, and sends nothing', async () => {
  const asked = shown(takedown);
  await userEvent.type(await words(), '   ');
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  expect((await words()).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(await words());
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('of an appeal that is pasted nothing is cut off, and it says how much is too much', async () => {
  const asked = shown(takedown);
  const long = 'x'.repeat(limits.appealLength + 7);
  await userEvent.click(await words());
  await userEvent.paste(long);
  expect((await words()).value).toBe(long);
  expect(screen.getByText('2007 / 2000 characters')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  expect((await words()).getAttribute('aria-invalid')).toBe('true');
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('an appeal of a pasted megabyte is refused without being counted', async () => {
  shown(takedown);
  fireEvent.change(await words(), { target: { value: 'x'.repeat(1_000_000) } });
  const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  expect((await words()).getAttribute('aria-invalid')).toBe('true');
  expect(segment.mock.calls.filter(([text]) => text.length > 20_000)).toEqual([]);
});

test('an appeal that failed keeps its words, also over a log-in', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(({ method }) =>
    method === 'GET' ? Response.json({ items: [takedown] }) : problem(401, 'unauthenticated'),
  );
  const { unmount } = renderAt('/dashboard', <Takedowns />);
  await userEvent.type(await words(), 'It is my shop.');
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  await screen.findAllByText('Your session has ended. Log in again, then appeal.');
  expect((await words()).value).toBe('It is my shop.');
  saveDraftsAndLeave();
  unmount();
  shown(takedown);
  expect((await words()).value).toBe('It is my shop.');
});

test.each([
  ['appealed', 'You have appealed. Somebody looks at it again and writes to you.'],
  ['upheld', 'We have looked at it again, and it stays hidden. It still asks.'],
] as const)('one that is %s cannot be appealed again', async (status, words) => {
  shown({ ...takedown, status, offering: null, answer: 'It still asks.' });
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Your profile' })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('without anything hidden there is nothing to see', async () => {
  const asked = shown();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
});
