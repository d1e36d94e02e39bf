// Measures the first pages of most visitors on a seeded system: `npm run stoa lighthouse`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { installChromium } from '@stoa/e2e/install-chromium';
import { markdownTable } from '../markdown.ts';
import { repository } from '@stoa/e2e/repository';
import { sampleOffering, sampleUsername, seed } from '../seeding.ts';
import { theSystem } from '@stoa/e2e/system';
import {
  categories,
  failedAudits,
  launchWithDebuggingPort,
  measure,
  measuredPages,
  type Result,
  scoreOf,
  targets,
} from '@stoa/e2e/lighthouse/measure';

const runs = 5;
interface Metric {
  readonly id: string;
  readonly name: string;
  /** The limit, if the value has a goal of its own: milliseconds, or CLS in its own unit. */
  readonly most?: number;
  /** How to print the value, if Lighthouse's text is too coarse to compare with the goal. */
  readonly shown?: (value: number) => string;
}
const metrics: readonly Metric[] = [
  {
    id: 'first-contentful-paint',
    name: 'FCP (≤ 1100 ms)',
    most: 1100,
    shown: (ms) => `${Math.ceil(ms)} ms`,
  },
  { id: 'largest-contentful-paint', name: 'LCP' },
  { id: 'total-blocking-time', name: 'TBT (≤ 50 ms)', most: 50 },
  { id: 'cumulative-layout-shift', name: 'CLS (≤ 0.02)', most: 0.02 },
  { id: 'speed-index', name: 'SI' },
];

interface Measured {
  path: string;
  /** The runs of Lighthouse in ascending order of performance. */
  results: Result[];
}

async function main(): Promise<void> {
  await seed();
  await installChromium(console.error);
  const { browser, port } = await launchWithDebuggingPort();
  const measured: Measured[] = [];
  const { slug } = await sampleOffering();
  try {
    for (const path of measuredPages(sampleUsername, slug)) measured.push(await measureOften(path, port));
  } finally {
    await browser.close();
  }
  writeFileSync(join(repository, 'docs/evidence/lighthouse.md'), contents(measured));
  if (process.env.LIGHTHOUSE_RESULTS) keepResults(process.env.LIGHTHOUSE_RESULTS, measured);
  if (!measured.every(reachesTargets)) process.exitCode = 1;
}

async function measureOften(path: string, port: number): Promise<Measured> {
  const results: Result[] = [];
  for (let run = 0; run < runs; run += 1) {
    const result = await measure(`${theSystem().siteUrl}${path}`, port);
    results.push(result);
    console.log(path, categories.map((category) => `${category} ${scoreOf(result, category)}`).join(', '));
  }
  results.sort((a, b) => scoreOf(a, 'performance') - scoreOf(b, 'performance'));
  return { path, results };
}

/** The median run: its values belong together, unlike the median of each value. */
function middle({ results }: Measured): Result {
  const result = results[Math.floor(results.length / 2)];
  if (!result) throw new Error('There was no run.');
  return result;
}

function reachesTargets(page: Measured): boolean {
  const { audits } = middle(page);
  return (
    categories.every((category) => scoreOf(middle(page), category) >= targets[category]) &&
    metrics.every(({ id, most = Infinity }) => (audits[id]?.numericValue ?? Infinity) <= most)
  );
}

function contents(measured: Measured[]): string {
  const [first] = measured.map(middle);
  if (!first) throw new Error('There was no page.');
  const { lighthouseVersion, environment, fetchTime, configSettings } = first;
  const chromium = environment.hostUserAgent.match(/Chrome\/([\d.]+)/)?.[1] ?? 'unknown';
  const { rttMs, throughputKbps, cpuSlowdownMultiplier } = configSettings.throttling;
  return `# Lighthouse

Written by \`npm run stoa lighthouse\`: ${runs} runs of each page of a seeded system with Lighthouse's settings for a phone (${rttMs} ms and
${throughputKbps.toFixed(0)} kbit/s simulated, processor ${cpuSlowdownMultiplier} times slower). The run with the median performance stands here; the range of all
runs in brackets. Accessibility, best practices and SEO are also asserted by \`npm test\` (apps/e2e/looks/lighthouse.spec.ts).

${markdownTable(
  ['page', ...categories.map((category) => `${category} (≥ ${targets[category]})`)],
  measured.map((page) => [
    page.path,
    ...categories.map((category) => `${scoreOf(middle(page), category)}${range(page, category)}`),
  ]),
)}

${markdownTable(
  ['page', ...metrics.map(({ name }) => name), 'transferred'],
  measured.map((page) => {
    const { audits } = middle(page);
    return [
      page.path,
      ...metrics.map((metric) => figure(metric, audits[metric.id])),
      `${((audits['total-byte-weight']?.numericValue ?? 0) / 1000).toFixed(0)} kB`,
    ];
  }),
)}

What keeps a score below 100:${remarks(measured)}

Measured ${fetchTime.slice(0, 10)} with Lighthouse ${lighthouseVersion} and Chromium ${chromium} on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GB,
Node ${process.version.slice(1)}, with @playwright/test ${versionOf('@playwright/test')}; benchmark index ${Math.round(environment.benchmarkIndex)}. Everything ran on that one machine, the
whole system beside the browser.
`;
}

function figure({ shown }: Metric, audit: Result['audits'][string]): string {
  if (shown && audit?.numericValue !== undefined) return shown(audit.numericValue);
  return audit?.displayValue?.replace(/\s/g, ' ') ?? '–';
}

function range({ results }: Measured, category: (typeof categories)[number]): string {
  const scores = results.map((result) => scoreOf(result, category));
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  return least === most ? '' : ` (${least}–${most})`;
}

function remarks(measured: Measured[]): string {
  const lines = measured.flatMap((page) =>
    categories.flatMap((category) =>
      failedAudits(middle(page), category).map((complaint) => `- ${page.path}, ${category}: ${complaint}`),
    ),
  );
  return lines.length > 0 ? `\n\n${lines.join('\n')}` : ' nothing.';
}

function versionOf(name: string): string {
  return (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version;
}

/** The full results, for Lighthouse's viewer. */
function keepResults(folder: string, measured: Measured[]): void {
  mkdirSync(folder, { recursive: true });
  for (const page of measured) {
    const name = page.path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home';
    writeFileSync(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(middle(page))));
  }
}

await main();
