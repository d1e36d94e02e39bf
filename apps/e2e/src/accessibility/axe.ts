import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds, one line for each element; and the version that looked. */
export async function examine(page: Page): Promise<{ found: string[]; version: string }> {
  // Half a megabyte that a page looked at before has already; what is sent in its place does nothing.
  const present = await page.evaluate(() => 'axe' in window);
  // The legacy mode needs no second page to put results of frames together; there are no frames here.
  const { violations, testEngine } = await new AxeBuilder({
    page,
    axeSource: present ? 'undefined' : undefined,
  })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
  return { found, version: testEngine.version };
}
