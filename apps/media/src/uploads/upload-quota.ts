import { limits, type UploadPurpose } from '@stoa/contracts';

const minute = 60_000;
const hour = 60 * minute;

/** Milliseconds for which a browser may start posting a form. */
export const grantLifeMs = 10 * minute;

/** Enough for 200 MB at 150 kbit/s. An upload that takes longer is cancelled. */
export const fileTransferMs = 3 * hour;

/** Milliseconds to transfer these bytes at 1 Mbit/s: 28 minutes for the largest file. */
export const transferMs = (bytes: number): number => Math.ceil((bytes * 8) / 1000);

export interface Quota {
  /** Maximum number of grants within `withinMs` whose upload is not finished. */
  readonly unfinished: number;
  /** Maximum number of uploads that no profile or offering uses. */
  readonly unused: number;
  /** Maximum bytes of uploads that no profile or offering uses. */
  readonly unusedBytes: number;
}

export interface GrantQuota extends Quota {
  readonly withinMs: number;
  /** Maximum bytes of all uploads of the account. */
  readonly accountBytes: number;
}

export type GrantOutcome =
  | { readonly kind: 'granted'; readonly at: Date }
  | { readonly kind: 'too many' }
  | { readonly kind: 'no room'; readonly usedBytes: number };

// Without a limit, an account could store unused files without publishing anything.
const forPictures: Quota = { unfinished: 20, unused: 100, unusedBytes: Infinity };
const forFiles: Quota = { unfinished: 10, unused: 50, unusedBytes: 10 * limits.offeringFileBytes };

export function quotaOf(purpose: UploadPurpose): Quota {
  return purpose === 'offering-file' ? forFiles : forPictures;
}
