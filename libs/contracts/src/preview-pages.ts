// Separate from pages.ts, because that file adds to the size of every public page.

/** Pages on which an owner sees a profile or an offering as visitors would. */
export const previewPaths = {
  profile: '/dashboard/preview',
  offering: (id: string) => `/dashboard/preview/${encodeURIComponent(id)}`,
} as const;

/** Pages of a creator that no public page leads to. */
export const roomPaths = { sales: '/dashboard/sales' } as const;

export const previewPatterns = { offering: '/dashboard/preview/:offeringId' } as const;
