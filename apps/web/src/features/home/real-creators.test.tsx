import type { CreatorCard } from '@stoa/contracts';
import { screen } from '@testing-library/react';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { RealCreators } from './real-creators.tsx';

beforeEach(() => queryClient.clear());

const creators = ['ama', 'ben', 'cleo', 'dan', 'eve'].map((username): CreatorCard => ({
  uid: crypto.randomUUID(),
  username,
  displayName: username,
  bioPreview: '',
  profileImage: null,
  niches: [],
  offeringCount: 2,
}));

test('the first four creators are shown with links to their profiles [web-33]', async () => {
  fakeApi(() => Response.json({ items: creators, nextCursor: null, total: 5 }));
  renderAt('/', <RealCreators />);
  await screen.findByText('dan');
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: /^View Profile/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['ama', 'ben', 'cleo', 'dan'].map((name) => `/profile/${name}`),
  );
});

test('a failed read renders nothing', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const refused = Promise.withResolvers<undefined>();
  fakeApi(() => {
    refused.resolve(undefined);
    return problem(400, 'invalid_input');
  });
  const { container } = renderAt('/', <RealCreators />);
  await refused.promise;
  expect(container.textContent).toBe('');
});
