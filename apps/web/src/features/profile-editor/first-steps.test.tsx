import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, makeCreator, renderAt } from '../../testing.tsx';
import ProfileEditorPage from './profile-editor-page.tsx';

beforeEach(() => queryClient.clear());

function open(published: boolean) {
  const me = makeCreator({ username: 'ama', published, isPublic: published });
  fakeApi(({ path }) => Response.json(path === '/api/me' ? me : { items: [], pinnedId: null, version: 1 }));
  renderAt('/create-profile', <ProfileEditorPage />);
}

test('a new creator is shown the address that stays, then led on to the form', async () => {
  open(false);
  expect(await screen.findByText('Step 1 of 3: Your address')).toBeTruthy();
  expect(screen.getByText('@ama')).toBeTruthy();
  expect(screen.getByText(/cannot\s+be changed/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Skip for now' }).getAttribute('href')).toBe('/dashboard');
  // What is typed before one goes on is kept.
  await userEvent.type(screen.getByLabelText(/Bio/), 'Poems.');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(document.activeElement?.textContent).toBe('Step 2 of 3: You');
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Bio/).value).toBe('Poems.');
  expect(screen.getByRole('link', { name: 'Skip for now' }).getAttribute('href')).toBe('/dashboard');
});

test('a creator whose profile is saved edits it without steps', async () => {
  open(true);
  expect(await screen.findByLabelText(/Bio/)).toBeTruthy();
  expect(screen.queryByText(/Step \d of 3/)).toBeNull();
});
