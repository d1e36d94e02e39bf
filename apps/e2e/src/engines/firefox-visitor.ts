import {
  type Browser,
  type BrowserContext,
  expect,
  firefox,
  type Locator,
  type Page,
} from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { randomIpAddress } from '../api.ts';
import { theSystem } from '../system.ts';
import { type Engine, navigateExpression, type Setup, type Target, type Visitor } from './visitor.ts';

/** Drives the Firefox of a Linux distribution by Playwright, over WebDriver BiDi. */
export async function firefoxEngine(program: string): Promise<Engine> {
  const light = await launch(program, false);
  return {
    visit: async (setup) => {
      const browser = setup.dark ? await launch(program, true) : light;
      const context = await newContext(browser, setup);
      const page = await context.newPage();
      return {
        visitor: firefoxVisitor(context, page),
        picture: () => page.screenshot(),
        close: () => (setup.dark ? browser.close() : context.close()),
      };
    },
    stop: () => light.close(),
  };
}

const launch = (executablePath: string, dark: boolean): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    // Firefox has no BiDi command for the colour scheme, so this setting selects it: 0 is dark, 1 light.
    firefoxUserPrefs: { 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1 },
  });

async function newContext(browser: Browser, { width, height }: Setup): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: theSystem().siteUrl,
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Each visitor has its own address, because rate limits count by address.
    extraHTTPHeaders: { 'x-forwarded-for': randomIpAddress() },
  });
  context.setDefaultTimeout(15_000);
  return context;
}

function firefoxVisitor(context: BrowserContext, page: Page): Visitor {
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error' || /Content-Security-Policy/.test(message.text()))
      errors.push(message.text());
  });
  return {
    open: async (path) => {
      await page.goto(path);
      await page.locator('html[data-interactive]').waitFor();
      // Waits for pending requests. Leaving the page would abort them, and they would count as errors of the next page.
      await page.waitForLoadState('networkidle');
    },
    follow: async (path) => {
      await page.evaluate(navigateExpression(path));
    },
    back: async () => {
      await page.goBack();
    },
    address: () => Promise.resolve(new URL(page.url())),
    sees: (thing) => expect(locate(page, thing).first()).toBeVisible(),
    seesNo: (thing) => expect(locate(page, thing).filter({ visible: true })).toHaveCount(0),
    click: (thing) => locate(page, thing).click(),
    // Types the text. `fill` sets the value in a way that React does not notice over BiDi.
    fill: async (thing, text) => {
      const field = locate(page, thing);
      await field.press('Control+a');
      await field.pressSequentially(text);
    },
    attach: (thing, path) => locate(page, thing).setInputFiles(path),
    press: (key) => page.keyboard.press(key),
    hasFocus: (thing) => locate(page, thing).evaluate((element) => element === document.activeElement),
    attribute: (thing, name) => locate(page, thing).getAttribute(name),
    value: (expression) => page.evaluate(expression),
    download: async (thing) => {
      const begun = page.waitForEvent('download');
      await locate(page, thing).click();
      const saved = await begun;
      return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
    },
    errors: () => Promise.resolve(errors),
  };
}

function locate(page: Page, thing: Target): Locator {
  const place = thing.in ? locate(page, thing.in) : page;
  if ('role' in thing)
    return place.getByRole(thing.role, thing.name === undefined ? {} : { name: thing.name, exact: true });
  return 'label' in thing
    ? place.getByLabel(thing.label, { exact: true })
    : place.getByText(thing.text, { exact: true });
}
