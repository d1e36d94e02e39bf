import { limits, type UploadPurpose } from '@stoa/contracts';

const minute = 60_000;
const hour = 60 * minute;

/** How long a form is valid. A transfer that has begun may take longer. */
export const grantLifeMs = 10 * minute;

/** Time for 200 MB at 150 kbit/s. An upload that has not arrived by then is abandoned. */
export const fileTransferMs = 3 * hour;

/** Time to transfer these bytes at 1 Mbit/s: 28 minutes for the largest file. */
export const transferMs = (bytes: number): number => Math.ceil((bytes * 8) / 1000);

export interface Quota {
  /** Recent grants without a finished upload. */
  readonly unfinished: number;
  /** Uploads, finished or not, that no record uses. */
  readonly unused: number;
  /** Total bytes of unused uploads, by their granted sizes. */
  readonly unusedBytes: number;
}

/** The limits of a grant. */
export interface GrantQuota extends Quota {
  readonly withinMs: number;
  /** Total bytes of all uploads of the account. */
  readonly accountBytes: number;
}

export type GrantOutcome =
  | { readonly kind: 'granted'; readonly at: Date }
  | { readonly kind: 'too many' }
  | { readonly kind: 'no room'; readonly usedBytes: number };

// Unused files are the only storage that an account can take without publishing anything.
const forPictures: Quota = { unfinished: 20, unused: 100, unusedBytes: Infinity };
const forFiles: Quota = { unfinished: 10, unused: 50, unusedBytes: 10 * limits.offeringFileBytes };

/** The quota per account and kind of upload. */
export function quotaOf(purpose: UploadPurpose): Quota {
  return purpose === 'offering-file' ? forFiles : forPictures;
}
