import {
  type CreatorPage,
  embedPath,
  feedPath,
  guidelineLabels,
  type Offering,
  paths,
} from '@stoa/contracts';
import type { Locator, Page } from '@playwright/test';
import { fetchApi, fetchJson } from '../src/api.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeCreator, makeOffering, type TestCreator } from '../src/creators.ts';
import { makeOperatorOf } from '../src/keycloak-admin.ts';
import { decide, makeOperator, makeReport, openCase } from '../src/review-use-cases.ts';
import { readSitemap } from '../src/sitemap.ts';
import { expect, test } from '../src/test.ts';

/** Hides the page that a case is about, and confirms the dialog. */
async function hide(room: Page, reported: Locator): Promise<void> {
  await reported.getByRole('button', { name: /^Hide/ }).click();
  await room
    .getByRole('alertdialog', { name: /^Hide “/ })
    .getByRole('button', { name: 'Hide It' })
    .click();
}

/** Whether the page at this path contains the text; its HTTP status if that is not 200. */
async function shows(path: string, text: string): Promise<boolean | number> {
  const response = await fetchApi('GET', path);
  const body = await response.text();
  return response.status === 200 ? body.includes(text) : response.status;
}

/** Reads at which public paths a creator and the only offering are visible. Returns the error if a read fails. */
const whatIsSeen = (creator: TestCreator, offering: Offering) =>
  readEverywhere(creator, offering).catch((error: unknown) => String(error));

async function readEverywhere({ username }: TestCreator, { title, slug }: Offering) {
  const [profile, offering] = [paths.profile(username), paths.offering(username, slug)];
  const api = `/api/creators/${username}`;
  const [pages, answers, { items }, sitemap] = await Promise.all([
    Promise.all(
      [offering, profile, embedPath(username), feedPath(username)].map((path) => shows(path, title)),
    ),
    Promise.all([
      shows(`${api}/offerings/${slug}`, title),
      shows(`${api}/offerings`, title),
      shows(api, '"offeringCount":1'),
    ]),
    fetchJson<CreatorPage>('GET', `/api/creators?search=${username}`),
    readSitemap(),
  ]);
  const card = items.find((item) => item.username === username);
  const [offeringPage, profilePage, embed, feed] = pages;
  const [offeringOfApi, listOfApi, countOfApi] = answers;
  return {
    ...{ offeringPage, profilePage, embed, feed, offeringOfApi, listOfApi, countOfApi },
    thumbnail: card?.thumbnails?.length === 1,
    offeringInSitemap: sitemap.includes(`${offering}<`),
    card: card !== undefined,
    profileInSitemap: sitemap.includes(`${profile}<`),
  };
}

/** Expects that the public address of the cover refuses all requests. */
async function expectCoverIsHidden({ coverImage }: Offering): Promise<void> {
  if (!coverImage) throw new Error('The offering has no cover.');
  const { mediaUrl } = await fetchJson<{ mediaUrl: string }>('GET', '/api/config');
  const url = `${mediaUrl}/${coverImage.path}/${Math.min(...coverImage.widths)}.webp`;
  await expect.poll(async () => (await fetch(url)).status, { timeout: 30_000 }).toBe(403);
}

/** Expects that the operator's page shows the picture, although its public address refuses it. */
async function expectPreview(picture: Locator): Promise<void> {
  await picture.scrollIntoViewIfNeeded();
  await expect(picture).toHaveAttribute('src', /^data:image\/webp/);
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

const offeringHidden = {
  ...{ offeringPage: 404, profilePage: false, embed: false, feed: false },
  ...{ offeringOfApi: 404, listOfApi: false, countOfApi: false, thumbnail: false, offeringInSitemap: false },
  ...{ card: true, profileInSitemap: true },
};
const profileHidden = {
  ...{ offeringPage: 404, profilePage: 404, embed: 404, feed: 404 },
  ...{ offeringOfApi: 404, listOfApi: 404, countOfApi: 404, thumbnail: false, offeringInSitemap: false },
  ...{ card: false, profileInSitemap: false },
};
const everywhere = Object.fromEntries(Object.keys(offeringHidden).map((place) => [place, true]));

test('a reported offering is hidden, appealed and restored [e2e-134]', async ({
  browser,
  page,
  signedInPage,
  creator,
}) => {
  test.setTimeout(120_000);
  expect(signedInPage).toBe(page);
  const offering = await makeOffering(creator.token, { title: `Letters of ${creator.username}` });
  const { title } = offering;
  const seen = () => whatIsSeen(creator, offering);
  await expect.poll(seen).toEqual(everywhere);

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(paths.offering(creator.username, offering.slug));
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
  await expect(room.getByRole('heading', { name: 'Your Offerings (0)' })).toBeVisible();
  // The dashboard shows operators no steps towards a first profile, because they may not need one.
  await expect(room.getByRole('heading', { name: /: \d of 5$/ })).toHaveCount(0);
  await room.getByRole('link', { name: 'Reports' }).click();
  const reported = room.getByRole('article', { name: title });
  await expect(reported.getByText('I paid and got nothing.')).toBeVisible();
  await expect(reported.getByText('https://pay.example.com', { exact: false })).toBeVisible();
  await expectAccessible(room, 'review');
  await reported.getByLabel('Words to the creator').fill('Say what a buyer gets.');
  await hide(room, reported);
  await expect(room.getByText('It is hidden. Its creator gets the reason.', { exact: true })).toBeVisible();
  await expect.poll(seen, { timeout: 30_000 }).toEqual(offeringHidden);
  await expectCoverIsHidden(offering);

  await page.goto('/dashboard');
  await expectPreview(page.getByRole('article').filter({ hasText: title }).locator('img'));
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
  await expectPreview(reported.getByRole('img', { name: 'What it shows as its picture' }));
  await reported.getByRole('button', { name: /^Restore/ }).click();
  await expect(room.getByText('It is shown again.', { exact: true })).toBeVisible();
  await expect.poll(seen, { timeout: 30_000 }).toEqual(everywhere);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(hidden).toHaveCount(0);
});

test('a hidden profile is not public with its offering until it is restored [e2e-135]', async ({
  creator,
}) => {
  const offering = await makeOffering(creator.token);
  const seen = () => whatIsSeen(creator, offering);
  await expect.poll(seen).toEqual(everywhere);

  const { token } = await makeOperator();
  const caseId = await openCase(token, creator);
  await decide(token, caseId, { decision: 'hide', reason: 'fraud', text: '' });
  await expect.poll(seen, { timeout: 30_000 }).toEqual(profileHidden);

  await decide(token, caseId, { decision: 'restore', text: '' });
  await expect.poll(seen, { timeout: 30_000 }).toEqual(everywhere);
});

test('a decision needs a recent log-in and keeps the input [e2e-136]', async ({ browser, creator }) => {
  test.setTimeout(120_000);
  const offering = await makeOffering(creator.token, { title: `Songs of ${creator.username}` });
  const { uid, password, browserState } = await makeCreator();
  await makeOperatorOf(uid);
  await fetchApi('POST', '/api/reports', { body: makeReport(creator.username, offering.slug) });
  const room = await (await browser.newContext({ storageState: browserState })).newPage();
  // Answers as the API does when the log-in is older than 10 minutes. apps/creators/test contains a test of the rule itself.
  await room.route(
    '**/api/review/cases/*/decisions',
    (route) =>
      route.fulfill({ status: 403, json: { title: 'Forbidden', status: 403, code: 'fresh_login_required' } }),
    { times: 1 },
  );
  await room.goto('/review');
  const reported = room.getByRole('article', { name: offering.title });
  await reported.getByLabel('Words to the creator').fill('It asks for passwords.');
  await hide(room, reported);
  await expect(room.getByRole('alertdialog', { name: 'Log in again to decide' })).toBeVisible();
  await expectAccessible(room, 'review-fresh-login');
  await room.getByRole('button', { name: 'Log In Again' }).click();
  await room.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await room.getByRole('button', { name: 'Log In' }).click();

  await expect(reported.getByLabel('Words to the creator')).toHaveValue('It asks for passwords.');
  await hide(room, reported);
  await expect(room.getByText('It is hidden. Its creator gets the reason.', { exact: true })).toBeVisible();
});

test("a creator without the role sees nothing on the operators' page [e2e-137]", async ({
  signedInPage: page,
}) => {
  await page.goto('/review');
  await expect(page.getByText('This room is for the people who look at reports.')).toBeVisible();
  await expectAccessible(page, 'review-refused');
});
