import { patterns, type Picture } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { renderPreloads } from './page-files.ts';

const files = {
  '/': { files: ['/assets/home.js'] },
  [patterns.profile]: { files: ['/assets/profile.js'], pictureSizes: '11rem', headerSizes: '100vw' },
};
const picture: Picture = {
  id: '0190a8a0-0000-7000-8000-000000000000',
  path: 'profile_pictures/u/p',
  widths: [384, 96],
  width: 400,
  height: 400,
  color: '#aabbcc',
};
const media = 'https://media.test/public';
const preloads = (path: string, reads = {}) => renderPreloads(files, path, reads, media);
const render = (path: string, reads = {}) => preloads(path, reads).first.text;

test('a page preloads its code, its data and its picture', () => {
  const links = render(patterns.profile, { missing: ['/api/creators/ada'], picture });
  expect(preloads(patterns.profile).code.text).toContain(
    'rel="modulepreload" href="/assets/profile.js" fetchpriority="low"',
  );
  expect(links).toContain('as="fetch" crossorigin href="/api/creators/ada"');
  expect(links).toContain('rel="preconnect" href="https://media.test"');
  expect(links).toContain(
    'imagesrcset="https://media.test/public/profile_pictures/u/p/96.avif 96w, https://media.test/public/profile_pictures/u/p/384.avif 384w" imagesizes="11rem" fetchpriority="high"',
  );
});

test('a profile with a header picture preloads only that picture', () => {
  const links = render(patterns.profile, { picture, header: { ...picture, path: 'wide', widths: [480] } });
  expect(links.match(/fetchpriority/g)).toHaveLength(1);
  expect(links).toContain('imagesrcset="https://media.test/public/wide/480.avif 480w" imagesizes="100vw"');
});

test('an unknown address preloads nothing', () => {
  expect(render('/dashboard') + preloads('/dashboard').code.text).toBe('');
  expect(render('/profile/ada/more')).toBe('');
  expect(render('')).toBe('');
});

test('values are escaped in attributes', () => {
  const links = render(patterns.profile, { missing: ['/api/creators/"><script>'] });
  expect(links).not.toContain('<script>');
});
