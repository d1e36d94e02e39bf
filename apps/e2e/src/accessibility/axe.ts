import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { worstContrast } from './contrast.ts';
import { decisions } from './decisions.ts';

interface Findings {
  /** What breaks a rule, one line for each element. */
  violations: string[];
  /** What axe cannot tell and decisions.ts does not decide, or what was decided to be measured and falls short. */
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
  // Half a megabyte that a page looked at before has already; what is sent in its place does nothing.
  const present = await page.evaluate(() => 'axe' in window);
  // The legacy mode needs no second page to put results of frames together; there are no frames here.
  const builder = new AxeBuilder({ page, axeSource: present ? 'undefined' : undefined })
    .options({ resultTypes: ['violations', 'incomplete'] })
    .setLegacyMode();
  const { violations, incomplete, testEngine } = await whileStill(page, () => builder.analyze());
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

/** A page that goes on changing is looked at so often, and judged by the last time. */
const mostLooks = 5;

/**
 * Looks again at a page that has changed meanwhile: axe takes its time between the elements, and of one that has moved by then
 * it cannot tell, say, which heading came before.
 */
async function whileStill<T>(page: Page, look: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    const changes = await page.evaluateHandle(() => {
      const seen = { count: 0 };
      const observer = new MutationObserver(({ length }) => (seen.count += length));
      observer.observe(document, { childList: true, subtree: true });
      return { seen, observer };
    });
    const findings = await look();
    const count = await changes.evaluate(({ seen, observer }) => {
      observer.disconnect();
      return seen.count;
    });
    await changes.dispose();
    if (count === 0 || looks === mostLooks) return findings;
  }
}

/** Why an open finding is not decided; undefined where it is. */
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
