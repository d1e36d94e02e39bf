import type { Locator, Page } from '@playwright/test';
import type { TestCreator } from '../creators.ts';
import { painted, settled } from '../settled.ts';

type Login = Pick<TestCreator, 'email' | 'password' | 'username' | 'uid'> &
  Partial<Pick<TestCreator, 'browserState'>>;

export interface Delivery {
  page: string;
  key: string;
}

/** The accounts and data that the screens show. */
export interface World {
  creator: Login & { offeringId: string; slug: string };
  delivery: Delivery;
  newcomer: Login;
  /** A user who has not saved a profile yet. */
  beginner: Login & { draftId: string };
  /** A creator with an offering in each state and another palette. An operator has hidden some offerings. */
  seller: TestCreator & {
    slugs: Record<'soldOut' | 'workshop' | 'ended', string>;
    workshopId: string;
    deliveries: Record<'several' | 'link' | 'text' | 'workshop', Delivery>;
  };
  /** A creator who writes in a right-to-left script. */
  rightToLeft: Login & { slug: string };
  /** An operator with four cases: open, appealed, hidden and dismissed. */
  operator: Login;
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

/** A page of the product in one visible state. */
export interface Screen {
  name: string;
  /** The account that sees the screen. Each viewer has one browser page, on which the screens follow one another. */
  viewer: Viewer;
  /** The address of the screen, as the reports in docs/evidence show it. */
  address: string;
  phone?: boolean;
  show: (page: Page, world: World) => Promise<void>;
  /** The element that is special in this state, if it is below the visible part of a screenshot. */
  state?: (page: Page) => Locator;
}

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const widths = [360, 768, 1280] as const;
export type Width = (typeof widths)[number];
export const phone = widths[0];
const height = 800;

/** Sets size and theme of a page, and switches off motion, for screenshots and measurements. */
export async function setViewportAndTheme(page: Page, width: Width, colorScheme: Theme): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await painted(page);
}

/** Removes the request faults of the previous screen, and shows this one on its viewer's page. */
export async function showScreen(page: Page, screen: Screen, world: World): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await screen.show(page, world);
}

export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** A public page that needs no further action. */
export const visitorScreen = (name: string, address: string, path = (_: World) => address): Screen => ({
  name,
  viewer: 'visitor',
  address,
  show: (page, world) => openPage(page, path(world)),
});
