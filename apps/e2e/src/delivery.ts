import { type NewOfferingForm, type Offering, paths } from '@stoa/contracts';
import type { Browser, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { makeCreator, type TestCreator, makeOffering, uploadFile } from './creators.ts';
import { randomFile } from './files.ts';
import type { PictureFile } from './pictures.ts';
import { theSystem } from './system.ts';

export const offeringNotFound = "Sorry, we couldn't find that offering.";

/** Creates an offering with a file. Returns also the path of its download page (`page`). */
export async function makeOfferingWithFile(
  creator: TestCreator,
  file: PictureFile,
  changes: Partial<NewOfferingForm> = {},
): Promise<{ offering: Offering; page: string }> {
  const { id } = await uploadFile(creator.token, file);
  const named = { title: 'A book of letters', ...changes, files: [{ id }] };
  const offering = await makeOffering(creator.token, named);
  return { offering, page: paths.download(creator.uid, offering.id) };
}

/** Creates an offering with very long texts, and returns its download page and delivery key. */
export async function makeDownloadPage(): Promise<{ page: string; key: string }> {
  const file = randomFile(5000, `${'Averylongname'.repeat(9)}.pdf`);
  const { offering, page } = await makeOfferingWithFile(await makeCreator(), file, {
    title: 'Averylongtitle'.repeat(8),
  });
  return { page, key: offering.deliveryKey };
}

/** Clicks the download link, and returns the saved file. */
export async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const begun = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download Now (eBook)' }).click();
  const saved = await begun;
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

/** Runs `work` in a new browser that has no session. */
export async function inAnonymousBrowser(
  browser: Browser,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: theSystem().siteUrl });
  await work(await context.newPage());
  await context.close();
}
