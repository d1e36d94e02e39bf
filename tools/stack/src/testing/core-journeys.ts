/** The browser tests of the main paths, which `npm test -- --quick` runs: test ids by file. */
export const coreJourneys: Readonly<Record<string, readonly string[]>> = {
  'api/access.spec.ts': ['e2e-6'],
  'api/uploads.spec.ts': ['e2e-34'],
  'journeys/account-deletion.spec.ts': ['e2e-51'],
  'journeys/account.spec.ts': ['e2e-53', 'e2e-54'],
  'journeys/browse.spec.ts': ['e2e-57', 'e2e-59'],
  'journeys/contact.spec.ts': ['e2e-69'],
  'journeys/dashboard.spec.ts': ['e2e-75'],
  'journeys/delivery.spec.ts': ['e2e-77'],
  'journeys/edit-conflict.spec.ts': ['e2e-83'],
  'journeys/first-run.spec.ts': ['e2e-84'],
  'journeys/forms.spec.ts': ['e2e-86', 'e2e-90'],
  'journeys/order.spec.ts': ['e2e-105'],
  'journeys/owner-preview.spec.ts': ['e2e-111'],
  'journeys/payment-link-guard.spec.ts': ['e2e-113'],
  'journeys/profile.spec.ts': ['e2e-124', 'e2e-125'],
  'journeys/reports.spec.ts': ['e2e-134'],
  'journeys/seo.spec.ts': ['e2e-150', 'e2e-151'],
  'journeys/sign-in.spec.ts': ['e2e-158'],
  'journeys/username.spec.ts': ['e2e-163'],
};

/** Playwright's arguments that select only these tests. */
export function coreArguments(): string[] {
  return [...Object.keys(coreJourneys), '--grep', `\\[(${Object.values(coreJourneys).flat().join('|')})\\]$`];
}
