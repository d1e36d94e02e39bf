import { ruledOut } from '@stoa/contracts';
import { expect, it } from '@jest/globals';
import { signInRoutes } from './sign-in.routes.ts';

it('reserves the first word of every address of the sign-in host as a username', () => {
  const words = signInRoutes('stoa').map(({ url }) => url.split('/')[1]);
  expect(words).toContain('realms');
  expect(words.filter((word) => ruledOut(String(word)) !== 'reserved')).toEqual([]);
});
