import type { Locator, Page } from '@playwright/test';
import type { TestCreator } from '../creators.ts';
import { painted, settled } from '../settled.ts';

type Login = Pick<TestCreator, 'email' | 'password' | 'username' | 'uid'> &
  Partial<Pick<TestCreator, 'browserState'>>;

/** A download page and the key that opens it. */
export interface Delivery {
  page: string;
  key: string;
}

/** The accounts and data of the screens. */
export interface World {
  /** A creator with a full profile. */
  creator: Login & { offeringId: string; slug: string };
  /** The download page of an offering with a file. */
  delivery: Delivery;
  /** A creator with an empty public profile. */
  newcomer: Login;
  /** A user without a saved profile. */
  beginner: Login & { draftId: string };
  /** A creator with an offering in each state, some hidden by an operator, and with another palette. */
  seller: TestCreator & {
    slugs: Record<'soldOut' | 'workshop' | 'ended', string>;
    workshopId: string;
    deliveries: Record<'several' | 'link' | 'text' | 'workshop', Delivery>;
  };
  /** A creator who writes from right to left. */
  rightToLeft: Login & { slug: string };
  /** An operator with an open, an appealed, a hidden and a dismissed case. */
  operator: Login;
  /** A user who logs out. */
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

/** A page in one state. */
export interface Screen {
  name: string;
  /** The account that sees the screen. Each viewer has one page, which shows the screens in sequence. */
  viewer: Viewer;
  /** The address of the screen in the reports. */
  address: string;
  /** Whether the screen exists only on a phone. */
  phone?: boolean;
  show: (page: Page, world: World) => Promise<void>;
  /** The element that distinguishes this state, if it is below the visible part of a screenshot. */
  state?: (page: Page) => Locator;
}

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const widths = [360, 768, 1280] as const;
export type Width = (typeof widths)[number];
export const phone = widths[0];
const height = 800;

/** Prepares a page for screenshots and measurements: without motion and with a fixed size. */
export async function setViewportAndTheme(page: Page, width: Width, colorScheme: Theme): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await painted(page);
}

/** Shows a screen on its viewer's page. First it removes the request faults of the previous screen. */
export async function showScreen(page: Page, screen: Screen, world: World): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await screen.show(page, world);
}

export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** A public page without further actions. */
export const visitorScreen = (name: string, address: string, path = (_: World) => address): Screen => ({
  name,
  viewer: 'visitor',
  address,
  show: (page, world) => openPage(page, path(world)),
});
