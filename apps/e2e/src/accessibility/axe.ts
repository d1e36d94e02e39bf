import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { worstContrast } from './contrast.ts';
import { decisions } from './decisions.ts';

interface Findings {
  /** One line for each element that violates a rule. */
  violations: string[];
  /** Findings that axe cannot decide and that decisions.ts does not permit, or whose measured contrast is too low. */
  incomplete: string[];
  version: string;
}

interface OpenFinding {
  readonly rule: string;
  readonly reason: string;
  readonly target: string;
  readonly message: string;
}

export async function runAxe(page: Page): Promise<Findings> {
  // If an earlier check has loaded axe (0.5 MB) into the page, a script without effect replaces it.
  const present = await page.evaluate(() => 'axe' in window);
  // Legacy mode checks no frames, and so needs no second page. The site has no frames.
  const builder = new AxeBuilder({ page, axeSource: present ? 'undefined' : undefined })
    .options({ resultTypes: ['violations', 'incomplete'] })
    .setLegacyMode();
  const { violations, incomplete, testEngine } = await whileUnchanged(page, () => builder.analyze());
  const open = incomplete.flatMap(({ id: rule, nodes }) =>
    nodes.flatMap(({ any, all, none, target }) =>
      [...any, ...all, ...none].map(({ id, data, message }): OpenFinding => {
        const { messageKey } = (data ?? {}) as { messageKey?: string | null };
        return { rule, reason: messageKey ?? id, target: target.join(' '), message };
      }),
    ),
  );
  const undecided = await Promise.all(open.map((finding) => objectionTo(page, finding)));
  return {
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    ),
    incomplete: undecided.filter((line) => line !== undefined),
    version: testEngine.version,
  };
}

/** Maximum number of checks for a page that changes during each check. The last result counts. */
const maxChecks = 5;

/**
 * Repeats the check if the page has changed during it. Axe pauses between elements, so its result for a changed page may be
 * wrong.
 */
async function whileUnchanged<T>(page: Page, check: () => Promise<T>): Promise<T> {
  for (let checks = 1; ; checks += 1) {
    const changes = await page.evaluateHandle(() => {
      const seen = { count: 0 };
      const observer = new MutationObserver(({ length }) => (seen.count += length));
      observer.observe(document, { childList: true, subtree: true });
      return { seen, observer };
    });
    const findings = await check();
    const count = await changes.evaluate(({ seen, observer }) => {
      observer.disconnect();
      return seen.count;
    });
    await changes.dispose();
    if (count === 0 || checks === maxChecks) return findings;
  }
}

/** Describes a finding that no decision permits; undefined if one does. */
async function objectionTo(page: Page, finding: OpenFinding): Promise<string | undefined> {
  const { rule, reason, target, message } = finding;
  const line = `${rule} (${reason}) at ${target}: ${message}`;
  const element = page.locator(target).first();
  const candidates = decisions.filter((decision) => decision.rule === rule && decision.reason === reason);
  for (const { selector, isMeasured } of candidates) {
    if (!(await element.evaluate((node, css) => node.matches(css), selector))) continue;
    if (!isMeasured) return undefined;
    const { ratio, required } = await element.evaluate(worstContrast);
    return ratio < required ? `${line} At worst it is ${ratio.toFixed(2)}:1.` : undefined;
  }
  return line;
}
