import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

interface Findings {
  /** What breaks a rule, one line for each element. */
  found: string[];
  /** What axe leaves for people to judge and nobody has judged yet, by rule and reason. */
  undecided: string[];
  version: string;
}

/** What people have judged, of all that axe leaves to them. */
const judged: readonly RegExp[] = [
  // Where axe does not know the ground: the home page's gradient from `sunk` to `paper`, cards under the link that covers
  // them whole, what a bar, a dialog or a menu covers, select fields, whose arrow is a gradient, single letters, empty fields,
  // and file fields, whose own words are transparent. apps/web/src/ui/tokens.test.ts computes the contrast of every text
  // colour on these grounds.
  /^color-contrast: /,
  // Radix keeps the page behind a dialog hidden and catches the focus at its edges.
  /^aria-hidden-focus: /,
  // Keycloak's fields say `aria-invalid=""`, which means false.
  /^aria-valid-attr-value: .* aria-invalid /,
];

export async function examine(page: Page): Promise<Findings> {
  // Half a megabyte that a page looked at before has already; what is sent in its place does nothing.
  const present = await page.evaluate(() => 'axe' in window);
  // The legacy mode needs no second page to put results of frames together; there are no frames here.
  const { violations, incomplete, testEngine } = await new AxeBuilder({
    page,
    axeSource: present ? 'undefined' : undefined,
  })
    .options({ resultTypes: ['violations', 'incomplete'] })
    .setLegacyMode()
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
  const undecided = incomplete.flatMap(({ id, nodes }) =>
    nodes.flatMap(({ any, all, none, target }) =>
      [...any, ...all, ...none].map(({ message }) => `${id}: ${message} (${target.join(' ')})`),
    ),
  );
  const isOpen = (line: string) => !judged.some((pattern) => pattern.test(line));
  return { found, undecided: undecided.filter(isOpen), version: testEngine.version };
}
