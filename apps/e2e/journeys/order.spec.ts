import type { CDPSession, Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeOffering, type TestCreator } from '../src/creators.ts';
import { untilPageLists } from '../src/navigation.ts';
import { painted, settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

const panelOf = (page: Page) => page.getByRole('region', { name: /^Your Offerings/ });
const titlesOf = (page: Page) => panelOf(page).getByRole('heading', { level: 3 });

/** Opens the menu in the row of an offering. It stays open while the offering is moved. */
const openMenu = (page: Page, title: string) =>
  panelOf(page)
    .getByRole('button', { name: `More for ${title}`, exact: true })
    .click();

async function makeThree({ token }: TestCreator): Promise<string[]> {
  const made = [];
  for (const title of ['First', 'Second', 'Third']) made.push(await makeOffering(token, { title }));
  return made.map(({ id }) => id);
}

async function visitorsSee({ username }: TestCreator): Promise<string[]> {
  const address = `/api/creators/${username}/offerings`;
  const { items } = await fetchJson<{ items: { title: string }[] }>('GET', address, {});
  return items.map(({ title }) => title);
}

test('offerings can be ordered by keyboard, with focus and announcements [e2e-102]', async ({
  signedInPage: page,
  creator,
}) => {
  await makeThree(creator);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard');
  await expect(titlesOf(page)).toHaveText(['Third', 'Second', 'First']);
  const button = (name: string) => panelOf(page).getByRole('button', { name });

  await button('More for First').press('Enter');
  const up = button('Move First up');
  await up.press('Enter');
  await expect(titlesOf(page)).toHaveText(['Third', 'First', 'Second']);
  await expect(panelOf(page).getByText('“First” is now number 2 of 3.')).toBeAttached();
  await expect(up).toBeFocused();
  await up.press('Enter');
  await expect(titlesOf(page)).toHaveText(['First', 'Third', 'Second']);
  await expect(panelOf(page).getByText('“First” is now number 1 of 3.')).toBeAttached();
  await expect(up).toBeFocused();
  await expect(up).toHaveAttribute('aria-disabled', 'true');
  const down = button('Move First down');
  await down.press('Enter');
  await expect(titlesOf(page)).toHaveText(['Third', 'First', 'Second']);
  await expect(down).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(down).toHaveCount(0);
  await expect(button('More for First')).toBeFocused();
});

const rowOf = (page: Page, name: string) =>
  panelOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Waits until the other row has moved aside. If the dragged row were dropped earlier, it would return to its place. */
const makesRoom = (page: Page, dragged: string, other: string, side: 'above' | 'below') =>
  expect
    .poll(async () => {
      const [own, moved] = [await rowOf(page, dragged).boundingBox(), await rowOf(page, other).boundingBox()];
      return (side === 'above' ? own!.y - moved!.y : moved!.y - own!.y) / own!.height;
    })
    .toBeGreaterThan(0.5);

/** The centre of an offering's drag handle, and the position to which dragging it reaches another row. */
async function placesOf(page: Page, title: string, target: string) {
  // Waits for content above the list, which would move the list when it appears.
  await settled(page);
  const row = (name: string) => rowOf(page, name);
  const centre = async (locator: ReturnType<typeof row>) => {
    const box = (await locator.boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await row(title).evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await painted(page);
  const from = await centre(row(title).locator('[data-drag-handle]'));
  const [own, other] = [await centre(row(title)), await centre(row(target))];
  // The handle is not in the centre of its row, but the row must reach the target.
  return { from, to: { x: from.x, y: from.y + other.y - own.y } };
}

test('offerings can be ordered by mouse, and a failed save restores the order [e2e-103]', async ({
  signedInPage: page,
  creator,
}) => {
  await makeThree(creator);
  await page.goto('/dashboard');
  await expect(titlesOf(page)).toHaveText(['Third', 'Second', 'First']);
  const drag = async (title: string, target: string) => {
    const { from, to } = await placesOf(page, title, target);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y + Math.sign(to.y - from.y) * 10, { steps: 2 });
    await page.mouse.move(to.x, to.y, { steps: 12 });
  };

  await drag('Third', 'First');
  await makesRoom(page, 'Third', 'First', 'above');
  await page.mouse.up();
  await expect(titlesOf(page)).toHaveText(['Second', 'First', 'Third']);
  await expect(panelOf(page).getByText('“Third” is now number 3 of 3.')).toBeAttached();
  await expect.poll(() => visitorsSee(creator)).toEqual(['Second', 'First', 'Third']);

  // A cancelled drag sends no request.
  await drag('Second', 'Third');
  await makesRoom(page, 'Second', 'Third', 'above');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(titlesOf(page)).toHaveText(['Second', 'First', 'Third']);

  await page.route('**/api/me/offerings/order', (route) => route.abort());
  await drag('Third', 'Second');
  await makesRoom(page, 'Third', 'Second', 'below');
  await page.mouse.up();
  await expect(page.getByText('Failed to save the order. Please try again.').first()).toBeVisible();
  await expect(titlesOf(page)).toHaveText(['Second', 'First', 'Third']);
  expect(await visitorsSee(creator)).toEqual(['Second', 'First', 'Third']);
});

test.describe('on a touchscreen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test('a held handle orders offerings, and a swipe scrolls the page [e2e-104]', async ({
    signedInPage: page,
    creator,
    context,
  }) => {
    await makeThree(creator);
    await page.clock.install();
    await page.goto('/dashboard');
    await expect(titlesOf(page)).toHaveText(['Third', 'Second', 'First']);
    const finger = await context.newCDPSession(page);

    const swipe = await placesOf(page, 'Third', 'Second');
    const scrolled = () => page.evaluate(() => scrollY);
    const before = await scrolled();
    // Stops the page's clock, because on a slow machine a swipe could last as long as a long press.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const cameToRest = page.evaluate(
      () => new Promise((resolve) => document.addEventListener('scrollend', resolve, { once: true })),
    );
    await touch(finger, 'touchStart', swipe.from);
    for (const by of [20, 60, 120, 180])
      await touch(finger, 'touchMove', { x: swipe.from.x, y: swipe.from.y - by });
    await touch(finger, 'touchEnd');
    await cameToRest;
    await page.clock.resume();
    expect(await scrolled()).toBeGreaterThan(before + 100);
    await expect(titlesOf(page)).toHaveText(['Third', 'Second', 'First']);

    const { from, to } = await placesOf(page, 'Third', 'Second');
    await touch(finger, 'touchStart', from);
    const held = panelOf(page)
      .getByRole('listitem')
      .filter({ has: page.locator('[data-drag-handle="held"]') });
    await expect(held).toHaveCount(1);
    for (let step = 1; step <= 10; step += 1)
      await touch(finger, 'touchMove', { x: from.x, y: from.y + ((to.y - from.y) * step) / 10 });
    await makesRoom(page, 'Third', 'Second', 'above');
    await touch(finger, 'touchEnd');
    await expect(titlesOf(page)).toHaveText(['Second', 'Third', 'First']);
    await expect(panelOf(page).getByText('“Third” is now number 2 of 3.')).toBeAttached();
    await expect.poll(() => visitorsSee(creator)).toEqual(['Second', 'Third', 'First']);
  });
});

/** Sends a touch event, because Playwright's own touchscreen can only tap. */
async function touch(
  finger: CDPSession,
  type: 'touchStart' | 'touchMove' | 'touchEnd',
  at?: { x: number; y: number },
) {
  await finger.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
}

test('a pinned offering is first and marked, on the dashboard and for visitors [e2e-105]', async ({
  signedInPage: page,
  creator,
}) => {
  await makeThree(creator);
  await page.goto('/dashboard');
  const pin = panelOf(page).getByRole('button', { name: 'Pin Second to the top' });
  await openMenu(page, 'Second');
  await pin.click();
  await expect(titlesOf(page)).toHaveText(['Second', 'Third', 'First']);
  await expect(pin).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page, 'dashboard-order');
  await expect.poll(() => visitorsSee(creator)).toEqual(['Second', 'Third', 'First']);
  await untilPageLists(`/profile/${creator.username}`, ['Second', 'Third', 'First']);
  await page.goto(`/profile/${creator.username}`);
  const shown = page.getByRole('article').getByRole('heading');
  await expect(shown).toHaveText(['Second', 'Third', 'First']);
  await expect(page.getByText('Pinned', { exact: true })).toHaveCount(0);
  await expectAccessible(page, 'profile-pinned');
});

test('an order that another tab has changed is shown and not overwritten', async ({
  signedInPage: page,
  creator: { token, ...creator },
}) => {
  const [first, second, third] = await makeThree({ token, ...creator });
  await page.goto('/dashboard');
  await expect(titlesOf(page)).toHaveText(['Third', 'Second', 'First']);
  const body = { ids: [first, third, second], pinnedId: null };
  await fetchJson('PUT', '/api/me/offerings/order', { token, body });
  await openMenu(page, 'First');
  await panelOf(page).getByRole('button', { name: 'Move First up' }).click();
  const refusal = page.getByText(/^Your offerings were changed in another tab/).first();
  await expect(refusal).toBeVisible();
  await expect(titlesOf(page)).toHaveText(['First', 'Third', 'Second']);
});

test('an offering is duplicated as a draft, which is published with its cover [e2e-106]', async ({
  signedInPage: page,
  creator,
}) => {
  await makeOffering(creator.token, { title: 'Letters', description: 'Twelve of them.' });
  await page.goto('/dashboard');
  await openMenu(page, 'Letters');
  await panelOf(page).getByRole('button', { name: 'Duplicate Letters' }).click();
  await expect(page.getByText('Duplicated as a draft. Add what buyers get.').first()).toBeVisible();
  await expect(titlesOf(page)).toHaveText(['Letters (copy)', 'Letters']);
  expect(await visitorsSee(creator)).toEqual(['Letters']);

  await panelOf(page).getByRole('link', { name: 'Edit Letters (copy)' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Twelve of them.');
  await page.getByLabel('Title').fill('Postcards');
  await page.getByLabel('State').selectOption({ label: 'Published' });
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Offering updated successfully!').first()).toBeVisible();
  await expect.poll(() => visitorsSee(creator)).toEqual(['Postcards', 'Letters']);
  const note = page.getByRole('status').filter({ hasText: 'Your offering is published.' });
  await expect(note.getByRole('link', { name: 'View' })).toHaveAttribute(
    'href',
    `/profile/${creator.username}/postcards`,
  );
});
