import type { Creator } from '@stoa/contracts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { makeCreator } from '../../testing/creators.ts';
import { type RecordedRequest, fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { ProfileEditor } from './profile-editor.tsx';

const opened = makeCreator({
  username: 'ama',
  displayName: 'Ama',
  bio: 'Before.',
  contactBy: 'form',
  version: 4,
});

/** A gateway that stores the profile `stored` and accepts only edits of its version. */
function gatewayWith(stored: Creator): RecordedRequest[] {
  let current = stored;
  return fakeApi(({ method, path, headers, body }) => {
    if (path === '/api/me/offerings') return Response.json({ items: [], pinnedId: null, version: 1 });
    if (method === 'GET') return Response.json(current);
    if (headers.get('if-match') !== `"${current.version}"`) return problem(412, 'precondition_failed');
    current = { ...current, ...(body as object), version: current.version + 1 };
    return Response.json(current);
  });
}

async function editAfter(stored: Creator) {
  const asked = gatewayWith(stored);
  renderAt('/dashboard/edit-profile', <ProfileEditor creator={opened} />);
  const bio = screen.getByLabelText<HTMLTextAreaElement>(/Bio/);
  await userEvent.clear(bio);
  await userEvent.type(bio, 'Mine.');
  await userEvent.click(screen.getByRole('button', { name: 'Save Profile' }));
  const saved = () => asked.filter(({ method }) => method === 'PUT');
  return { bio, saved };
}

const theirs = { ...opened, bio: 'Theirs.', version: 5 };

test('a save sends the version that it is based on (If-Match)', async () => {
  const { saved } = await editAfter(opened);
  expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
  expect(saved().map(({ headers }) => headers.get('if-match'))).toEqual(['"4"']);
});

test('the second of two edits shows the conflict and keeps its input [web-57]', async () => {
  const { bio } = await editAfter(theirs);
  expect(await screen.findByText(/changed in another tab or on another device/)).toBeTruthy();
  expect(bio.value).toBe('Mine.');
  const choices = await screen.findByRole('group', { name: /changed in another tab/ });
  expect(document.activeElement).toBe(choices);
  expect(
    screen
      .getAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join(''),
  ).toBe('');
  expect(screen.queryByRole('button', { name: 'Save Profile' })).toBeNull();
  const look = await screen.findByRole('link', { name: /See what is saved/ });
  expect([look.getAttribute('href'), look.getAttribute('target')]).toEqual([
    '/dashboard/edit-profile',
    '_blank',
  ]);
});

test('the second of two edits can overwrite the first', async () => {
  const { saved } = await editAfter(theirs);
  await userEvent.click(await screen.findByRole('button', { name: 'Overwrite it with mine' }));
  expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
  expect(saved().map(({ headers }) => headers.get('if-match'))).toEqual(['"4"', '"5"']);
  expect(saved().at(-1)?.body).toMatchObject({ bio: 'Mine.' });
});

test('the second of two edits can load the first and continue from it', async () => {
  const { bio, saved } = await editAfter(theirs);
  await userEvent.click(await screen.findByRole('button', { name: /take over what is saved/ }));
  expect(bio.value).toBe('Theirs.');
  expect(screen.queryByText(/changed in another tab/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save Profile' }));
  await userEvent.type(bio, ' And mine.');
  await userEvent.click(screen.getByRole('button', { name: 'Save Profile' }));
  expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
  expect(saved().at(-1)?.headers.get('if-match')).toBe('"5"');
});

test('after taking over the first edit, Discard returns to it', async () => {
  const { bio, saved } = await editAfter(theirs);
  await userEvent.click(await screen.findByRole('button', { name: /take over what is saved/ }));
  await userEvent.type(bio, ' And mine.');
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await userEvent.click(screen.getByRole('button', { name: 'Discard Changes' }));
  expect(bio.value).toBe('Theirs.');
  await userEvent.type(bio, ' Anew.');
  await userEvent.click(screen.getByRole('button', { name: 'Save Profile' }));
  expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
  expect(saved().at(-1)?.body).toMatchObject({ bio: 'Theirs. Anew.' });
});

test('a change outside the form is not a conflict', async () => {
  const { saved } = await editAfter({ ...opened, emailVerified: false, version: 5 });
  expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
  expect(saved().map(({ headers }) => headers.get('if-match'))).toEqual(['"4"', '"5"']);
});

test('a retry of a save whose answer was lost is not a conflict', async () => {
  await editAfter({ ...opened, bio: 'Mine.', version: 5 });
  expect(await screen.findByText('Profile updated successfully!')).toBeTruthy();
});

test('a draft restored after a log-in is compared with the version it is based on', async () => {
  // Typed into version 4 when the session ended. Another tab saved version 5, which was opened after the
  // log-in.
  sessionStorage.setItem(`stoa.draft.profile.${opened.uid}`, JSON.stringify({ bio: 'Mine.', version: 4 }));
  const asked = gatewayWith(theirs);
  renderAt('/dashboard/edit-profile', <ProfileEditor creator={theirs} />);
  await userEvent.click(screen.getByRole('button', { name: 'Save Profile' }));
  expect(await screen.findByRole('button', { name: 'Overwrite it with mine' })).toBeTruthy();
  expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('a conflict with a saved link that the form refuses can be overwritten', async () => {
  const links = { ...opened.socialLinks, youtube: 'https://example.com/me' };
  await editAfter({ ...theirs, socialLinks: links });
  expect(await screen.findByRole('button', { name: 'Overwrite it with mine' })).toBeTruthy();
});
