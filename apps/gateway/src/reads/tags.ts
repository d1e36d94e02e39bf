/** The tags of cached responses. Events invalidate responses by tag. */
export const tags = {
  /** A creator's profile, and the pages of the list that show the creator. */
  creator: (uid: string) => `creator ${uid}`,
  /** A creator's list of offerings, its pages, and the covers on the creator's card. */
  offeringsOf: (uid: string) => `offerings of ${uid}`,
  /** All pages of the list and of searches, to which a hidden creator may return. */
  lists: 'lists',
  /** First pages of the list and of searches, and the showcase, where a new creator appears. */
  firstPages: 'first pages',
  sitemap: 'sitemap',
} as const;
