import type { Uid } from './fields.ts';
import type { z } from 'zod';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Folder of the public bucket with one list for each account of which something is withdrawn. Edge shows none of it. */
export const withdrawalFolder = 'withdrawn/';

/** Folder of the files bucket with the exports of accounts, which are their owners' whatever is withdrawn. */
export const exportFolder = 'account_exports/';

/** Where the list of an account lies in the public bucket. */
export const withdrawalKey = (uid: z.infer<typeof Uid>): string => `${withdrawalFolder}${uid}`;

/** What a list says: the ids of profiles, offerings and uploads whose objects nobody reads. */
export const withdrawalText = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('');

/** The ids in a list, or in the key of an object. */
export const idsIn = (text: string): string[] => text.match(uuid) ?? [];
