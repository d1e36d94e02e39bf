import type {
  Creator,
  CreatorPage,
  Download,
  Offering,
  PublicCreator,
  PublicOffering,
} from '@stoa/contracts';
import type { Page, Response } from '@playwright/test';
import { openAndReadData } from '../src/navigation.ts';
import { randomFile } from '../src/files.ts';
import { newAccount, makeCreator, makeFullCreator, makeOffering, uploadFile } from '../src/creators.ts';
import { subjectOf } from '../src/token.ts';
import { expect, residentTest, row, test } from '../src/spec-test.ts';

/** Opens `address`, and returns the response of the API for `path`. */
async function answerTo(page: Page, path: string, address: string): Promise<Response> {
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === 'GET' && new URL(response.url()).pathname === path,
    ),
    page.goto(address),
  ]);
  expect(answer.status()).toBe(200);
  return answer;
}

residentTest(
  ...row('7.read.creator', 'the dashboard is opened; the answer is the record of the user in the token'),
  async ({ page, resident }) => {
    const answer = await answerTo(page, '/api/me', '/dashboard');
    const { uid, username } = (await answer.json()) as Creator;
    expect(uid).toBe(subjectOf((await answer.request().allHeaders()).authorization));
    expect({ uid, username }).toEqual({ uid: resident.uid, username: resident.username });
    await expect(page.getByText(`@${username}`, { exact: true })).toBeVisible();
  },
);

test(
  ...row('7.read.creators', 'the page shows all creators, and each creator in the answer has a card'),
  async ({ page }) => {
    // Complete profiles come first, so this creator is on the first page.
    const { uid } = await makeFullCreator();
    const cards = page.getByRole('main').getByRole('article');
    // Repeats the check, because the gateway may show a cached list for a moment.
    await expect(async () => {
      const { items } = await openAndReadData<CreatorPage>(page, '/api/creators', '/browse-creators');
      expect(items.map((item) => item.uid)).toContain(uid);
      await expect(cards.getByRole('heading')).toHaveText(items.map(({ displayName }) => displayName));
    }).toPass();
  },
);

test(
  ...row('7.read.username', 'a profile is opened while another username begins with the same letters'),
  async ({ page }) => {
    const creator = await makeCreator();
    const { displayName } = await makeCreator({ ...newAccount(), username: `${creator.username}-2` });
    for (const [username, name] of [
      [creator.username, creator.displayName],
      [`${creator.username}-2`, displayName],
    ] as const) {
      const path = `/api/creators/${username}`;
      const shown = await openAndReadData<PublicCreator>(page, path, `/profile/${username}`);
      expect(shown.username).toBe(username);
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    }
  },
);

residentTest(
  ...row('7.read.offerings', "a creator's profile and dashboard, while another creator also has an offering"),
  async ({ page, resident }) => {
    const theirs = await makeOffering((await makeCreator()).token);
    for (const [path, address] of [
      [`/api/creators/${resident.username}/offerings`, `/profile/${resident.username}`],
      ['/api/me/offerings', '/dashboard'],
    ] as const) {
      const { items } = await openAndReadData<{ items: (PublicOffering | Offering)[] }>(page, path, address);
      expect(items.map(({ creatorId }) => creatorId)).toEqual([resident.uid, resident.uid]);
      for (const { title } of items) {
        await expect(page.getByRole('article').filter({ hasText: title })).toBeVisible();
      }
      await expect(page.getByText(theirs.title)).toHaveCount(0);
    }
  },
);

residentTest(
  ...row('7.read.offering', 'an own offering is opened for editing'),
  async ({ page, resident }) => {
    const { offeringId } = resident;
    const answer = await answerTo(
      page,
      `/api/offerings/${offeringId}`,
      `/dashboard/edit-offering/${offeringId}`,
    );
    expect(((await answer.json()) as Offering).id).toBe(offeringId);
    await expect(page.getByLabel('Title')).toHaveValue(
      'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
    );
  },
);

test(
  ...row('7.read.nested', 'the download page of an offering with a file'),
  async ({ signedInPage: page, creator }) => {
    const file = await uploadFile(creator.token, randomFile());
    const { id, title } = await makeOffering(creator.token, { files: [{ id: file.id }] });
    const nested = `${creator.uid}/${id}`;
    const answer = await answerTo(page, `/api/downloads/${nested}`, `/download/${nested}`);
    const download = (await answer.json()) as Download;
    expect(download).toMatchObject({ title, type: 'eBook' });
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    const link = page.getByRole('link', { name: 'Download Now (eBook)' });
    await expect(link).toHaveAttribute('href', download.mediaUrl ?? 'no mediaUrl');
  },
);
