import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { TestInfo } from '@playwright/test';
import type { PictureFile } from './pictures.ts';

export function randomFile(bytes = 100_000, name = 'Zwölf Briefe.pdf'): PictureFile {
  return { name, mimeType: 'application/pdf', buffer: randomBytes(bytes) };
}

/** Creates a file of this size in the folder of the test, without using disk space, and returns its path. */
export async function sparseFile(bytes: number, info: TestInfo): Promise<string> {
  const path = info.outputPath(`sparse-${bytes}.bin`);
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
  return path;
}
