import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { ProofNotice } from './proof-notice.tsx';

beforeEach(() => queryClient.clear());

function showTo(me: { emailVerified: boolean; published: boolean; isPublic: boolean }) {
  fakeApi(({ path }) =>
    Response.json(path === '/api/me' ? { email: 'ada@example.test', ...me } : { count: 0 }),
  );
  renderAt('/dashboard', <ProofNotice />);
}

test('a public profile with an unconfirmed address shows that only mail waits', async () => {
  showTo({ emailVerified: false, published: true, isPublic: true });
  expect(await screen.findByText(/until then it gets no other mail from us\.$/)).toBeTruthy();
});

test('an unsaved profile shows that only mail waits', async () => {
  showTo({ emailVerified: false, published: false, isPublic: false });
  expect(await screen.findByText(/until then it gets no other mail from us\.$/)).toBeTruthy();
});

test('a profile that is not public shows that publishing waits too', async () => {
  showTo({ emailVerified: false, published: true, isPublic: false });
  expect(
    await screen.findByText(/, and nobody but you sees your profile and your offerings\.$/),
  ).toBeTruthy();
});
