import type { Creator } from '@stoa/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { DisplayName } from './display-name.tsx';

const opened = makeCreator({ displayName: 'Ama', bio: 'Before.', niches: ['Poet'], version: 4 });

beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue();
});

const row = () => screen.getByRole('button', { name: 'What You Are Called' });

/** Types another name and saves it. `stored` is the stored profile at that time. */
async function rename(stored: Creator, to = 'Ama Mensah', answer?: () => Response | Promise<Response>) {
  const asked = fakeApi(({ method, body }) => {
    if (method === 'GET') return Response.json(stored);
    return answer?.() ?? Response.json({ ...stored, ...(body as object), version: stored.version + 1 });
  });
  renderAt('/dashboard/account', <DisplayName creator={opened} />);
  await userEvent.click(row());
  const field = screen.getByLabelText<HTMLInputElement>(/Display Name/);
  await userEvent.clear(field);
  await userEvent.type(field, to);
  await userEvent.click(screen.getByRole('button', { name: 'Save Name' }));
  return { field, puts: () => asked.filter(({ method }) => method === 'PUT') };
}

test('saving the name keeps the rest of the stored profile (If-Match) [web-9]', async () => {
  const { puts } = await rename({ ...opened, bio: 'From another tab.', version: 7 });
  expect(await screen.findByText('Your display name has been changed.')).toBeTruthy();
  expect(puts().map(({ path, headers }) => [path, headers.get('if-match')])).toEqual([
    ['/api/me/profile', '"7"'],
  ]);
  const { bio, paygates, socialLinks, niches } = { ...opened, bio: 'From another tab.' };
  expect(puts()[0]?.body).toEqual({ displayName: 'Ama Mensah', bio, paygates, socialLinks, niches });
});

test('a name changed in another tab is shown first, and the typed name stays', async () => {
  const { field, puts } = await rename({ ...opened, displayName: 'Ama Owusu', version: 5 });
  expect(await screen.findByText(/changed in another tab or on another device/)).toBeTruthy();
  expect(field.value).toBe('Ama Mensah');
  expect(puts()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save Name' }));
  expect(await screen.findByText('Your display name has been changed.')).toBeTruthy();
});

test('an empty name is refused at its field, and nothing is sent', async () => {
  const { field, puts } = await rename(opened, ' ');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(puts()).toEqual([]);
});

test('a failed save shows an error and keeps the typed name', async () => {
  const { field } = await rename(opened, 'Ama Mensah', () => problem(503, 'unavailable'));
  expect(await screen.findByText('Failed to change your display name. Please try again.')).toBeTruthy();
  expect(field.value).toBe('Ama Mensah');
});

test('a refusal of another profile field names the page that fixes it', async () => {
  const errors = [{ field: 'socialLinks.youtube', message: 'Enter a link to YouTube.' }];
  await rename(opened, 'Ama Mensah', () => problem(400, 'invalid_input', errors));
  expect((await screen.findAllByText(/has to be changed first/)).length).toBeGreaterThan(0);
});

test('a closed row shows a name that is not saved, and opens when its save fails', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await rename(opened, 'Ama Mensah', () => promise);
  expect(screen.getByRole('heading', { level: 2, name: 'What You Are Called' })).toBeTruthy();
  await userEvent.click(row());
  expect(row().getAttribute('aria-expanded')).toBe('false');
  expect(screen.getByText('Ama Mensah (not saved)')).toBeTruthy();
  resolve(problem(503, 'unavailable'));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await waitFor(() => expect(row().getAttribute('aria-expanded')).toBe('true'));
});
