// Apart from the other pages, whose list weighs on every page for visitors.

/** What only its owner sees, as visitors would. */
export const previewPaths = {
  profile: '/dashboard/preview',
  offering: (id: string) => `/dashboard/preview/${encodeURIComponent(id)}`,
} as const;

export const previewPatterns = { offering: '/dashboard/preview/:offeringId' } as const;
