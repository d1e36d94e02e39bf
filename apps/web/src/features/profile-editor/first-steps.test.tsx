import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import ProfileEditorPage from './profile-editor-page.tsx';

beforeEach(() => queryClient.clear());

function open(published: boolean) {
  const me = makeCreator({ username: 'ama', published, isPublic: published });
  fakeApi(({ path }) => Response.json(path === '/api/me' ? me : { items: [], pinnedId: null, version: 1 }));
  renderAt('/create-profile', <ProfileEditorPage />);
}

test('a new creator sees their permanent address, then the form [web-58]', async () => {
  open(false);
  expect(await screen.findByText('Step 1 of 3: Your address')).toBeTruthy();
  expect(screen.getByText('@ama')).toBeTruthy();
  expect(screen.getByText(/cannot\s+be changed/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Skip for now' }).getAttribute('href')).toBe('/dashboard');
  // Text typed before the next step stays.
  await userEvent.type(screen.getByLabelText(/Bio/), 'Poems.');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(document.activeElement?.textContent).toBe('Step 2 of 3: You');
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Bio/).value).toBe('Poems.');
  expect(screen.getByRole('link', { name: 'Skip for now' }).getAttribute('href')).toBe('/dashboard');
});

test('a creator with a saved profile sees no steps', async () => {
  open(true);
  expect(await screen.findByLabelText(/Bio/)).toBeTruthy();
  expect(screen.queryByText(/Step \d of 3/)).toBeNull();
});
