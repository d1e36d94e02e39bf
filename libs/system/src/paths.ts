import { homedir } from 'node:os';
import { join } from 'node:path';

/** The root of the checkout. */
export const root = join(import.meta.dirname, '../../..');

/** A file of the checkout. */
export const inRepository = (...parts: string[]): string => join(root, ...parts);

/** Where this checkout keeps its data, logs and secrets; git ignores it. */
export const stateFolder = process.env.STOA_STATE || join(root, '.stoa');

/** Where fetched parts are kept, shared by all checkouts of this user. */
export const cacheFolder =
  process.env.STOA_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'stoa');
