import type { Page } from '@playwright/test';
import { accountRoutes, creatorRoutes, publicRoutes } from '../src/screens/routes.ts';
import { expect, residentTest, row, rows, test } from '../src/spec-test.ts';

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const linksOf = async (page: Page) =>
  (await menuOf(page).getByRole('link').allInnerTexts()).map((text) => text.trim());

test(...row('1.header', 'the home page'), async ({ page }) => {
  await page.goto('/about');
  const header = page.getByRole('banner');
  await expect(header.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await header.getByRole('link', { name: 'Stoa', exact: true }).click();
  await expect(page).toHaveURL('/');
});

test(...row('1.footer', 'the home page'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByText(`© ${new Date().getFullYear()} Stoa. All rights reserved.`)).toBeVisible();
  await expect(footer.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
});

test(
  ...rows({
    '2.layout.all-routes': 'each route in turn',
    '6.creator.rooms': 'a signed-in creator opens each of them',
  }),
  async ({ page, context, resident }) => {
    test.slow();
    const framed = async (path: string) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeAttached();
      await expect(page.getByRole('banner'), path).toBeVisible();
      await expect(page.getByRole('contentinfo'), path).toBeVisible();
    };
    for (const { path } of publicRoutes(resident)) await framed(path);
    await framed('/profile');
    // These pages redirect a creator who is logged in, so they are tested without a session.
    for (const { path } of accountRoutes) {
      await framed(path);
      await page.waitForURL(/\/realms\/stoa\//, { waitUntil: 'domcontentloaded' });
      await expect(page.getByRole('banner'), path).toBeVisible();
      await expect(page.getByRole('contentinfo'), path).toBeVisible();
    }

    const headings: Record<string, string> = {
      dashboard: 'Dashboard',
      account: 'Account and Security',
      'edit-profile': 'Edit Your Profile',
      'add-offering': 'Add New Offering',
      'edit-offering': 'Edit Offering',
      download: 'Averyveryverylongword',
      'create-profile': 'Edit Your Profile',
    };
    await context.setStorageState(resident.browserState);
    for (const { name, path } of [
      ...creatorRoutes(resident),
      { name: 'create-profile', path: '/create-profile' },
    ]) {
      await framed(path);
      await expect(page.getByRole('heading', { level: 1, name: headings[name] ?? name })).toBeVisible();
      await expect(page).toHaveURL(path);
    }
    await framed('/download');
    // Comes last, because this page redirects.
    await framed('/auth/callback');
  },
);

test(...row('2.header.always', 'a visitor on the home page'), async ({ page }) => {
  await page.goto('/contact');
  for (const [name, path] of [
    ['Browse Creators', '/browse-creators'],
    ['About Us', '/about'],
    ['Home', '/'],
  ] as const) {
    await menuOf(page).getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(path);
  }
});

test(...row('2.header.signed-in', 'a signed-in creator on the home page'), async ({ openAsResident }) => {
  const page = await openAsResident('/');
  await expect(menuOf(page).getByRole('button', { name: 'Log Out' })).toBeVisible();
  expect(await linksOf(page)).toEqual(['Home', 'Browse Creators', 'About Us', 'Dashboard']);
});

test(...row('2.header.signed-out', 'a visitor on the home page'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/');
  await expect(menuOf(page)).toBeVisible();
  expect(await linksOf(page)).toEqual(['Home', 'Browse Creators', 'About Us', 'Log In', 'Sign Up']);
  await expect(page.getByRole('button', { name: 'Log Out' })).toHaveCount(0);
});

test(
  ...rows({ '2.header.menu': 'a screen 360 px wide', '2.header.menu-link': 'a screen 360 px wide' }),
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    await expect(menuOf(page)).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(menuOf(page)).toBeVisible();
    await page.getByRole('button', { name: 'Close menu' }).click();
    await expect(menuOf(page)).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menuOf(page).getByRole('link', { name: 'About Us' }).click();
    await expect(page).toHaveURL('/about');
    await expect(menuOf(page)).toBeHidden();
  },
);

test(...row('2.footer.links', 'the home page; each link followed'), async ({ page }) => {
  await page.goto('/');
  for (const [name, path] of [
    ['Privacy Policy', '/privacy'],
    ['Terms of Service', '/terms-of-service'],
    ['Community Guidelines', '/community-guidelines'],
    ['Help & Feedback', '/help-feedback'],
  ] as const) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/');
  }
});

residentTest(
  ...row('2.auth-state', 'a browser that signed in earlier opens the site; the test records all shown items'),
  async ({ page }) => {
    await page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(window, { shown });
      // Runs before each frame. While a stylesheet is missing the browser paints nothing, so texts do not count.
      const note = () => {
        requestAnimationFrame(note);
        if ([...document.querySelectorAll('link')].some(({ rel, sheet }) => rel === 'stylesheet' && !sheet))
          return;
        for (const link of document.querySelectorAll('header a, header button')) {
          const text = link.textContent?.trim() ?? '';
          // The server renders the items for visitors without a session; the page hides them, so they do not count.
          if (!link.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
          if (text && !shown.includes(text)) shown.push(text);
        }
      };
      requestAnimationFrame(note);
    });
    await page.goto('/');
    await expect(menuOf(page).getByRole('button', { name: 'Log Out' })).toBeVisible();
    const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    expect(shown).toContain('Log Out');
    expect(shown, 'never taken for a visitor meanwhile').not.toContain('Log In');
  },
);

test(
  ...rows({
    '2.guard.create-profile': 'a visitor opens the address',
    '2.guard.edit-profile': 'a visitor opens the address',
    '2.guard.dashboard': 'a visitor opens the address',
    '2.guard.add-offering': 'a visitor opens the address',
    '2.guard.edit-offering': 'a visitor opens the address',
    '2.guard.download': 'a visitor opens the address',
  }),
  async ({ page, baseURL }) => {
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    const id = '5d8f9f3e-6a9e-4f0f-9d50-0e6f6c2a7f11';
    for (const path of [
      '/create-profile',
      '/dashboard/edit-profile',
      '/dashboard',
      '/dashboard/add-offering',
      `/dashboard/edit-offering/${id}`,
      `/download/${id}/${id}`,
    ]) {
      visited.length = 0;
      await page.goto(path);
      // The download page first shows that the key is missing. Its link "Log In" leads to Keycloak.
      if (path.startsWith('/download')) await page.getByRole('button', { name: /Log In$/ }).click();
      await page.waitForURL(/\/realms\/stoa\//);
      await expect(page.getByRole('heading', { name: 'Welcome Back' }), path).toBeVisible();
      expect(visited, path).toContain(`${baseURL}/login`);
    }
  },
);
