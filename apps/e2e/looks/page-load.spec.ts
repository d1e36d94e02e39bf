import type { Page, Route } from '@playwright/test';
import { paths } from '@stoa/contracts';
import { makeFullCreator } from '../src/creators.ts';
import { untilPageIsWhole } from '../src/navigation.ts';
import { pageCode } from '../src/page-code.ts';
import { publicRoutes } from '../src/screens/routes.ts';
import { painted, settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

interface Movement {
  /** In the measure of Cumulative Layout Shift. */
  sum: number;
  /** What moved, from where to where. */
  parts: string[];
}

/** The page once its code has taken it over. */
const interactive = (page: Page) => page.locator('html[data-interactive]');

/** All that moved by itself since the page began. */
const movement = (page: Page): Promise<Movement> =>
  page.evaluate(
    () =>
      new Promise<Movement>((resolve) => {
        const moved: Movement = { sum: 0, parts: [] };
        const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`;
        const count = (entries: PerformanceEntryList) => {
          for (const entry of entries as LayoutShift[]) {
            moved.sum += entry.value;
            for (const { node, previousRect, currentRect } of entry.sources) {
              const name = node instanceof Element ? node.outerHTML : node?.textContent;
              moved.parts.push(`${place(previousRect)} → ${place(currentRect)}: ${name?.slice(0, 120)}`);
            }
          }
        };
        const observer = new PerformanceObserver((list) => count(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        const end = () => {
          // What has been noted and not yet handed over: the shifts of the last frames.
          count(observer.takeRecords());
          observer.disconnect();
          resolve(moved);
        };
        requestAnimationFrame(() => requestAnimationFrame(end));
      }),
  );

async function expectStill(page: Page, name: string, most: number): Promise<void> {
  const { sum, parts } = await movement(page);
  expect.soft(sum, [name, ...parts].join('\n')).toBeLessThan(most);
}

/** Of `lib.dom` in part alone: https://wicg.github.io/layout-instability/ */
interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

for (const width of [360, 1280]) {
  test(`no layout shift while a page loads, at ${width} px`, async ({ page }) => {
    // Every page of a visitor, one after the other.
    test.slow();
    const creator = await makeFullCreator();
    await page.setViewportSize({ width, height: 800 });
    for (const { name, path } of publicRoutes(creator)) {
      await untilPageIsWhole(path);
      await page.goto(path);
      await settled(page);
      // A twentieth of what counts as good.
      await expectStill(page, name, 0.005);
    }
  });
}

for (const width of [360, 1280]) {
  test(`hardly a layout shift when fonts come after the words, at ${width} px`, async ({ page }) => {
    test.slow();
    const creator = await makeFullCreator();
    await page.setViewportSize({ width, height: 800 });
    for (const { name, path } of publicRoutes(creator)) {
      const { promise: painted, resolve: paint } = Promise.withResolvers<void>();
      await page.route('**/*.woff2', async (route) => {
        await painted;
        await route.continue();
      });
      await untilPageIsWhole(path);
      await page.goto(path, { waitUntil: 'commit' });
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      paint();
      await settled(page);
      // The faces of further letters are declared after the code of the page has taken over.
      await page.waitForFunction(() =>
        document.adoptedStyleSheets.some((sheet) =>
          [...sheet.cssRules].some((rule) => rule instanceof CSSFontFaceRule),
        ),
      );
      await page.evaluate(() => document.fonts.ready);
      // A fifth of what counts as good.
      await expectStill(page, name, 0.02);
      await page.unroute('**/*.woff2');
    }
  });
}

test('no layout shift when the session is restored', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of ['/', '/about', '/contact']) {
    await untilPageIsWhole(path);
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Log Out' })).toBeVisible();
    await settled(page);
    await expectStill(page, path, 0.005);
  }
});

test('a first visit shows no grey places where something will be', async ({ page }) => {
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
    await untilPageIsWhole(path);
    await page.goto(path);
    await settled(page);
    expect(await greyPlaces(), path).toEqual([]);
  }
  // What only the code of a page asks for has to be waited for, so they would be seen.
  await page.route('**/api/creators?*', () => {});
  await page.getByRole('link', { name: 'Browse Creators' }).first().click();
  await page.getByRole('searchbox').fill('anything');
  await expect.poll(greyPlaces).not.toEqual([]);
});

test('the first data of a page comes in its HTML, and nothing is fetched twice', async ({ page }) => {
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
    await untilPageIsWhole(path);
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
  test(`ahead of its code ${name} asks urgently for style, fonts and one picture at most`, async ({
    page,
  }) => {
    const path = pathOf(await makeFullCreator());
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const asked: { path: string; priority: string; type: string | undefined }[] = [];
    devtools.on('Network.requestWillBeSent', ({ request, type }) =>
      asked.push({ path: new URL(request.url).pathname, priority: request.initialPriority, type }),
    );
    await untilPageIsWhole(path);
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

test('the code of a page waits for its first picture, unless that never comes or somebody does something', async ({
  page,
}) => {
  const { username } = await makeFullCreator();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const held: Route[] = [];
  await page.route('**/*.avif', (route) => void held.push(route));
  await untilPageIsWhole(paths.profile(username));
  const open = async () => {
    // The page before may be fetching its last chunks.
    await page.goto('about:blank');
    asked.length = 0;
    await page.goto(paths.profile(username), { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };

  await open();
  await interactive(page).waitFor();

  // Without the clock that ends the wait.
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

test('the HTML of the pages that are shared fits the first flight of a connection', async ({ page }) => {
  const { username, slug } = await makeFullCreator();
  // Ten packets of 1,460 bytes (RFC 6928), less their headers: one byte more costs a round trip before the first words.
  const firstFlight = 14_000;
  for (const path of ['/', paths.browse, paths.profile(username), paths.offering(username, slug)]) {
    await untilPageIsWhole(path);
    await page.goto(path);
    const sent = await page.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).encodedBodySize,
    );
    expect.soft(sent, path).toBeLessThan(firstFlight);
  }
});

test.describe('what was typed before the code is there', () => {
  /** Opens the contact form, whose code comes once it is let go. */
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

  test('a link clicked before asks about it', async ({ page }) => {
    const release = await openWithoutCode(page);
    await aboutUs(page).click();
    release();
    await expectAsked(page);
  });

  test('a link clicked in the moment from which the page answers asks about it', async ({ page }) => {
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

  test('a link clicked between the code and that moment asks about it', async ({ page }) => {
    const release = await openWithoutCode(page);
    await aboutUs(page).evaluate((link: HTMLElement) => {
      // The form has heard of what was typed and shows it, before anything else of the page goes on.
      addEventListener('input', () => queueMicrotask(() => link.click()), { once: true });
    });
    release();
    await expectAsked(page);
  });

  test('is typed on where its writer was', async ({ page }) => {
    const release = await openWithoutCode(page);
    const message = page.getByLabel('Message');
    await message.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(0, 2));
    release();
    await interactive(page).waitFor();
    await page.keyboard.insertText('Would');
    await expect(message).toHaveValue('Would you');
  });
});
