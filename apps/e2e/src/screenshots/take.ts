// Takes a picture of every page of a seeded system: `npm run screenshots`.
import { type Browser, chromium, type Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { launchOptions } from '../chromium.ts';
import { installChromium } from '../install-chromium.ts';
import { accountRoutes, creatorRoutes, publicRoutes, type Route } from '../routes.ts';
import { settled } from '../settled.ts';
import { logIn } from '../sign-in.ts';
import { theSystem } from '../system.ts';

const repository = join(import.meta.dirname, '../../../..');
const target = join(repository, 'docs/screenshots');
const sample = 'amara-okafor';
const widths = { 360: 740, 1280: 800 } as const;
const themes = ['light', 'dark'] as const;
/** What fits into a document; a legal page goes on for much longer. */
const tallest = 1800;

async function main(): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  await seed(password);
  await installChromium(console.error);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const browser = await chromium.launch(launchOptions());
  try {
    for (const [width, height] of Object.entries(widths)) {
      for (const colorScheme of themes) {
        const bytes = await takeAll(browser, password, { width: Number(width), height }, colorScheme);
        console.log(`${width} px, ${colorScheme}: ${(bytes / 1024).toFixed(0)} KB`);
      }
    }
  } finally {
    await browser.close();
  }
}

async function seed(password: string): Promise<void> {
  console.log('Seeding…');
  const { siteUrl, keycloak } = theSystem();
  await promisify(execFile)(process.execPath, [join(repository, 'tools/seed/src/main.ts')], {
    env: {
      ...process.env,
      SITE_URL: siteUrl,
      KEYCLOAK_URL: keycloak.publicUrl,
      KEYCLOAK_REALM: keycloak.realm,
      SEED_PASSWORD: password,
    },
  });
}

async function takeAll(
  browser: Browser,
  password: string,
  viewport: { width: number; height: number },
  colorScheme: (typeof themes)[number],
): Promise<number> {
  const context = await browser.newContext({
    baseURL: theSystem().siteUrl,
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  let bytes = 0;
  const take = async ({ name, path }: Route) => {
    await page.goto(path);
    await settled(page);
    bytes += await save(page, join(target, `${name}-${viewport.width}-${colorScheme}.webp`));
  };
  for (const route of [...publicRoutes(sample), ...accountRoutes]) await take(route);

  await page.goto('/login');
  await logIn(page, { email: sample, password });
  await page.waitForURL('/dashboard');
  const edit = page.getByRole('link', { name: /^Edit / }).filter({ hasNotText: 'Profile' });
  const offeringId = (await edit.first().getAttribute('href'))?.split('/').at(-1) ?? '';
  const response = await page.request.get(`/api/creators/${sample}`);
  const { uid } = (await response.json()) as { uid: string };
  for (const route of creatorRoutes({ uid, offeringId })) await take(route);
  await context.close();
  return bytes;
}

async function save(page: Page, file: string): Promise<number> {
  await loadLazyPictures(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const width = page.viewportSize()?.width ?? 0;
  const png = await page.screenshot({
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, tallest) },
  });
  await sharp(png).webp({ quality: 64, effort: 6 }).toFile(file);
  return statSync(file).size;
}

/** Pictures below the fold are fetched when one scrolls there, which nobody does here. */
async function loadLazyPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    window.scrollTo(0, 0);
  });
}

await main();
