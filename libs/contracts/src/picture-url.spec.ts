import { expect, test } from '@jest/globals';
import { pictureSrcset, pictureUrl } from './picture-url.ts';

const picture = { path: 'covers/1', widths: [960, 96, 480] };

test('the URL of a picture is that of its widest file by default', () => {
  expect(pictureUrl('https://media.test', picture)).toBe('https://media.test/covers/1/960.webp');
  expect(pictureUrl('https://media.test', picture, { width: 96, format: 'avif' })).toBe(
    'https://media.test/covers/1/96.avif',
  );
});

test('the srcset of a picture lists its widths in ascending order', () => {
  expect(pictureSrcset('https://media.test', picture)).toBe(
    'https://media.test/covers/1/96.avif 96w, https://media.test/covers/1/480.avif 480w, https://media.test/covers/1/960.avif 960w',
  );
});
