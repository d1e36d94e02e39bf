import type { CreatorPage } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { fetchJson } from '../src/api.ts';
import { updateRow } from '../src/database.ts';
import { makeCreator, type TestCreator, saveProfile } from '../src/creators.ts';
import { withManyCreators } from '../src/many-creators.ts';
import { expect, lines, row, rows, test } from '../src/spec-test.ts';

const cardsOf = (page: Page) => page.getByRole('main').getByRole('article');
const searchOf = (page: Page) => page.getByRole('searchbox', { name: 'Search creators' });
const filtersOf = (page: Page) => page.getByRole('group', { name: 'Filter by niche' }).getByRole('button');

const onlyCard = async (page: Page) => {
  await expect(cardsOf(page)).toHaveCount(1);
  return cardsOf(page);
};

/** Searches for a creator by a word that no other creator has. */
async function cardOf(page: Page, search: string) {
  await page.goto(`/browse-creators?search=${encodeURIComponent(search)}`);
  return onlyCard(page);
}

const withBio = ({ token, displayName }: TestCreator, bio: string) =>
  saveProfile(token, { displayName, bio });

test(
  ...row('2.browse.all', 'the list is opened, and that of a search walked to its end'),
  async ({ page }) => {
    const more = page.getByRole('button', { name: /^Load(ing)? more creators/ });
    const loadUntil = (isEnough: (count: number) => boolean) =>
      expect(async () => {
        if (await more.isVisible()) await more.click({ timeout: 1000 });
        expect(isEnough(await cardsOf(page).count())).toBe(true);
      }).toPass();

    await withManyCreators(60, async (mark) => {
      // Repeats the check, because the gateway may show a cached list for a moment.
      await makeCreator();
      await expect(async () => {
        await page.goto('/browse-creators');
        await expect(more).toBeVisible({ timeout: 1000 });
      }).toPass();
      await expect(page.getByText(/^[\d,]+\+? creators$/)).toBeVisible();
      await loadUntil((count) => count > 48);

      // A search for `mark` finds only these creators, so no other test changes the list.
      await page.goto(`/browse-creators?search=${mark}`);
      await expect(page.getByText('60 creators', { exact: true })).toBeVisible();
      await expect(more).toBeVisible();
      await loadUntil((count) => count === 60);
      const names = await cardsOf(page).getByRole('heading').allInnerTexts();
      expect(new Set(names)).toEqual(new Set(Array.from({ length: 60 }, (_, n) => `${mark} ${n + 1}`)));
      await expect(more).toHaveCount(0);
    });
  },
);

test(...row('2.browse.picture', 'a creator with a picture'), async ({ openAsVisitor, resident }) => {
  const card = await onlyCard(await openAsVisitor(`/browse-creators?search=${resident.username}`));
  const picture = card.getByRole('img', { name: resident.displayName, exact: true });
  await expect
    .poll(() => picture.evaluate((node) => (node as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
});

test(...row('2.browse.placeholder', 'a creator without a picture'), async ({ openAsVisitor, newcomer }) => {
  const card = await onlyCard(await openAsVisitor(`/browse-creators?search=${newcomer.username}`));
  await expect(card.getByRole('img', { name: `${newcomer.displayName} (no picture yet)` })).toBeVisible();
});

test(...row('2.browse.name', 'a creator with a display name'), async ({ openAsVisitor, resident }) => {
  const card = await onlyCard(await openAsVisitor(`/browse-creators?search=${resident.username}`));
  await expect(card.getByRole('heading', { name: resident.displayName, exact: true })).toBeVisible();
});

test(...row('2.browse.unnamed', 'a record without a display name'), async ({ page, words }) => {
  const { username, uid } = await makeCreator();
  await updateRow('creators', `UPDATE creator SET display_name = '' WHERE uid = $1`, [uid]);
  const card = await cardOf(page, username);
  await expect(card.getByRole('heading', { name: words, exact: true })).toBeVisible();
});

test(...row('2.browse.niches', 'a creator with four niches'), async ({ openAsVisitor, resident }) => {
  const card = await onlyCard(await openAsVisitor(`/browse-creators?search=${resident.username}`));
  await expect(card.getByRole('list', { name: /^Niches/ }).getByRole('listitem')).toHaveText([
    'Writer',
    'Poet',
    'Healer',
    'Coach',
  ]);
});

test(
  ...rows({
    '2.browse.bio': 'a creator with a long bio',
    '9.bio.75': 'a bio of exactly 75 characters',
    '9.bio.76': 'a bio of 76 characters',
    '9.bio.as-people-count': 'a bio of 80 family emoji',
  }),
  async ({ page, creator }) => {
    const family = '👨‍👩‍👧‍👦';
    const words = `${creator.username} `.repeat(9).trim();
    const full = 'Seventy-five characters of patience, '.repeat(3).slice(0, 74).concat('!');
    const kept = 'x'.repeat(75);
    for (const [bio, shown] of [
      [words, words.slice(0, 75)],
      [full, full],
      [`${kept}Z`, kept],
      [family.repeat(80), family.repeat(75)],
    ] as const) {
      await withBio(creator, bio);
      // Waits until the gateway's cache has the change.
      const listed = () => fetchJson<CreatorPage>('GET', `/api/creators?search=${creator.username}`);
      await expect.poll(async () => (await listed()).items[0]?.bioPreview).toContain(shown);
      const card = await cardOf(page, creator.username);
      await expect(card.getByText(`${shown}...`, { exact: true })).toBeVisible();
    }
  },
);

test(...row('2.browse.no-bio', 'a creator without a bio'), async ({ openAsVisitor, newcomer, words }) => {
  const card = await onlyCard(await openAsVisitor(`/browse-creators?search=${newcomer.username}`));
  await expect(card.getByText(words, { exact: true })).toBeVisible();
});

test(...row('2.browse.link', 'the link of a card is followed'), async ({ page, resident }) => {
  const card = await cardOf(page, resident.username);
  await card.getByRole('link', { name: 'View Profile' }).click();
  await expect(page).toHaveURL(`/profile/${resident.username}`);
  await expect(page.getByRole('heading', { level: 1, name: resident.displayName })).toBeVisible();
});

test(
  ...rows({
    '2.browse.search-name': 'a part of a display name is typed',
    '2.browse.search-username': 'a username is typed',
    '2.browse.search-bio': 'a word of a bio is typed',
    '2.browse.search-case': 'a username is typed in capitals',
    '2.browse.empty': 'a search without matches',
  }),
  async ({ page, creator }) => {
    const { token, username } = creator;
    const [name, word] = [`Zanele ${randomUUID().slice(0, 13)}`, `bookbinder${randomUUID().slice(0, 8)}`];
    await saveProfile(token, { displayName: name, bio: `I have been a ${word} since childhood.` });
    await page.goto('/browse-creators');
    for (const typed of [name.slice(3), username, word, username.toUpperCase()]) {
      await searchOf(page).fill(randomUUID());
      await expect(page.getByText(lines['2.browse.empty'], { exact: true })).toBeVisible();
      await expect(cardsOf(page)).toHaveCount(0);
      await searchOf(page).fill(typed);
      await expect(page.getByRole('status')).toHaveText('1 creator');
      await expect(cardsOf(page).getByRole('heading', { name, exact: true })).toBeVisible();
    }
  },
);

test(...row('2.browse.filters', 'each niche is chosen'), async ({ page, resident }) => {
  await page.goto(`/browse-creators?search=${resident.username}`);
  await expect(filtersOf(page)).toHaveText([
    'All',
    'Writer',
    'Artist',
    'Healer',
    'Coach',
    'Musician',
    'Poet',
  ]);
  const has = ['All', 'Writer', 'Healer', 'Coach', 'Poet'];
  for (const niche of ['Writer', 'Artist', 'Healer', 'Musician', 'Coach', 'Poet', 'All']) {
    await filtersOf(page).filter({ hasText: niche }).click();
    await expect(filtersOf(page).filter({ hasText: niche })).toHaveAttribute('aria-pressed', 'true');
    await expect(cardsOf(page)).toHaveCount(has.includes(niche) ? 1 : 0);
    await expect(page.getByText(/^No creators found/)).toHaveCount(has.includes(niche) ? 0 : 1);
  }
});

test(...row('9.browse-filters', 'the browse page'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/browse-creators');
  await expect(filtersOf(page)).toHaveCount(7);
  await expect(filtersOf(page).first()).toHaveText('All');
});

test(
  ...row('d.browse.address', 'a found creator is visited and left with the back button'),
  async ({ page }) => {
    const creator = await makeCreator();
    await saveProfile(creator.token, { displayName: creator.displayName, niches: ['Musician'] });
    await page.goto(`/browse-creators?search=${creator.username}&niche=Musician`);
    await expect(searchOf(page)).toHaveValue(creator.username);
    await expect(filtersOf(page).filter({ hasText: 'Musician' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('link', { name: 'View Profile' }).click();
    await expect(page.getByRole('heading', { level: 1, name: creator.displayName })).toBeVisible();
    await page.goBack();
    await expect(cardsOf(page).filter({ hasText: creator.displayName })).toBeVisible();
    await expect(searchOf(page)).toHaveValue(creator.username);
  },
);

test(...row('d.browse.wildcards', 'a name with % and ë is searched for'), async ({ page }) => {
  const creator = await makeCreator();
  const mark = creator.username.slice(-8);
  await saveProfile(creator.token, { displayName: `Zoë 100% ${mark}`, niches: ['Coach'] });
  await page.goto('/browse-creators');
  const card = cardsOf(page).filter({ hasText: mark });
  for (const [typed, found] of [
    [`zoe 100% ${mark}`, true],
    [`zo_ 100% ${mark}`, false],
    [`ZOË 100% ${mark}`, true],
    [`ZOË%${mark}`, false],
  ] as const) {
    await searchOf(page).fill(typed);
    await expect(page.getByText(/^No creators found/)).toHaveCount(found ? 0 : 1);
    await expect(card).toHaveCount(found ? 1 : 0);
  }
});

test(
  ...row('6.visitor.creators', 'a visitor who never signed in; the site sends no request to Keycloak'),
  async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/browse-creators');
    await expect(cardsOf(page).first()).toBeVisible();
    expect(asked.filter((url) => /\/realms\/|keycloak/i.test(url))).toEqual([]);
  },
);
