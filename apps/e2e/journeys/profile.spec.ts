import type { Locator } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';
import { untilPageShows } from '../src/navigation.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

test('leaving the profile editor asks about unsaved changes [e2e-124]', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Half a sentence');
  await page.getByRole('link', { name: 'Browse Creators' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');
  await page.getByRole('link', { name: 'Browse Creators' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/browse-creators');
});

test('a picture can be removed again [e2e-125]', async ({ creator, signedInPage: page }) => {
  const picture = await upload(creator.token, 'profile-picture');
  await saveProfile(creator.token, { displayName: creator.displayName, profileImageId: picture.id });
  await page.goto('/dashboard/edit-profile');
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await untilPageShows(`/profile/${creator.username}`, '(no picture yet)');
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('img', { name: `${creator.displayName} (no picture yet)` })).toBeVisible();
});

test('on a phone the first payment link is visible below picture, name and bio [e2e-126]', async ({
  page,
}) => {
  const { token, username } = await makeCreator();
  const bio = 'Essays and poems about rivers, memory and starting over.\nI answer every letter by hand.';
  const { id: profileImageId } = await upload(token, 'profile-picture');
  const paygates = [{ name: 'PayPal', url: 'https://paypal.example.com/amara' }];
  const displayName = 'Amara Okafor';
  await saveProfile(token, { displayName, bio, niches: ['Writer', 'Poet'], paygates, profileImageId });
  await makeOffering(token, { title: 'What the River Kept', description: 'Fourteen essays on floods.' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole('img', { name: 'Amara Okafor' })).toBeInViewport();
  const buy = await page.getByRole('link', { name: /^Access Now/ }).boundingBox();
  expect((buy?.y ?? Infinity) + (buy?.height ?? 0)).toBeLessThanOrEqual(640);
  const parts = ['Offerings', 'Ways to support Amara Okafor', 'Get in touch'].map((name) =>
    page.getByRole('region', { name }).boundingBox(),
  );
  const [offerings, support, contact] = await Promise.all(parts);
  expect(support!.y).toBeGreaterThanOrEqual(offerings!.y + offerings!.height);
  expect(contact!.y).toBeGreaterThanOrEqual(support!.y + support!.height);

  // Waits for the code of the page. An earlier click would take effect only later.
  await settled(page);
  const text = page.getByText('Essays and poems about rivers');
  await expect(text).toHaveText(bio);
  const height = async () => (await text.boundingBox())?.height ?? 0;
  const closed = await height();
  await page.getByRole('button', { name: 'More about Amara Okafor' }).click();
  expect(await height()).toBeGreaterThan(closed * 1.5);
  await expect(page.getByRole('button', { name: 'Less about Amara Okafor', expanded: true })).toBeVisible();
});

test('on a phone the one-line text joins its paragraphs until it is expanded', async ({ page }) => {
  const { token, username } = await makeCreator();
  await makeOffering(token, {
    title: 'Rivers',
    description: 'Floods.\n\nMemory.\n\nStarting over, twice, and what the river kept of it.',
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await settled(page);
  const text = page.getByRole('article').getByText('Floods.');
  await expect(text).toHaveCSS('white-space-collapse', 'collapse');
  await page.getByRole('button', { name: 'More about Rivers' }).click();
  await expect(text).toHaveCSS('white-space-collapse', 'preserve-breaks');
});

test('on a desktop the profile is beside two columns of offerings [e2e-127]', async ({ page }) => {
  const { token, username, displayName } = await makeCreator();
  await makeOffering(token, { title: 'Letters' });
  await makeOffering(token, { title: 'Rivers' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/profile/${username}`);
  const [name, first, second] = await Promise.all(
    [
      page.getByRole('heading', { level: 1, name: displayName }),
      ...['Rivers', 'Letters'].map((title) =>
        page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) }),
      ),
    ].map(async (part) => (await part.boundingBox())!),
  );
  expect(first!.x).toBeGreaterThan(name!.x + name!.width);
  expect(second!.y).toBe(first!.y);
  expect(second!.x + second!.width - name!.x).toBeGreaterThan(1000);
  await expect(page.getByRole('link', { name: /^Access Now/ }).first()).toBeInViewport({ ratio: 1 });
  // On a phone the page has only Stoa's own header, which is low and scrolls away.
  await page.setViewportSize({ width: 360, height: 740 });
  expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThanOrEqual(64);
});

test('a long description does not stretch the cards, and the button stays visible [e2e-128]', async ({
  page,
}) => {
  const { token, username } = await makeCreator();
  await makeOffering(token, { title: 'Letters', description: 'By hand.' });
  await makeOffering(token, { title: 'Rivers', description: 'A word of it. '.repeat(71) });
  for (const [width, height, most] of [
    [1280, 800, 700],
    [360, 740, 320],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`/profile/${username}`);
    await settled(page);
    const card = page.getByRole('article').filter({ hasText: 'A word of it.' });
    await card.scrollIntoViewIfNeeded();
    expect((await card.boundingBox())?.height).toBeLessThan(most);
    await expect(card.getByRole('link', { name: /^Access Now/ })).toBeInViewport();
    await card.getByRole('button', { name: 'More about Rivers' }).click();
    expect((await card.boundingBox())?.height).toBeGreaterThan(most);
  }
});

test('a creator chooses a layout and sees it in the preview and on a phone [e2e-129]', async ({
  creator: { token, username, displayName },
  signedInPage: page,
}) => {
  await makeOffering(token, { title: 'Ink', state: 'sold_out' });
  await makeOffering(token, {
    title: 'رسائل بخط اليد',
    price: 'from R1,200 a month, or what you can afford',
  });
  await makeOffering(token, { title: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle' });
  const newest = await makeOffering(token, { title: 'What the River Kept' });
  const { id: profileImageId } = await upload(token, 'profile-picture');
  const bio = 'Essays and poems about rivers, memory and starting over.\nI answer every letter by hand.';
  await saveProfile(token, { displayName, bio, niches: ['Writer', 'Poet'], profileImageId });

  await page.goto('/dashboard/edit-profile');
  const layouts = page.getByRole('group', { name: 'Layout' });
  await expect(layouts.getByRole('radio', { name: 'Cards' })).toBeChecked();
  await layouts.getByRole('radio', { name: 'Cards' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(layouts.getByRole('radio', { name: 'List' })).toBeChecked();
  await page.getByRole('radio', { name: 'Olive' }).check();
  const preview = page.getByRole('figure', { name: 'Preview in Olive, layout List' });
  await expect(preview.getByText(displayName)).toBeVisible();
  await expect(preview.getByText(newest.title)).toBeVisible();
  await expectAccessible(page, 'profile editor with a list');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await untilPageShows(`/profile/${username}`, 'data-layout="list"');
  await page.goto(`/profile/${username}`);
  await settled(page);
  await expectAccessible(page, 'profile as a list');
  const rows = page.getByRole('region', { name: 'Offerings' }).getByRole('article');
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: 'Ink' }).getByText('Sold out')).toBeVisible();
  const row = rows.filter({ hasText: newest.title });
  const place = async (part: Locator) => {
    const { x, y, width, height } = (await part.boundingBox())!;
    return { left: x, top: y, right: x + width, bottom: y + height, height };
  };
  const [title, price] = [row.getByRole('heading'), row.getByText('R150')];
  const button = row.getByRole('link', { name: /^Access Now/ });

  await page.setViewportSize({ width: 1280, height: 800 });
  expect((await place(price)).top).toBeGreaterThan((await place(title)).top);
  expect((await place(button)).left).toBeGreaterThan((await place(title)).right);
  expect((await place(row)).height).toBeLessThan(130);

  await page.setViewportSize({ width: 360, height: 740 });
  expect((await place(row)).height).toBeLessThan(150);
  expect((await place(button)).bottom).toBeLessThanOrEqual(640);

  // A saved form without `layout` must not change the layout.
  await saveProfile(token, { displayName, bio: 'Paper and ink.' });
  await untilPageShows(`/profile/${username}`, 'Paper and ink.');
  await page.goto(`/profile/${username}`);
  await expect(page.getByText('Paper and ink.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Offerings' })).toHaveAttribute('data-layout', 'list');
});

test('the preview is beside the form, and behind one button on a phone [e2e-130]', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard/edit-profile');
  const preview = page.getByRole('figure', { name: 'Preview in Plum' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('radio', { name: 'Plum' }).check();
  for (const field of ['Display Name', 'Instagram']) {
    await page.getByLabel(field).focus();
    await expect(page.getByLabel(field)).toBeInViewport();
    await expect(preview).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByRole('button', { name: 'Preview' })).toBeHidden();

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(preview).toBeHidden();
  const open = page.getByRole('button', { name: 'Preview', exact: true });
  expect((await open.locator('svg').boundingBox())?.width).toBeGreaterThan(16);
  await open.click();
  await expect(preview).toBeInViewport({ ratio: 1 });
  // No card is wider than its place, so that nothing is cut off.
  for (const card of await preview.getByRole('listitem').all())
    expect(await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expectAccessible(page, 'profile editor with its preview open');
  await page.getByRole('button', { name: 'Close Preview' }).click();
  await expect(preview).toBeHidden();
  await open.focus();
  await page.keyboard.press('Enter');
  await expect(preview).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(open).toBeFocused();
});

test('each line of a bio has the direction of its own script [e2e-131]', async ({ page }) => {
  const { token, username, displayName } = await makeCreator();
  await saveProfile(token, { displayName, bio: 'أنا شاعر من القاهرة.\nI write in two languages.' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/profile/${username}`);
  const [arabic, english] = await page.getByText('I write in two languages.').evaluate((bio) => {
    const { left, right } = bio.getBoundingClientRect();
    const text = bio.firstChild!;
    const split = text.textContent!.indexOf('I write');
    return [
      [0, split - 1],
      [split, text.textContent!.length],
    ].map(([from, to]) => {
      const range = document.createRange();
      range.setStart(text, from!);
      range.setEnd(text, to!);
      const line = range.getBoundingClientRect();
      return { fromLeft: line.left - left, fromRight: right - line.right };
    });
  });
  expect(arabic!.fromRight).toBeLessThan(2);
  expect(english!.fromLeft).toBeLessThan(2);
});

test('the button of an upload opens the file chooser by key and pointer', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  const input = page.getByLabel('Profile Picture');
  await expect(input).toHaveAccessibleName(/^Profile Picture Choose a file$/);
  for (const choose of [() => input.press('Enter'), () => input.press('Space'), () => input.click()]) {
    const chooser = page.waitForEvent('filechooser');
    await choose();
    expect((await chooser).isMultiple()).toBe(false);
  }
  // The hidden input covers the visible button, which shows the focus ring.
  const button = input.locator('..');
  await page.getByLabel('Display Name').focus();
  const outline = () => button.evaluate((element) => getComputedStyle(element).outlineStyle);
  expect(await outline()).toBe('none');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByLabel('Profile Picture')).toBeFocused();
  await expect.poll(outline).toBe('solid');
  const [{ width, height }, seen] = [(await input.boundingBox())!, (await button.boundingBox())!];
  expect([width, height]).toEqual([seen.width, seen.height]);
  expect(height).toBeGreaterThanOrEqual(44);
});

test('a select field has its own arrow and no native appearance', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/add-offering');
  for (const label of ['Type', 'State']) {
    const looks = await page.getByRole('combobox', { name: label }).evaluate((select) => {
      const { appearance, backgroundImage } = getComputedStyle(select);
      return { appearance, hasArrow: backgroundImage.includes('gradient(') };
    });
    expect(looks).toEqual({ appearance: 'none', hasArrow: true });
  }
});

test("the browser's toolbars have the colour of the palette and follow the theme [e2e-132]", async ({
  page,
}) => {
  const { token, username, displayName } = await makeCreator();
  await saveProfile(token, { displayName, palette: 'plum' });
  const barColor = () =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll(
        (metas: HTMLMetaElement[]) => metas.find(({ media }) => matchMedia(media).matches)?.content,
      );
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/profile/${username}`);
  await settled(page);
  expect(await barColor()).toBe('#f7f0f7');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(barColor).toBe('#120f12');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(barColor).toBe('#f7f0f7');
  await page.getByRole('link', { name: 'Browse Creators' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Browse Creators' })).toBeVisible();
  await expect.poll(barColor).toBe('#f7f2e9');
  await page.goBack();
  await expect.poll(barColor).toBe('#f7f0f7');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(barColor).toBe('#120f12');
});

test("the server renders a creator's pages in the chosen palette [e2e-133]", async ({
  creator: { token, username, displayName },
  signedInPage: page,
}) => {
  const { title, slug } = await makeOffering(token, { title: 'What the River Kept' });
  await page.goto('/dashboard/edit-profile');
  await expect(page.getByRole('radio', { name: 'Terracotta' })).toBeChecked();
  await page.getByRole('radio', { name: 'Plum' }).check();
  await expect(page.getByRole('figure', { name: 'Preview in Plum' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  for (const path of [`/profile/${username}`, `/profile/${username}/${slug}`])
    await untilPageShows(path, '<html lang="en" data-palette="plum">');

  const root = page.locator('html');
  await page.goto(`/profile/${username}`);
  await settled(page);
  await expect(root).toHaveAttribute('data-palette', 'plum');
  await expectAccessible(page, 'profile in plum');
  await page.getByRole('link', { name: title, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(root).toHaveAttribute('data-palette', 'plum');
  await expectAccessible(page, 'offering in plum');
  await page.getByRole('link', { name: 'Browse Creators' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Browse Creators' })).toBeVisible();
  await expect(root).not.toHaveAttribute('data-palette');
  await page.goBack();
  await expect(root).toHaveAttribute('data-palette', 'plum');

  // A saved form without `palette` must not change the palette.
  await saveProfile(token, { displayName, bio: 'Paper and ink.' });
  await untilPageShows(`/profile/${username}`, 'Paper and ink.');
  await page.goto(`/profile/${username}`);
  await expect(page.getByText('Paper and ink.')).toBeVisible();
  await expect(root).toHaveAttribute('data-palette', 'plum');
});
