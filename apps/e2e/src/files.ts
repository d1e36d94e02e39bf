import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { TestInfo } from '@playwright/test';
import type { PictureFile } from './pictures.ts';

/** A file that only its own bytes can be equal to. */
export function randomFile(bytes = 100_000, name = 'Zwölf Briefe.pdf'): PictureFile {
  return { name, mimeType: 'application/pdf', buffer: randomBytes(bytes) };
}

/** The path of a file of this size that takes no room on disk; it goes with the test's own folder. */
export async function sparseFile(bytes: number, info: TestInfo): Promise<string> {
  const path = info.outputPath(`sparse-${bytes}.bin`);
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
  return path;
}
