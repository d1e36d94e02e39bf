import type { Page, Route } from '@playwright/test';
import { paths } from '@stoa/contracts';
import { makeFullCreator } from '../src/creators.ts';
import { untilPageIsComplete } from '../src/navigation.ts';
import { expectStill } from '../src/layout-shifts.ts';
import { pageCode } from '../src/page-code.ts';
import { publicRoutes } from '../src/screens/routes.ts';
import { painted, settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

/** An element that exists when the page is interactive. */
const interactive = (page: Page) => page.locator('html[data-interactive]');

for (const width of [360, 1280]) {
  test(`no layout shift while a page loads, at ${width} px [e2e-176]`, async ({ page }) => {
    // Needs more time, because it loads all public pages.
    test.slow();
    const creator = await makeFullCreator();
    await page.setViewportSize({ width, height: 800 });
    for (const { name, path } of publicRoutes(creator)) {
      await untilPageIsComplete(path);
      await page.goto(path);
      await settled(page);
      // 5 % of the CLS that counts as good (0.1).
      await expectStill(page, name, 0.005);
    }
  });
}

for (const width of [360, 1280]) {
  test(`late fonts hardly shift the layout, at ${width} px [e2e-177]`, async ({ page }) => {
    test.slow();
    const creator = await makeFullCreator();
    await page.setViewportSize({ width, height: 800 });
    for (const { name, path } of publicRoutes(creator)) {
      const { promise: painted, resolve: paint } = Promise.withResolvers<void>();
      await page.route('**/*.woff2', async (route) => {
        await painted;
        await route.continue();
      });
      await untilPageIsComplete(path);
      await page.goto(path, { waitUntil: 'commit' });
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      paint();
      await settled(page);
      // The page declares the fonts for other scripts only when it is interactive.
      await page.waitForFunction(() =>
        document.adoptedStyleSheets.some((sheet) =>
          [...sheet.cssRules].some((rule) => rule instanceof CSSFontFaceRule),
        ),
      );
      await page.evaluate(() => document.fonts.ready);
      // 20 % of the CLS that counts as good (0.1).
      await expectStill(page, name, 0.02);
      await page.unroute('**/*.woff2');
    }
  });
}

test('no layout shift when the session is restored', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of ['/', '/about', '/contact']) {
    await untilPageIsComplete(path);
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Log Out' })).toBeVisible();
    await settled(page);
    await expectStill(page, path, 0.005);
  }
});

test('a first visit shows no placeholders', async ({ page }) => {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    const look = () => {
      for (const { parentElement } of document.querySelectorAll('[data-skeleton]'))
        seen.add(parentElement?.outerHTML ?? '');
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
    Object.assign(window, { greyPlaces: () => [...seen] });
  });
  const greyPlaces = () => page.evaluate(() => Reflect.get(window, 'greyPlaces')() as string[]);
  const { username, slug } = await makeFullCreator();
  for (const path of ['/', paths.browse, paths.profile(username), paths.offering(username, slug)]) {
    await untilPageIsComplete(path);
    await page.goto(path);
    await settled(page);
    expect(await greyPlaces(), path).toEqual([]);
  }
  // Data that only the code of the page requests would take time, so placeholders would be visible.
  await page.route('**/api/creators?*', () => {});
  await page.getByRole('link', { name: 'Browse Creators' }).first().click();
  await page.getByRole('searchbox').fill('anything');
  await expect.poll(greyPlaces).not.toEqual([]);
});

test('the HTML contains the first data of a page, and no data is fetched twice', async ({ page }) => {
  const { username } = await makeFullCreator();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const { path, reads } of [
    { path: '/browse-creators', reads: ['/api/creators'] },
    {
      path: `/profile/${username}`,
      reads: [`/api/creators/${username}`, `/api/creators/${username}/offerings`],
    },
  ]) {
    asked.length = 0;
    await untilPageIsComplete(path);
    const html = await (await page.goto(path))?.text();
    await settled(page);
    for (const address of reads) {
      expect(html).toContain(`"${address}":{`);
      expect(asked.filter((one) => one === address)).toHaveLength(0);
    }
    const modules = [...(html ?? '').matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, file]) => file);
    expect(modules.length).toBeGreaterThan(0);
    for (const file of modules) expect(asked.filter((one) => one === file)).toHaveLength(1);
    const pictures = asked.filter((one) => one.includes('/profile_pictures/'));
    expect(new Set(pictures).size).toBe(pictures.length);
  }
});

const isCode = (path: string) => pageCode.test(path);

for (const [name, pathOf, pictures] of [
  ['home', () => '/', 0],
  ['the list of creators', () => paths.browse, 1],
  ['a profile', ({ username }) => paths.profile(username), 1],
  ['an offering', ({ username, slug }) => paths.offering(username, slug), 1],
] satisfies [string, (of: { username: string; slug: string }) => string, number][])
  test(`before its code ${name} preloads only styles, fonts and at most one picture`, async ({ page }) => {
    const path = pathOf(await makeFullCreator());
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const asked: { path: string; priority: string; type: string | undefined }[] = [];
    devtools.on('Network.requestWillBeSent', ({ request, type }) =>
      asked.push({ path: new URL(request.url).pathname, priority: request.initialPriority, type }),
    );
    await untilPageIsComplete(path);
    await page.goto(path);
    await interactive(page).waitFor();
    const urgent = asked
      .slice(
        0,
        asked.findIndex((one) => isCode(one.path)),
      )
      .filter(({ priority }) => priority.endsWith('High'));
    const count = (kind: string) =>
      urgent.filter((one) => one.type === kind || one.path.endsWith(kind)).length;
    const counts = ['Document', 'Stylesheet', 'Script', '.woff2', '.avif'].map(count);
    expect(counts).toEqual([1, 1, 3, 2, pictures]);
    expect(urgent.map((one) => one.path)).toHaveLength(7 + pictures);
  });

test('the code of a page waits for its first picture, except after an input or a timeout', async ({
  page,
}) => {
  const { username } = await makeFullCreator();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const held: Route[] = [];
  await page.route('**/*.avif', (route) => void held.push(route));
  await untilPageIsComplete(paths.profile(username));
  const open = async () => {
    // Leaves the previous page first, because it may still be loading code.
    await page.goto('about:blank');
    asked.length = 0;
    await page.goto(paths.profile(username), { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };

  await open();
  await interactive(page).waitFor();

  // Ignores the page's own timer of 1 s, so that the wait never ends by it.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const patient = (work: () => void, ms?: number) => (ms === 1000 ? 0 : setTimeout(work, ms));
    Object.assign(window, { setTimeout: patient });
  });
  await open();
  await painted(page);
  expect(asked.filter(isCode)).toEqual([]);
  await page.getByRole('button', { name: 'Share' }).focus();
  await page.keyboard.press('Shift');
  await interactive(page).waitFor();

  await open();
  await painted(page);
  expect(asked.filter(isCode)).toEqual([]);
  await page.unroute('**/*.avif');
  await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
  await interactive(page).waitFor();
});

test('the HTML of shared pages fits into the first flight of a connection [e2e-178]', async ({ page }) => {
  const { username, slug } = await makeFullCreator();
  // Ten packets of 1,460 bytes (RFC 6928), minus headers. One byte more would cost another round trip.
  const firstFlight = 14_000;
  for (const path of ['/', paths.browse, paths.profile(username), paths.offering(username, slug)]) {
    await untilPageIsComplete(path);
    await page.goto(path);
    const sent = await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).encodedBodySize,
    );
    expect.soft(sent, path).toBeLessThan(firstFlight);
  }
});

test.describe('input before the code is loaded', () => {
  /** Opens the contact form, and delays its code until `release`. */
  const openWithoutCode = async (page: Page) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(pageCode, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/contact', { waitUntil: 'commit' });
    await page.getByLabel('Message').fill('Do you');
    return release;
  };
  const aboutUs = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'About Us' });
  const expectAsked = async (page: Page) => {
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
    await expect(page).toHaveURL('/contact');
    await expect(page.getByLabel('Message')).toHaveValue('Do you');
  };

  test('a link clicked before the code asks to confirm leaving', async ({ page }) => {
    const release = await openWithoutCode(page);
    await aboutUs(page).click();
    release();
    await expectAsked(page);
  });

  test('a link clicked when the page becomes interactive asks to confirm leaving', async ({ page }) => {
    const release = await openWithoutCode(page);
    await aboutUs(page).evaluate((link: HTMLElement) => {
      new MutationObserver((_, observer) => {
        if (!('interactive' in document.documentElement.dataset)) return;
        observer.disconnect();
        link.click();
      }).observe(document.documentElement, { attributes: true });
    });
    release();
    await expectAsked(page);
  });

  test('a link clicked between the two asks to confirm leaving', async ({ page }) => {
    const release = await openWithoutCode(page);
    await aboutUs(page).evaluate((link: HTMLElement) => {
      // Clicks when the form has received the typed text, but the rest of the page has not started yet.
      addEventListener('input', () => queueMicrotask(() => link.click()), { once: true });
    });
    release();
    await expectAsked(page);
  });

  test('continues at the position of the cursor', async ({ page }) => {
    const release = await openWithoutCode(page);
    const message = page.getByLabel('Message');
    await message.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(0, 2));
    release();
    await interactive(page).waitFor();
    await page.keyboard.insertText('Would');
    await expect(message).toHaveValue('Would you');
  });
});
