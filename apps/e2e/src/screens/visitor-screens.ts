import { expect, type Page } from '@playwright/test';
import { waitForMail } from '../mail-catcher.ts';
import { navigateClientSide } from '../navigation.ts';
import { logIn } from '../sign-in.ts';
import { theSystem } from '../system.ts';
import { expectAlert, stallRequests, expectInvalidField, abortRequests } from './request-faults.ts';
import { linkChangeMail, mailScreens } from './mail-screens.ts';
import { accountRoutes, publicRoutes } from './routes.ts';
import { openPage, phone, type Screen, visitorScreen as route } from './screen.ts';
import { shopScreens } from './shop-screens.ts';

const visitor = 'visitor' as const;

const nothingFound = (page: Page) => page.getByText('No featured creators match your search.');

const states: Screen[] = [
  {
    name: 'menu',
    viewer: visitor,
    address: '/',
    phone: true,
    show: async (page) => {
      await page.setViewportSize({ width: phone, height: 800 });
      await openPage(page, '/');
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    },
  },
  {
    name: 'home-nothing-found',
    viewer: visitor,
    address: '/',
    show: async (page) => {
      await openPage(page, '/');
      await page.getByRole('searchbox').fill('nobody is called this');
      await expect(nothingFound(page)).toBeVisible();
    },
    state: nothingFound,
  },
  {
    name: 'browse-loading',
    viewer: visitor,
    address: '/browse-creators',
    show: async (page) => {
      await stallRequests(page, '**/api/creators*');
      await navigateClientSide(page, '/browse-creators');
      await expect(page.getByText('Loading creators...')).toBeVisible();
    },
  },
  {
    name: 'browse-failed',
    viewer: visitor,
    address: '/browse-creators',
    show: async (page) => {
      await abortRequests(page, '**/api/creators*');
      await navigateClientSide(page, '/browse-creators');
      await expectAlert(page);
    },
  },
  {
    name: 'profile-loading',
    viewer: visitor,
    address: '/profile/{username}',
    show: async (page, { creator }) => {
      await stallRequests(page, '**/api/creators/**');
      await navigateClientSide(page, `/profile/${creator.username}`);
      await expect(page.getByText('Loading profile...')).toBeVisible();
    },
  },
  {
    name: 'profile-failed',
    viewer: visitor,
    address: '/profile/{username}',
    show: async (page, { creator }) => {
      await abortRequests(page, '**/api/creators/**');
      await navigateClientSide(page, `/profile/${creator.username}`);
      await expectAlert(page);
    },
  },
  {
    name: 'contact-errors',
    viewer: visitor,
    address: '/contact',
    show: async (page) => {
      await openPage(page, '/contact');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectInvalidField(page);
    },
  },
  {
    name: 'contact-failed',
    viewer: visitor,
    address: '/contact',
    show: async (page) => {
      await openPage(page, '/contact');
      await abortRequests(page, '**/api/contact-messages');
      await fillContact(page);
      await expectAlert(page);
    },
  },
  {
    name: 'contact-sent',
    viewer: visitor,
    address: '/contact',
    show: async (page) => {
      await openPage(page, '/contact');
      await fillContact(page);
      await expect(page.getByText("Thanks for your message! We'll be in touch soon.").first()).toBeVisible();
    },
  },
  {
    name: 'report-errors',
    viewer: visitor,
    address: '/report?page=/profile/{username}',
    show: async (page, { creator }) => {
      await openPage(page, `/report?page=/profile/${creator.username}`);
      await page.getByRole('button', { name: 'Send Report' }).click();
      await expectInvalidField(page);
    },
  },
  {
    name: 'report-sent',
    viewer: visitor,
    address: '/report?page=/profile/{username}/{slug}',
    show: async (page, { rightToLeft: { username, slug } }) => {
      await openPage(page, `/report?page=/profile/${username}/${slug}`);
      await page
        .getByLabel('Which guideline does it go against?')
        .selectOption('Offer only what you made or may sell.');
      await page.getByRole('button', { name: 'Send Report' }).click();
      await expect(page.getByText(/^Thank you\./)).toBeVisible();
    },
  },
  {
    name: 'undo-link-change',
    viewer: visitor,
    address: '/undo-change?links#{token}',
    show: async (page, { seller }) => {
      const { text } = await waitForMail(linkChangeMail(seller));
      await openPage(page, /https?:\/\/\S+\/undo-change\?links#\S+/.exec(text)?.[0] ?? '');
      await expect(page.getByRole('button', { name: 'It Was Not Me: Take It Back' })).toBeVisible();
    },
  },
  {
    name: 'login-unreachable',
    viewer: visitor,
    address: '/login',
    show: async (page) => {
      await abortRequests(page, `${theSystem().keycloak.publicUrl}/**`);
      await page.goto('/login');
      await expectAlert(page);
    },
  },
  {
    name: 'login-refused',
    viewer: visitor,
    address: '/login',
    show: async (page) => {
      await page.goto('/login');
      await logIn(page, { email: 'nobody@example.test', password: 'not the password' });
      await expectInvalidField(page);
    },
  },
  {
    name: 'forgot-password-sent',
    viewer: visitor,
    address: '/forgot-password',
    show: async (page, { creator }) => {
      await openPage(page, '/forgot-password');
      await page.getByRole('textbox').first().fill(creator.email);
      const answered = page.waitForEvent('domcontentloaded');
      await page.locator('main button[type=submit], main input[type=submit]').first().click();
      await answered;
      await expect(page.getByText(/If an account with that email exists/).first()).toBeVisible();
    },
  },
];

async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Thandi Mokoena');
  await page.getByLabel('Email').fill('thandi@example.com');
  await page.getByLabel('Subject').fill('A question about my page');
  await page.getByLabel('Message').fill('How do I order my offerings?');
  await page.getByRole('button', { name: 'Send Message' }).click();
}

export const visitorScreens: readonly Screen[] = [
  ...publicRoutes({ username: '{username}', slug: '{slug}' }).map(({ name, path }) => {
    const address = decodeURI(path);
    return route(name, address, ({ creator: { username, slug } }) =>
      address.replace('{username}', username).replace('{slug}', slug),
    );
  }),
  route('profile-empty', '/profile/{username}', ({ newcomer }) => `/profile/${newcomer.username}`),
  ...shopScreens,
  ...accountRoutes.map(({ name, path }) => route(name, path)),
  {
    name: 'login-failed',
    viewer: visitor,
    address: '/auth/callback',
    show: async (page) => {
      await page.goto('/login');
      await page.waitForURL(/\/protocol\/openid-connect\/auth/);
      const state = new URL(page.url()).searchParams.get('state');
      await page.goto(`/auth/callback#state=${state}&error=temporarily_unavailable`);
      await expectAlert(page);
    },
  },
  ...states,
  ...mailScreens,
];
