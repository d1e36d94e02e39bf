import { strFromU8, unzipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import { openAccountRow } from '../src/account-row.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeOffering, uploadFile } from '../src/creators.ts';
import { randomFile } from '../src/files.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { expect, test } from '../src/test.ts';

test('a creator exports the account, gets a mail and downloads the archive [e2e-52]', async ({
  signedInPage: page,
  creator,
}) => {
  await verifyEmail(creator);
  const files = [randomFile(1000, 'one.zip'), randomFile(2000, 'two.zip')];
  const stored = await Promise.all(files.map((file) => uploadFile(creator.token, file)));
  const delivered = {
    deliveryText: 'The password is “swordfish”.',
    deliveryUrl: 'https://course.example.com/in',
  };
  const choices = stored.map(({ id }) => ({ id }));
  const offering = await makeOffering(creator.token, { files: choices, ...delivered });
  await page.goto('/dashboard/account');
  const sessions = await openAccountRow(page, 'Where You Are Signed In');
  await expect(sessions.getByRole('heading', { name: / on Linux$/ })).toBeVisible();
  const section = await openAccountRow(page, 'Export Your Data');
  await section.getByRole('button', { name: 'Export My Data' }).click();
  const isMine = isTo(creator.email);
  const mail = await waitForMail((one) => isMine(one) && one.subject === 'Your Stoa export is ready');
  const link = /\S+\/dashboard\/account\?export/.exec(mail.text)?.[0] ?? '';

  const { pathname, search } = new URL(link);
  await page.goto(pathname + search);
  const downloading = page.waitForEvent('download');
  await section.getByRole('link', { name: 'Download Your Export' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('stoa-export.zip');
  const entries = unzipSync(new Uint8Array(await readFile(await download.path())));
  const jsonOf = (name: string): unknown => JSON.parse(strFromU8(entries[name] ?? new Uint8Array()));
  expect(jsonOf('account.json')).toMatchObject({ username: creator.username, email: creator.email });
  expect(jsonOf('profile.json')).toMatchObject({ username: creator.username });
  const named = [{ filename: 'one.zip' }, { filename: 'two.zip' }];
  const exported = { items: [{ id: offering.id, ...delivered, files: named }] };
  expect(jsonOf('offerings.json')).toMatchObject(exported);
  for (const [index, { id, filename }] of stored.entries())
    expect(files[index]?.buffer.equals(entries[`files/${id}/${filename}`] ?? new Uint8Array())).toBe(true);
  const here = expect.objectContaining({
    current: true,
    browser: expect.stringMatching(/^Chrom\w+ on Linux$/) as unknown,
  });
  expect(jsonOf('sessions.json')).toMatchObject({ items: expect.arrayContaining([here]) as unknown });
  // The log of link changes begins with the publication of the payment link.
  expect(jsonOf('link-changes.json')).toMatchObject({ items: [{ offeringId: offering.id, before: [] }] });
  expect(jsonOf('messages-1.json')).toEqual({ items: [] });
  const picture = entries[`pictures/${offering.coverImage?.id}.webp`];
  expect(strFromU8((picture ?? new Uint8Array()).slice(8, 12))).toBe('WEBP');
  await expectAccessible(page, 'account-export');
});

test('a double click starts one export', async ({ signedInPage: page }) => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/account/export')) asked += 1;
  });
  await page.goto('/dashboard/account');
  const section = await openAccountRow(page, 'Export Your Data');
  await section.getByRole('button', { name: 'Export My Data' }).dblclick();
  await expect(section.getByText(/^Your export is (being made|ready)/)).toBeVisible();
  expect(asked).toBe(1);
});
