import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { fetchApi } from '../src/api.ts';
import { makeCreator, makeOffering, uploadFile } from '../src/creators.ts';
import { randomFile } from '../src/files.ts';
import { logIn } from '../src/sign-in.ts';
import { expect, lines, residentTest as test, row, rows, test as ownTest } from '../src/spec-test.ts';

async function expectProblem(page: Page, path: string, words: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(words, { exact: true })).toBeVisible();
}

test.describe('of an offering', () => {
  let page: Page;

  test.beforeEach(async ({ openAsResident, resident }) => {
    page = await openAsResident(`/download/${resident.uid}/${resident.offeringId}`);
  });

  test(...row('2.download.title', 'a signed-in creator opens the link of an offering'), async () => {
    await expect(
      page.getByRole('heading', { name: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle' }),
    ).toBeVisible();
  });

  test(...row('2.download.thanks', 'a signed-in creator opens the link of an offering'), async () => {
    await expect(page.getByText('Thank you for supporting an independent creator.')).toBeVisible();
  });

  test(...row('2.download.no-file', 'an offering without a file'), async ({ words }) => {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Download Now/ })).toHaveCount(0);
  });
});

test(
  ...row('2.download.invalid', 'paths that lack a part or name no offering'),
  async ({ page, resident, words }) => {
    for (const path of ['/download', `/download/${resident.uid}`, '/download/nonsense/nonsense']) {
      await expectProblem(page, path, words);
    }
  },
);

test(
  ...row('3.download', "an offering under another creator's id is not there"),
  async ({ page, resident }) => {
    const { uid } = await makeCreator();
    await expectProblem(
      page,
      `/download/${uid}/${resident.offeringId}`,
      "Sorry, we couldn't find that offering.",
    );
    await page.goto(`/download/${resident.uid}/${resident.offeringId}`);
    await expect(page.getByRole('heading', { name: /^Averyvery/ })).toBeVisible();
  },
);

test(
  ...rows({
    '2.download.not-found': 'an offering that does not exist',
    '2.download.error': 'an offering that does not exist',
    '2.download.home': 'the link is followed',
  }),
  async ({ page, resident, words }) => {
    await expectProblem(page, `/download/${resident.uid}/${randomUUID()}`, words);
    await expect(page.getByRole('heading', { level: 1, name: lines['2.download.error'] })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Home' })).toBeVisible();
    await page.goto(`/download/${resident.uid}/${resident.offeringId}`);
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/');
  },
);

test.describe('without an account', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test(
    ...row('d.download.guarded', 'a visitor opens the link, logs in, and is led back to it'),
    async ({ page, resident }) => {
      const path = `/download/${resident.uid}/${resident.offeringId}`;
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: 'Your link is not whole' })).toBeVisible();
      await page.getByRole('button', { name: 'I Am the Creator: Log In' }).click();
      await logIn(page, resident);
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { name: /^Averyvery/ })).toBeVisible();
    },
  );
});

ownTest(
  ...rows({
    '2.download.no-data': 'the offering is deleted while its download page is open',
    '2.download.file': 'its owner opens the link and follows it',
  }),
  async ({ signedInPage: page, creator, words }) => {
    const file = await uploadFile(creator.token, randomFile());
    const { id } = await makeOffering(creator.token, { files: [{ id: file.id }] });
    await page.goto(`/download/${creator.uid}/${id}`);
    const link = page.getByRole('link', { name: 'Download Now (eBook)' });
    const begun = page.waitForEvent('download');
    await link.click();
    expect(await (await begun).failure()).toBeNull();
    await expect(link).toBeVisible();
    expect((await fetchApi('DELETE', `/api/offerings/${id}`, { token: creator.token })).status).toBe(204);
    await link.click();
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  },
);
