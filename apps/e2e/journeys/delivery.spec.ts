import { paths } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeOffering, uploadFile } from '../src/creators.ts';
import { inAnonymousBrowser } from '../src/delivery.ts';
import { randomFile } from '../src/files.ts';
import { logLines } from '../src/logs.ts';
import { expect, test } from '../src/test.ts';

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Offering updated successfully!')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
}

async function downloaded(page: Page, name: string): Promise<Buffer> {
  const begun = page.waitForEvent('download');
  await page.getByRole('link', { name: `Download ${name}` }).click();
  const saved = await begun;
  expect(saved.suggestedFilename()).toBe(name);
  return readFile(await saved.path());
}

test('two files, a link and a text reach a buyer without an account [e2e-77]', async ({
  signedInPage: page,
  creator,
  browser,
}) => {
  const [one, two] = [randomFile(40_000, 'workbook.pdf'), randomFile(50_000, 'recording.mp3')];
  const { id } = await makeOffering(creator.token, { title: 'A course of letters' });
  await makeOffering(creator.token, { title: 'Another course' });
  const editor = `/dashboard/edit-offering/${id}`;
  let link = '';

  await test.step('the creator adds files, a link and a text', async () => {
    await page.goto(editor);
    await page.getByLabel('Downloadable Files').setInputFiles([two, one]);
    await expect(page.getByRole('button', { name: 'Remove file recording.mp3' })).toBeVisible();
    await page.getByRole('button', { name: 'Move workbook.pdf up' }).click();
    await expect(page.getByText('“workbook.pdf” is now number 1 of 2.')).toBeAttached();
    await page.getByLabel('Link for Buyers').fill('https://course.example.com/in');
    await page.getByLabel('Text for Buyers').fill('The password is swordfish-of-letters.');
    await expectAccessible(page, 'offering-with-files');
    await save(page);
    await page.goto(editor);
    link = await page.getByLabel('Delivery link').inputValue();
  });

  await inAnonymousBrowser(browser, async (buyer) => {
    await buyer.goto(link);
    await expect(buyer.getByRole('heading', { name: 'A course of letters' })).toBeVisible();
    await expect(buyer.getByText('The password is swordfish-of-letters.')).toBeVisible();
    const course = buyer.getByRole('link', { name: 'Open Your Link' });
    await expect(course).toHaveAttribute('href', 'https://course.example.com/in');
    await expect(buyer.getByText('course.example.com', { exact: true })).toBeVisible();
    const files = buyer.getByRole('region', { name: 'Your 2 files' });
    await expect(files.getByRole('listitem').first()).toContainText('workbook.pdf');
    expect((await downloaded(buyer, 'workbook.pdf')).equals(one.buffer)).toBe(true);
    expect((await downloaded(buyer, 'recording.mp3')).equals(two.buffer)).toBe(true);
    await expect(buyer.getByText('Keep this link: it opens your download again.')).toBeVisible();
    await expect(buyer.getByRole('link', { name: `Ask ${creator.displayName}` })).toBeVisible();
    const more = buyer.getByRole('region', { name: `More from ${creator.displayName}` });
    await expect(more.getByRole('link', { name: 'Another course' })).toBeVisible();
    await expectAccessible(buyer, 'download-several');
  });

  for (const secret of ['swordfish-of-letters', 'course.example.com/in'])
    expect(logLines().filter(({ text }) => text.includes(secret))).toEqual([]);
});

test('a buyer finds a new version with its note through the old link [e2e-78]', async ({
  signedInPage: page,
  creator,
  browser,
}) => {
  const better = randomFile(45_000, 'workbook-2.pdf');
  const stored = await Promise.all(
    ['workbook.pdf', 'recording.mp3'].map((name) => uploadFile(creator.token, randomFile(40_000, name))),
  );
  const files = stored.map(({ id }) => ({ id }));
  const { id, deliveryKey } = await makeOffering(creator.token, { title: 'A course of letters', files });

  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Another version of workbook.pdf').setInputFiles(better);
  await page.getByLabel('What is new in this version').fill('Fixed page 12');
  await expectAccessible(page, 'offering-new-version');
  await save(page);

  await inAnonymousBrowser(browser, async (buyer) => {
    await buyer.goto(`${paths.download(creator.uid, id)}#key=${deliveryKey}`);
    await expect(buyer.getByText(/^Updated .*: Fixed page 12$/)).toBeVisible();
    expect((await downloaded(buyer, 'workbook-2.pdf')).equals(better.buffer)).toBe(true);
    await expect(buyer.getByText('workbook.pdf')).toHaveCount(0);
  });
});
