import { mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Problem } from './problem.ts';

/** Throws one sentence when a folder's disk has too little room. */
export async function requireSpace(folder: string, gigabytes: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / 1024 ** 3;
  if (free >= gigabytes) return;
  throw new Problem(
    `The disk that holds ${folder} has only ${free.toFixed(1)} GB free and ${gigabytes} GB are needed: free some space and run the command again.`,
  );
}
