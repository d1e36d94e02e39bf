// Separate from limits.ts, because that file adds to the size of public pages.

/** The limits of sales. */
export const saleLimits = {
  /** times that the key of a sale opens the download page, unless the creator chooses */
  saleDownloads: 20,
  /** the largest number that the creator can choose */
  saleMaxDownloads: 10_000,
  /** days for which the key of a sale works, unless the creator chooses */
  saleDays: 365,
  /** the largest number of days that the creator can choose */
  saleMaxDays: 3650,
  // Reloads, retries and renewed links of one visit must not use up the key.
  /** minutes within which several uses of such a key count as one */
  saleUseMinutes: 10,
  /** sales of a creator */
  salesPerCreator: 100_000,
  /** sales in one page of the list */
  salesPage: 50,
  /** characters of the id of a payment */
  transactionIdLength: 255,
  /** characters of the name of a payment provider */
  providerLength: 60,
} as const;
