import type { Uid } from './fields.ts';
import type { z } from 'zod';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The folder of the public bucket with a list for each account that has withdrawn objects. Edge does not serve it. */
export const withdrawalFolder = 'withdrawn/';

/** The folder of the files bucket with the exports of accounts. Withdrawals do not apply to exports. */
export const exportFolder = 'account_exports/';

/** The key of an account's list in the public bucket. */
export const withdrawalKey = (uid: z.infer<typeof Uid>): string => `${withdrawalFolder}${uid}`;

/** The content of a list: the ids of profiles, offerings and uploads whose objects edge must not serve. */
export const withdrawalText = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('');

/** The UUIDs in a list or in an object's key. */
export const idsIn = (text: string): string[] => text.match(uuid) ?? [];
