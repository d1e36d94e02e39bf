import { expect, test } from '@jest/globals';
import { isPage } from './is-page.ts';
import { paths } from './pages.ts';
import { previewPaths, roomPaths } from './preview-pages.ts';

test.each([
  ...Object.values(paths).filter((path) => typeof path === 'string' && path !== paths.authSilent),
  paths.profile('ama-writes'),
  paths.contactCreator('ama-writes'),
  paths.offering('ama-writes', 'letters'),
  paths.editOffering('7c1f'),
  roomPaths.sales,
  previewPaths.profile,
  previewPaths.offering('7c1f'),
  paths.download('7c1f', '9a2e'),
  '/profile',
  '/download',
  '/download/7c1f',
  '/terms',
  '/About',
  '/dashboard/',
])('%s is a page', (path) => {
  expect(isPage(path as string)).toBe(true);
});

test.each([
  '/no-such-page',
  '/dashboard/nothing',
  '/dashboard/edit-offering',
  '/download/7c1f/9a2e/more',
  '/profile/ama/letters/more',
  '/auth/silent.html',
  '//',
  '/about/us',
])('%s is none', (path) => {
  expect(isPage(path)).toBe(false);
});
