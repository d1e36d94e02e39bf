import { guidelineLabels } from '@stoa/contracts';
import { fetchApi } from '../src/api.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { makeOperatorOf } from '../src/keycloak-admin.ts';
import { readSitemap } from '../src/sitemap.ts';
import { expect, test } from '../src/test.ts';

test('a visitor reports an offering, an operator hides it everywhere, its creator appeals, and it is restored', async ({
  browser,
  page,
  signedInPage,
  creator,
}) => {
  test.setTimeout(120_000);
  expect(signedInPage).toBe(page);
  const { title, slug } = await makeOffering(creator.token, { title: `Letters of ${creator.username}` });
  const address = `/profile/${creator.username}/${slug}`;
  const seen = async () => {
    const list = await (await fetchApi('GET', `/api/creators/${creator.username}/offerings`)).text();
    const profile = await (await fetchApi('GET', `/api/creators/${creator.username}`)).text();
    const pages = [address, `/profile/${creator.username}`].map(async (path) =>
      (await fetchApi('GET', path)).text(),
    );
    return {
      api: (await fetchApi('GET', `/api/creators/${creator.username}/offerings/${slug}`)).status === 200,
      list: list.includes(title),
      count: profile.includes('"offeringCount":1'),
      pages: (await Promise.all(pages)).every((text) => text.includes(title)),
      sitemap: (await readSitemap()).includes(address),
    };
  };
  const all = (value: boolean) => ({ api: value, list: value, count: value, pages: value, sitemap: value });
  await expect.poll(seen).toEqual(all(true));

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(address);
  await visitor.getByRole('link', { name: 'Report this page' }).click();
  await visitor.getByLabel('Which guideline does it go against?').selectOption(guidelineLabels.misleading);
  await visitor.getByLabel('What is wrong?').fill('I paid and got nothing.');
  await expectAccessible(visitor, 'report');
  await visitor.getByRole('button', { name: 'Send Report' }).click();
  await expect(visitor.getByText(/^Thank you\./)).toBeVisible();

  const operator = await makeCreator();
  await makeOperatorOf(operator.uid);
  const room = await (await browser.newContext({ storageState: operator.browserState })).newPage();
  await room.goto('/dashboard');
  await room.getByRole('link', { name: 'Reports' }).click();
  const reported = room.getByRole('article', { name: title });
  await expect(reported.getByText('I paid and got nothing.')).toBeVisible();
  await expect(reported.getByText('https://pay.example.com', { exact: false })).toBeVisible();
  await expectAccessible(room, 'review');
  await reported.getByLabel('Words to the creator').fill('Say what a buyer gets.');
  await reported.getByRole('button', { name: /^Hide/ }).click();
  await expect(room.getByText('It is hidden, and its creator is told why.', { exact: true })).toBeVisible();
  await expect.poll(seen, { timeout: 10_000 }).toEqual(all(false));

  await page.goto('/dashboard');
  const hidden = page.getByRole('region', { name: 'Hidden by Stoa' });
  await expect(hidden.getByText('Say what a buyer gets.')).toBeVisible();
  await hidden.getByLabel('Why should it be shown again?').fill('I have said it now.');
  await expectAccessible(page, 'takedown');
  await hidden.getByRole('button', { name: 'Appeal' }).click();
  await expect(
    hidden.getByText('You have appealed. Somebody looks at it again and writes to you.'),
  ).toBeVisible();

  await room.goto('/review');
  await expect(reported.getByText('I have said it now.')).toBeVisible();
  await reported.getByRole('button', { name: /^Restore/ }).click();
  await expect(room.getByText('It is shown again.', { exact: true })).toBeVisible();
  await expect.poll(seen, { timeout: 10_000 }).toEqual(all(true));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(hidden).toHaveCount(0);
});

test('a creator without the role finds nothing in the room of operators', async ({ signedInPage: page }) => {
  await page.goto('/review');
  await expect(page.getByText('This room is for the people who look at reports.')).toBeVisible();
  await expectAccessible(page, 'review-refused');
});
