import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Problem } from './problem.ts';

/**
 * Checks the free space of a folder's disk, and creates the folder if it is missing.
 *
 * @throws Problem of one sentence if there is too little.
 */
export async function requireSpace(folder: string, gigabytes: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / 1024 ** 3;
  if (free >= gigabytes) return;
  throw new Problem(
    `The disk that holds ${folder} has only ${free.toFixed(1)} GB free and ${gigabytes} GB are needed: free some space and run the command again.`,
  );
}
