import { type Browser, chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { createServer } from 'node:net';
import { launchOptions } from '../chromium.ts';

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

/** What each page must reach, of 100. */
export const targets: Record<Category, number> = {
  performance: 95,
  accessibility: 100,
  'best-practices': 95,
  seo: 100,
};

export const measuredPages = (username: string): string[] => [
  '/',
  '/browse-creators',
  `/profile/${username}`,
];

/** A browser that Lighthouse can speak to. */
export async function launchMeasured(): Promise<{ browser: Browser; port: number }> {
  const port = await freePort();
  const options = launchOptions();
  const args = [...(options.args ?? []), `--remote-debugging-port=${port}`];
  return { browser: await chromium.launch({ ...options, args }), port };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('No free port.');
  return address.port;
}

/**
 * One run as Lighthouse itself does it for a phone: a slow 4G network and a slow processor, both simulated. Without
 * performance there is nothing to slow down.
 */
export async function measure(
  url: string,
  port: number,
  onlyCategories: readonly Category[] = categories,
): Promise<Result> {
  const timed = onlyCategories.includes('performance');
  const run = await lighthouse(url, {
    port,
    onlyCategories: [...onlyCategories],
    logLevel: 'error',
    ...(timed ? {} : { throttlingMethod: 'provided', disableFullPageScreenshot: true }),
  });
  if (!run) throw new Error(`Lighthouse gave no result for ${url}.`);
  const { lhr } = run;
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  return lhr;
}

export const scoreOf = (result: Result, category: Category): number =>
  Math.round((result.categories[category]?.score ?? 0) * 100);

/** The audits of a category that keep it below 100. */
export function complaints(result: Result, category: Category): string[] {
  return (result.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = result.audits[id];
    if (!audit || weight === 0 || audit.score === null || audit.score >= 1) return [];
    return [`${id}: ${audit.displayValue ?? audit.title}`];
  });
}
