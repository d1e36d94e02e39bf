import { homedir } from 'node:os';
import { join } from 'node:path';

/** The root of the checkout. */
export const root = join(import.meta.dirname, '../../..');

/** The path of a file of the checkout. */
export const inRepository = (...parts: string[]): string => join(root, ...parts);

/** The folder with data, logs and secrets of this checkout; git ignores it. */
export const stateFolder = process.env.STOA_STATE || join(root, '.stoa');

/** The folder of fetched parts, which all checkouts of this user share. */
export const cacheFolder =
  process.env.STOA_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'stoa');
