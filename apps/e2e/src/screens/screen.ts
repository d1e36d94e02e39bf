import type { Locator, Page } from '@playwright/test';
import type { TestCreator } from '../creators.ts';
import { painted, settled } from '../settled.ts';

type Login = Pick<TestCreator, 'email' | 'password' | 'username' | 'uid'> &
  Partial<Pick<TestCreator, 'browserState'>>;

/** Who and what the screens are about. */
export interface World {
  /** Somebody with a full profile. */
  creator: Login & { offeringId: string; slug: string };
  /** The download page of an offering with a file, and the key that opens it to everybody. */
  delivery: { page: string; key: string };
  /** Somebody who has just signed up. */
  newcomer: Login;
}

export const viewers = ['visitor', 'creator', 'newcomer'] as const;
export type Viewer = (typeof viewers)[number];

/** A page in one of its states. */
export interface Screen {
  name: string;
  /** Who sees it. Each gets one page, on which the screens follow each other. */
  viewer: Viewer;
  /** What the reports call its address. */
  address: string;
  /** Seen on a phone only. */
  phone?: boolean;
  show: (page: Page, world: World) => Promise<void>;
  /** What tells this state from the page's others, where it stands further down than a picture reaches. */
  state?: (page: Page) => Locator;
}

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const widths = [360, 768, 1280] as const;
export type Width = (typeof widths)[number];
export const phone = widths[0];
const height = 800;

/** Sets a page up for pictures and measurements: no motion, and a fixed size. */
export async function setViewportAndTheme(page: Page, width: Width, colorScheme: Theme): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await painted(page);
}

/** Shows a screen on a page of its viewer; whatever it held back or refused flows again for the next one. */
export async function showScreen(page: Page, screen: Screen, world: World): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await screen.show(page, world);
}

export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}
