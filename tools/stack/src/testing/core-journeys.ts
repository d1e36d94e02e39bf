/** The browser tests that show that the main paths work, which `npm test -- --quick` runs: each file with its titles. */
export const coreJourneys: Readonly<Record<string, readonly string[]>> = {
  'api/access.spec.ts': ["another creator's offering can be neither read nor changed nor deleted"],
  'api/uploads.spec.ts': ['a picture is re-encoded once, however often it is completed (idempotent)'],
  'journeys/account-deletion.spec.ts': [
    'a creator deletes the account by a fresh log-in and typed words, and is mailed a receipt',
  ],
  'journeys/account.spec.ts': [
    'a creator changes the display name in the account room, and visitors see it',
    'a creator changes the password from the dashboard and sees the outcome',
  ],
  'journeys/browse.spec.ts': [
    'a creator is found by the title of an offering that visitors see, and no more once it is hidden',
    'the niches on cards and profiles lead to all who have them',
  ],
  'journeys/contact.spec.ts': ['a creator chooses between mail and a form in the profile editor'],
  'journeys/dashboard.spec.ts': ['a new creator is guided to a public profile and sees the missing steps'],
  'journeys/delivery.spec.ts': ['two files, a link and a text reach a buyer without an account'],
  'journeys/edit-conflict.spec.ts': [
    'who edits a profile in several tabs is told in all but the first, and looks, overwrites or takes over',
  ],
  'journeys/first-run.spec.ts': [
    'from the home page to a published offering it takes 12 clicks, led in three steps',
  ],
  'journeys/forms.spec.ts': [
    'a session that expires during an edit loses no input, and shows none to the next user',
    'a double click creates one offering (idempotent)',
  ],
  'journeys/order.spec.ts': [
    'a pinned offering stands first and is marked, on the dashboard and for visitors',
  ],
  'journeys/owner-preview.spec.ts': ['a draft is previewed by its owner alone, and published from there'],
  'journeys/payment-link-guard.spec.ts': [
    'the payment link of a published offering leads to another host by a fresh log-in, and nothing typed is lost',
  ],
  'journeys/profile.spec.ts': [
    'leaving the profile editor asks about unsaved changes',
    'a picture can be removed again',
  ],
  'journeys/reports.spec.ts': [
    'a visitor reports an offering, an operator hides it everywhere, its creator appeals, and it is restored',
  ],
  'journeys/seo.spec.ts': [
    'an unknown profile is 404 and noindex',
    'robots.txt names a sitemap with a new profile and no private page',
  ],
  'journeys/sign-in.spec.ts': ['a log-in in another tab resumes the session in the first'],
  'journeys/username.spec.ts': ['the public address is shown and checked while it is typed at sign-up'],
};

/** Playwright's arguments for these tests alone. */
export function coreArguments(): string[] {
  const titles = Object.values(coreJourneys)
    .flat()
    .map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return [...Object.keys(coreJourneys), '--grep', `(${titles.join('|')})$`];
}
