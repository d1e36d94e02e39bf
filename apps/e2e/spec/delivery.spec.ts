import { makeCreator, makeOffering } from '../src/creators.ts';
import { inAnonymousBrowser, download, makeOfferingWithFile, offeringNotFound } from '../src/delivery.ts';
import { randomFile, sparseFile } from '../src/files.ts';
import { expect, row, test } from '../src/spec-test.ts';

const limit = 200 * 1024 * 1024;
const tooLarge = 'The file must not be larger than 200MB.';

test('the download link names the type of its offering', async ({ page }) => {
  const creator = await makeCreator();
  for (const type of ['PDF / Digital Download', 'Workshop'] as const) {
    const { offering, page: path } = await makeOfferingWithFile(creator, randomFile(1000), { type });
    await page.goto(`${path}#key=${offering.deliveryKey}`);
    const link = page.getByRole('link', { name: `Download Now (${type})`, exact: true });
    await expect(link).toHaveAttribute('href', /X-Amz-Signature=/);
  }
});

test(
  ...row(
    'd.download.rotated',
    'the link is rotated after a question; a buyer follows the old one, then the new',
  ),
  async ({ signedInPage: page, creator, browser }) => {
    const file = randomFile();
    const { offering } = await makeOfferingWithFile(creator, file);
    await page.goto(`/dashboard/edit-offering/${offering.id}`);
    const field = page.getByLabel('Delivery link');
    const old = await field.inputValue();

    await page.getByRole('button', { name: 'Rotate link' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('old links stop working');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(field).toHaveValue(old);

    await page.getByRole('button', { name: 'Rotate link' }).click();
    await question.getByRole('button', { name: 'Rotate link' }).click();
    await expect(page.getByText('The link was replaced. The old one no longer works.')).toBeVisible();
    const rotated = await field.inputValue();
    expect(rotated).not.toBe(old);

    await inAnonymousBrowser(browser, async (buyer) => {
      await buyer.goto(old);
      await expect(buyer.getByText(offeringNotFound)).toBeVisible();
      await expect(buyer.getByText('A book of letters')).toHaveCount(0);
      await buyer.goto(rotated);
      expect((await download(buyer)).bytes.equals(file.buffer)).toBe(true);
    });
  },
);

test(
  ...row('d.download.size', 'a file of one byte more is refused, one of exactly 200 MiB is taken'),
  async ({ signedInPage: page, creator }, info) => {
    const { id } = await makeOffering(creator.token);
    await page.goto(`/dashboard/edit-offering/${id}`);
    const field = page.getByLabel('Downloadable File');
    await field.setInputFiles(await sparseFile(limit + 1, info));
    await expect(page.getByText(tooLarge)).toBeVisible();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.setInputFiles(await sparseFile(limit, info));
    await expect(page.getByText(tooLarge)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible({ timeout: 45_000 });
    await expect(page.getByText('200 MB', { exact: true })).toBeVisible();
  },
);
