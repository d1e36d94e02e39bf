import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const open = (address: string) => readFile(join(root, 'public', address));

/** A PNG's width and height are at fixed positions of its first chunk. */
async function sizeOf(address: string): Promise<string> {
  const png = await open(address);
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

test('the icons of page and manifest exist in their declared size [web-98]', async () => {
  const html = await readFile(join(root, 'index.html'), 'utf8');
  const named = [...html.matchAll(/<link rel="[\w-]+" href="([^"]+)"/g)].map(([, address = '']) => address);
  expect(named).toEqual(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png', '/manifest.webmanifest']);
  for (const address of named) expect((await open(address)).length).toBeGreaterThan(0);
  expect(await sizeOf('/apple-touch-icon.png')).toBe('180x180');

  const manifest = JSON.parse((await open('/manifest.webmanifest')).toString()) as {
    icons: { src: string; sizes: string }[];
  };
  const [drawn, picture] = manifest.icons;
  expect((await open(drawn?.src ?? '')).toString()).toContain('<svg');
  expect(await sizeOf(picture?.src ?? '')).toBe(picture?.sizes);
});

test('the two preloaded fonts are 60 KB at most [web-99]', async () => {
  const html = await readFile(join(root, 'index.html'), 'utf8');
  const fonts = [...html.matchAll(/rel="preload" as="font"[^>]* href="([^"]+)"/g)].map(([, at = '']) => at);
  expect(fonts).toHaveLength(2);
  const sizes = await Promise.all(fonts.map(async (at) => (await stat(join(root, at))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
});
