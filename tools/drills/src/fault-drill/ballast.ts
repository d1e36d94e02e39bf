import { statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { theSystem } from '@stoa/e2e/system';
import { partsWithDisk } from './fault-plan.ts';

const block = Buffer.alloc(1024 * 1024);
const byte = Buffer.alloc(1);
/**
 * Milliseconds between two fills. Space that is freed later, for example by the end of a log file, is filled
 * too.
 */
const againMs = 20;

/** The data folder of a part. Postgres uses the part of the folder over which no other disk is mounted. */
export function diskOf(part: string): string {
  const { dir, minio } = theSystem();
  const data = join(dir, 'data');
  return part === 'postgres' ? data : join(data, part === 'minio' ? minio.store : part);
}

/** Whether each part of the system has a small disk of its own, so that no other disk gets filled. */
export function hasSmallDisks(): boolean {
  const folders = [theSystem().dir, ...partsWithDisk.map(diskOf)];
  const disks = folders.map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev);
  return disks.every((disk) => disk !== undefined) && new Set(disks).size === disks.length;
}

/** `fillDisk` for the disk of a part. */
export const fillDiskOf = (part: (typeof partsWithDisk)[number]): Promise<() => Promise<void>> =>
  fillDisk(diskOf(part));

/** Fills the disk of a folder to its last byte. Keeps it full until the returned function is called. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'ballast');
  const file = await open(path, 'a', 0o600);
  await fill(file);
  let filling = Promise.resolve();
  const again = setInterval(() => {
    filling = filling.then(() => fill(file));
  }, againMs);
  return async () => {
    clearInterval(again);
    await filling;
    await file.close();
    await rm(path);
  };
}

async function fill(file: FileHandle): Promise<void> {
  for (const piece of [block, byte])
    try {
      for (;;) await file.write(piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
}
