import type { Takedown } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { saveDraftsAndLeave } from '../../browser/drafts.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt, withText } from '../../testing/render.tsx';
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

test('the dashboard shows what is hidden and why, and accepts an appeal [web-24]', async () => {
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
  ['still has the old state', () => Response.json({ items: [takedown] })],
] as const)('an accepted appeal is shown even while the list %s', async (_, list) => {
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

test('an empty appeal shows an error and sends nothing', async () => {
  const asked = shown(takedown);
  await userEvent.type(await words(), '   ');
  await userEvent.click(screen.getByRole('button', { name: 'Appeal' }));
  expect((await words()).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(await words());
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a pasted appeal is not cut off, and an excess length is shown', async () => {
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

test('a failed appeal keeps its text, also over a log-in', async () => {
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
] as const)('an item that is %s cannot be appealed again [web-25]', async (status, words) => {
  shown({ ...takedown, status, offering: null, answer: 'It still asks.' });
  expect(await screen.findByText(withText(words))).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Your profile' })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('without hidden items the panel is empty', async () => {
  const asked = shown();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
});
