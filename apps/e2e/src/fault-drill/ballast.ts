import { statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { theSystem } from '../system.ts';
import { partsWithDisk } from './fault-plan.ts';

const block = Buffer.alloc(1024 * 1024);
const byte = Buffer.alloc(1);
/** What is freed meanwhile, by a log that is over for example, is taken as well. */
const againMs = 20;

/** Where a part keeps its data; Postgres has what no other disk is mounted over. */
export function diskOf(part: string): string {
  const { dir, minio } = theSystem();
  const data = join(dir, 'data');
  return part === 'postgres' ? data : join(data, part === 'minio' ? minio.store : part);
}

/** Whether the system is on disks that may be filled, so that nobody else's is. */
export function hasSmallDisks(): boolean {
  const folders = [theSystem().dir, ...partsWithDisk.map(diskOf)];
  const disks = folders.map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev);
  return disks.every((disk) => disk !== undefined) && new Set(disks).size === disks.length;
}

/** `fillDisk` for the disk of a part. */
export const fillDiskOf = (part: (typeof partsWithDisk)[number]): Promise<() => Promise<void>> =>
  fillDisk(diskOf(part));

/** Fills the disk of a folder to its last byte, and keeps it full until the answered function is called. */
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
