import { expect, type Locator } from '@playwright/test';
import sharp from 'sharp';

/**
 * Expects that a picture on the page is encoded again as AVIF and WebP in several widths, without the camera's metadata, and
 * that caches must revalidate it.
 */
export async function expectCleanVariants(image: Locator): Promise<void> {
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  const { shown, fallback, sources } = await image.evaluate((node) => ({
    shown: (node as HTMLImageElement).currentSrc,
    fallback: (node as HTMLImageElement).src,
    sources: [...(node.closest('picture')?.querySelectorAll('source') ?? [])].map(({ type, srcset }) => ({
      type,
      urls: srcset.split(',').map((part) => part.trim().split(' ')[0] ?? ''),
    })),
  }));
  expect(shown).toMatch(/\.avif$/);
  expect(sources.map(({ type }) => type)).toEqual(['image/avif']);
  const [{ urls } = { urls: [] }] = sources;
  expect(urls.length).toBeGreaterThan(1);
  for (const url of urls) {
    await expectCleanFile(url, 'image/avif');
    await expectCleanFile(url.replace(/avif$/, 'webp'), 'image/webp');
  }
  expect(fallback).toMatch(/\.webp$/);
}

async function expectCleanFile(url: string, type: string): Promise<void> {
  const response = await fetch(url);
  expect(response.status, url).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('cache-control')).toBe('public, no-cache');
  const bytes = Buffer.from(await response.arrayBuffer());
  const { format, exif, xmp, iptc, width } = await sharp(bytes).metadata();
  expect(format).toBe(type === 'image/avif' ? 'heif' : 'webp');
  expect(width).toBe(Number(/\/(\d+)\.\w+$/.exec(url)?.[1]));
  expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
  expect(bytes.includes('Stoa Camera')).toBe(false);
}
