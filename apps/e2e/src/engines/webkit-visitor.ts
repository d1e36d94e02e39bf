import { expect } from '@playwright/test';
import { waitFor } from '@stoa/system';
import type { WebKit } from '@stoa/system/fetch/browser-engines';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { theSystem } from '../system.ts';
import { type Engine, navigateExpression, type Setup, type Target, type Visitor } from './visitor.ts';
import { startWebKitDriver, type WebKitDriver } from './webkit-driver.ts';

/** The functions of Testing Library that find elements by role, label or text, because WebDriver has none. */
const queries = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);

/** Starts WebKitGTK's MiniBrowser. Its driver allows one session at a time, which is always private. */
export async function webKitEngine(programs: WebKit): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const driver = await startWebKitDriver(programs, home);
  return {
    visit: async (setup) => {
      const session = await openBrowser(driver, programs.browser, setup.dark);
      return {
        visitor: await webKitVisitor(session, driver, setup),
        picture: async () => Buffer.from(await session.takeScreenshot(), 'base64'),
        close: () => session.quit(),
      };
    },
    stop: () => {
      driver.stop();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      return Promise.resolve();
    },
  };
}

function openBrowser({ url }: WebKitDriver, binary: string, dark: boolean): Promise<WebDriver> {
  const args = ['--automation', ...(dark ? ['--dark-mode'] : [])];
  return new Builder()
    .usingServer(url)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args } })
    .build();
}

/** Makes a visitor whose viewport has the size of `setup`. */
async function webKitVisitor(
  session: WebDriver,
  { downloads }: WebKitDriver,
  setup: Setup,
): Promise<Visitor> {
  const value = <T>(expression: string) => session.executeScript<T>(`return (${expression});`);
  const window = session.manage().window();
  await window.setRect({ x: 0, y: 0, width: setup.width, height: setup.height });
  const [width, height] = await value<[number, number]>(
    '[outerWidth - innerWidth, outerHeight - innerHeight]',
  );
  await window.setRect({ x: 0, y: 0, width: setup.width + width, height: setup.height + height });

  const visible = (thing: Target) => find(session, thing);
  /** Runs an action on the only matching element. If the page has replaced the element, it searches again. */
  const act = <T>(thing: Target, action: (element: WebElement) => Promise<T>) =>
    waitFor(
      async () => {
        const [element, second] = await visible(thing);
        if (!element || second) throw new Error(`${second ? 'Several are' : 'None is'} ${describe(thing)}.`);
        // The driver itself does not scroll to an element that is outside the window.
        await session.executeScript(
          'arguments[0].scrollIntoView({ block: "center", behavior: "instant" })',
          element,
        );
        return action(element).catch((cause: unknown) => {
          throw new Error(`Not possible with ${describe(thing)}.`, { cause });
        });
      },
      { timeout: 15_000, interval: 100 },
    );
  return {
    open: async (path) => {
      await session.get(new URL(path, theSystem().siteUrl).href);
      await expect.poll(() => value('document.documentElement.hasAttribute("data-interactive")')).toBe(true);
      await session.executeScript(listen);
    },
    follow: async (path) => {
      await value(navigateExpression(path));
    },
    back: () => session.navigate().back(),
    address: async () => new URL(await session.getCurrentUrl()),
    sees: (thing) =>
      expect.poll(async () => (await visible(thing)).length, `sees ${describe(thing)}`).toBeGreaterThan(0),
    seesNo: (thing) =>
      expect.poll(async () => (await visible(thing)).length, `sees no ${describe(thing)}`).toBe(0),
    click: (thing) => act(thing, (element) => element.click()),
    fill: (thing, text) =>
      act(thing, async (element) => {
        await element.clear();
        await element.sendKeys(text);
      }),
    // WebDriver selects a file by "typing" its path into the field, which may be hidden.
    attach: (thing, path) => act(thing, (element) => element.sendKeys(path)),
    press: (key) => session.actions().sendKeys(Key[upperCase[key]]).perform(),
    hasFocus: (thing) =>
      act(thing, (element) =>
        session.executeScript<boolean>('return arguments[0] === document.activeElement', element),
      ),
    attribute: (thing, name) => act(thing, (element) => element.getDomAttribute(name)),
    value,
    download: async (thing) => {
      const before = readdirSync(downloads);
      await act(thing, (element) => element.click());
      return waitFor(() => {
        // WebKit first reserves the name with an empty file, and moves the complete file there at the end.
        const files = readdirSync(downloads).filter((file) => !before.includes(file));
        const [name] = files;
        if (name === undefined || files.some((file) => file.endsWith('.wkdownload')))
          throw new Error('Nothing was saved.');
        const bytes = readFileSync(join(downloads, name));
        if (bytes.length === 0) throw new Error(`${name} is empty.`);
        return { name, bytes };
      });
    },
    errors: () => value('window.errors ?? []'),
  };
}

/** JavaScript for the page that records its errors and policy violations. */
const listen = `
  if (window.errors) return;
  window.errors = [];
  const note = (...words) => window.errors.push(words.join(' '));
  addEventListener('securitypolicyviolation', (event) => note(event.violatedDirective, event.blockedURI));
  addEventListener('error', (event) => note(event.message));
  addEventListener('unhandledrejection', (event) => note(event.reason));
  const { error } = console;
  console.error = (...words) => { note(...words); error(...words); };`;

const upperCase = { Tab: 'TAB', Enter: 'ENTER', Escape: 'ESCAPE' } as const;

async function find(session: WebDriver, thing: Target): Promise<WebElement[]> {
  const there = await session.executeScript<boolean>('return "TestingLibraryDom" in window');
  if (!there) await session.executeScript(queries);
  // An element that disappears between two calls does not count as found.
  const found = await session
    .executeScript<WebElement[]>(search, asData(thing))
    .catch((error: unknown) => (isGone(error) ? [] : Promise.reject(error as Error)));
  return found;
}

const isGone = (error: unknown) =>
  error instanceof Error && ['StaleElementReferenceError', 'JavascriptError'].includes(error.name);

/** JavaScript for the page: it returns the visible elements that match a role, label or text. */
const search = `
  const { queryAllByRole, queryAllByLabelText, queryAllByText } = TestingLibraryDom;
  const words = (text) => (text && text.source === undefined ? text : text && new RegExp(text.source, text.flags));
  const match = (place, thing) =>
    thing.role ? queryAllByRole(place, thing.role, { name: words(thing.name) })
    : thing.label ? queryAllByLabelText(place, words(thing.label))
    : queryAllByText(place, words(thing.text));
  const all = (thing) =>
    [...new Set((thing.in ? all(thing.in) : [document.body]).flatMap((place) => match(place, thing)))];
  return all(arguments[0]).filter((element) => element.type === 'file' || element.checkVisibility());`;

const asText = (text: string | RegExp) =>
  typeof text === 'string' ? text : { source: text.source, flags: text.flags };

function asData(thing: Target): object {
  const within = thing.in && { in: asData(thing.in) };
  if ('role' in thing)
    return { role: thing.role, ...(thing.name !== undefined && { name: asText(thing.name) }), ...within };
  return 'label' in thing
    ? { label: asText(thing.label), ...within }
    : { text: asText(thing.text), ...within };
}

const describe = (thing: Target) => JSON.stringify(asData(thing));
