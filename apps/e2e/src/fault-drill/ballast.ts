import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const block = Buffer.alloc(1024 * 1024);
const byte = Buffer.alloc(1);
/** What is freed meanwhile, by a log that is over for example, is taken as well. */
const againMs = 20;

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
