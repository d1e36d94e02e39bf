import { statSync } from 'node:fs';
import sharp from 'sharp';
import type { Theme, Width } from '@stoa/e2e/screens/screen';

export interface View {
  width: Width;
  theme: Theme;
  height: number;
  png: Buffer;
}

const scale = 0.5;
const gap = 16;
const between = '#8f8578';
/** Every clone of the repository contains the sheets, so their size is limited. */
const mostBytes = 80 * 1024;
const qualities = [60, 50, 40, 30, 20];

/** Combines the views of a screen in one picture, with a row for each theme. */
export async function joinViews(views: readonly View[], file: string): Promise<void> {
  const rows = Object.values(Object.groupBy(views, ({ theme }) => theme));
  const heights = rows.map((row) => Math.max(...row.map(({ height }) => scaled(height))));
  const width = Math.max(
    ...rows.map((row) => row.reduce((sum, view) => sum + scaled(view.width) + gap, gap)),
  );
  const parts = await Promise.all(
    rows.flatMap((row, index) => {
      const top = heights.slice(0, index).reduce((sum, height) => sum + height + gap, gap);
      return row.map(async (view, column) => ({
        input: await sharp(view.png).resize(scaled(view.width), scaled(view.height)).toBuffer(),
        left: row.slice(0, column).reduce((sum, before) => sum + scaled(before.width) + gap, gap),
        top,
      }));
    }),
  );
  const height = heights.reduce((sum, one) => sum + one + gap, gap);
  const sheet = await sharp({ create: { width, height, channels: 3, background: between } })
    .composite(parts)
    .png()
    .toBuffer();
  await writePicture(sheet, file);
}

export const bytesOf = (file: string): number => statSync(file).size;

/** Writes a picture in the best quality within the size limit. */
export async function writePicture(picture: Buffer, file: string): Promise<void> {
  for (const quality of qualities) {
    await sharp(picture).webp({ quality, effort: 6 }).toFile(file);
    if (bytesOf(file) <= mostBytes) return;
  }
}

const scaled = (pixels: number): number => Math.round(pixels * scale);
