import type { Locator, Page } from '@playwright/test';
import type { TestCreator } from '../creators.ts';
import { painted, settled } from '../settled.ts';

type Login = Pick<TestCreator, 'email' | 'password' | 'username' | 'uid'> &
  Partial<Pick<TestCreator, 'browserState'>>;

/** A download page, and the key that opens it to everybody. */
export interface Delivery {
  page: string;
  key: string;
}

/** Who and what the screens are about. */
export interface World {
  /** Somebody with a full profile. */
  creator: Login & { offeringId: string; slug: string };
  /** The download page of an offering with a file. */
  delivery: Delivery;
  /** Somebody whose profile is public, and nothing more. */
  newcomer: Login;
  /** Somebody who has signed up and saved no profile yet. */
  beginner: Login & { draftId: string };
  /** Somebody with an offering in each state, some of them hidden by an operator, and another look. */
  seller: TestCreator & {
    slugs: Record<'soldOut' | 'workshop' | 'ended', string>;
    workshopId: string;
    deliveries: Record<'several' | 'link' | 'text' | 'workshop', Delivery>;
  };
  /** Somebody who writes from right to left. */
  rightToLeft: Login & { slug: string };
  /** Somebody who decides about reports: one waits, one is appealed, one hidden, one dismissed. */
  operator: Login;
  /** Somebody who logs out. */
  leaver: Login;
}

export const viewers = [
  'visitor',
  'creator',
  'newcomer',
  'beginner',
  'seller',
  'operator',
  'leaver',
] as const;
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

/** A page that everybody sees as it comes. */
export const visitorScreen = (name: string, address: string, path = (_: World) => address): Screen => ({
  name,
  viewer: 'visitor',
  address,
  show: (page, world) => openPage(page, path(world)),
});
