/** Names by which events make cached responses stale. */
export const tags = {
  /** For a creator's profile, and for pages of the list that show the creator. */
  creator: (uid: string) => `creator ${uid}`,
  /** For a creator's offerings, their pages, and the covers on the creator's card. */
  offeringsOf: (uid: string) => `offerings of ${uid}`,
  /** For all pages of the list and of searches, because a hidden creator may appear on any of them again. */
  lists: 'lists',
  /** For the first pages of the list and of searches, and for the showcase, where a new creator appears. */
  firstPages: 'first pages',
  sitemap: 'sitemap',
} as const;
