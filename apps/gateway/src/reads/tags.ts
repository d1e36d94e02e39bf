/** What kept answers tell of, in the terms of the events. */
export const tags = {
  /** A creator's profile, and every page of the list on which they stand. */
  creator: (uid: string) => `creator ${uid}`,
  /** Their list, their pages, and the covers on their card. */
  offeringsOf: (uid: string) => `offerings of ${uid}`,
  /** Pages of the list and of searches, onto which somebody may come back. */
  lists: 'lists',
  /** Where a newcomer appears. */
  firstPages: 'first pages',
  sitemap: 'sitemap',
} as const;
