import { limits, type UploadPurpose } from '@stoa/contracts';

const minute = 60_000;
const hour = 60 * minute;

/** How long a granted form may be posted. A transfer that has begun may take longer. */
export const grantLifeMs = 10 * minute;

/** Time for 200 MB over a line of 150 kbit/s. What has not come by then is given up, and its room is free again. */
export const fileTransferMs = 3 * hour;

/** How long these bytes take over a line of 1 Mbit/s: 28 minutes for the largest file. */
export const transferMs = (bytes: number): number => Math.ceil((bytes * 8) / 1000);

export interface Quota {
  /** Grants of the last minutes that came to nothing yet. */
  readonly unfinished: number;
  /** Uploads, finished or not, that no record uses. */
  readonly unused: number;
  /** What those may weigh together, by the sizes that were granted. */
  readonly unusedBytes: number;
}

/** What a grant may not exceed. */
export interface GrantQuota extends Quota {
  readonly withinMs: number;
  /** What all uploads of the account may take together. */
  readonly accountBytes: number;
}

export type Granted =
  | { readonly kind: 'granted'; readonly at: Date }
  | { readonly kind: 'too many' }
  | { readonly kind: 'no room'; readonly usedBytes: number };

// Staged and parked files are the only room that somebody can take without listing anything.
const forPictures: Quota = { unfinished: 20, unused: 100, unusedBytes: Infinity };
const forFiles: Quota = { unfinished: 10, unused: 50, unusedBytes: 10 * limits.offeringFileBytes };

/** What one person may have on its way and parked, for each kind of upload by itself. */
export function quotaOf(purpose: UploadPurpose): Quota {
  return purpose === 'offering-file' ? forFiles : forPictures;
}
