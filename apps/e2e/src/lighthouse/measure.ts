import { type Browser, chromium } from '@playwright/test';
import { paths } from '@stoa/contracts';
import { plainReporter } from '@stoa/system';
import { lighthouseModule } from '@stoa/system/fetch/lighthouse';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { launchOptions } from '../chromium.ts';

/** The fields of Lighthouse's result that the tests read. */
export interface Result {
  readonly lighthouseVersion: string;
  readonly fetchTime: string;
  readonly environment: { readonly hostUserAgent: string; readonly benchmarkIndex: number };
  readonly configSettings: {
    readonly throttling: Record<'rttMs' | 'throughputKbps' | 'cpuSlowdownMultiplier', number>;
  };
  readonly runtimeError?: { readonly message: string };
  readonly categories: Partial<Record<string, CategoryResult>>;
  readonly audits: Partial<Record<string, Audit>>;
}
interface CategoryResult {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
}
interface Audit {
  readonly title: string;
  readonly score: number | null;
  readonly displayValue?: string;
  readonly numericValue?: number;
}
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Result } | undefined>;

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

/** The minimum score of each category, of 100. */
export const targets: Record<Category, number> = {
  performance: 99,
  accessibility: 100,
  'best-practices': 95,
  seo: 100,
};

export const measuredPages = (username: string, slug: string): string[] => [
  '/',
  paths.browse,
  paths.profile(username),
  paths.offering(username, slug),
];

/** Starts a browser with a debugging port, to which Lighthouse connects. */
export async function launchWithDebuggingPort(): Promise<{ browser: Browser; port: number }> {
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

/** Runs Lighthouse with its settings for phones. It computes the times for slow 4G and a slow CPU from measured ones. */
export async function measure(
  url: string,
  port: number,
  onlyCategories: readonly Category[] = categories,
): Promise<Result> {
  const timed = onlyCategories.includes('performance');
  const path = await lighthouseModule(plainReporter(console.error).task('Lighthouse'));
  const { default: lighthouse } = (await import(pathToFileURL(path).href)) as { default: Lighthouse };
  const run = await lighthouse(url, {
    port,
    onlyCategories: [...onlyCategories],
    logLevel: 'error',
    disableFullPageScreenshot: !timed,
  });
  if (!run) throw new Error(`Lighthouse gave no result for ${url}.`);
  const { lhr } = run;
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  return lhr;
}

export const scoreOf = (result: Result, category: Category): number =>
  Math.round((result.categories[category]?.score ?? 0) * 100);

export function failedAudits(result: Result, category: Category): string[] {
  return (result.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = result.audits[id];
    if (!audit || weight === 0 || audit.score === null || audit.score >= 1) return [];
    return [`${id}: ${audit.displayValue ?? audit.title}`];
  });
}
