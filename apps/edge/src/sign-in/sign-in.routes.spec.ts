import { usernameRefusal } from '@stoa/contracts';
import { expect, it } from '@jest/globals';
import { signInRoutes } from './sign-in.routes.ts';

it('reserves the first path segment of every sign-in route as a username', () => {
  const words = signInRoutes('stoa').map(({ url }) => url.split('/')[1]);
  expect(words).toContain('realms');
  expect(words.filter((word) => usernameRefusal(String(word)) !== 'reserved')).toEqual([]);
});
