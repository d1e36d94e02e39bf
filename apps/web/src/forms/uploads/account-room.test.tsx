import { screen } from '@testing-library/react';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { render } from '../../testing/render.tsx';
import { AccountRoom } from './account-room.tsx';

const gigabytes = (count: number) => count * 1024 ** 3;

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

test.each([
  [10, 'Your files and pictures use 2.0 GB of 10 GB.'],
  [4, 'Your files and pictures use 2.0 GB of 4.0 GB. Confirm your email address to get 10 GB.'],
])('shows the used share of %i GB', async (limit, words) => {
  const room = { usedBytes: gigabytes(2), limitBytes: gigabytes(limit), provedLimitBytes: gigabytes(10) };
  const asked = fakeApi(() => Response.json(room));
  render(<AccountRoom />);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(asked.map(({ path }) => path)).toEqual(['/api/me/room']);
});
