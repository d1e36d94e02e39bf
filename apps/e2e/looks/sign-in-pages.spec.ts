import type { Page } from '@playwright/test';
import { newAccount } from '../src/creators.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { navigateExpression } from '../src/engines/visitor.ts';
import { enableRequiredAction, setRequiredActions } from '../src/keycloak-admin.ts';
import { isPasswordResetTo, waitForMail } from '../src/mail-catcher.ts';
import { logIn, register } from '../src/sign-in.ts';
import { realmUrl, theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

test.describe.configure({ timeout: 180_000 });

const main = (page: Page) => page.getByRole('main');
const title = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const submit = (page: Page) => main(page).locator('[type=submit]').first();

async function logOutAtKeycloak(page: Page): Promise<void> {
  await page.goto(`${realmUrl()}/protocol/openid-connect/logout`);
  await title(page, 'Log Out');
}

test('forms with errors stay readable and keep the input [e2e-186]', async ({ page, creator }) => {
  await page.goto('/login');
  await logIn(page, { email: creator.email, password: 'not this one' });
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(creator.email);
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'Invalid email or password. Please try again.',
  );
  await expectAccessible(page, 'login refused');

  await page.goto('/signup');
  const account = { ...newAccount(), username: 'With Space', email: 'nobody', password: 'seven77' };
  await register(page, { ...account, passwordConfirm: 'other', agree: false });
  await expect(page.getByLabel('Display name')).toHaveValue(account.displayName);
  await expect(page.getByLabel('Email')).toHaveValue('nobody');
  await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toHaveValue('');
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/No spaces .* Use 3 to 30 lowercase/);
  await expect(page.getByRole('alert').filter({ hasText: 'Please check the form.' })).toContainText(
    'The email address is not valid.',
  );
  await expectAccessible(page, 'registration refused');
});

test('going back shows the form without its error and its busy state', async ({ page, creator }) => {
  await page.goto('/login');
  await logIn(page, { email: creator.email, password: 'not this one' });
  await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Invalid email or password. Please try again.')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Logging In...' })).toHaveCount(0);
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
});

/*
 * Some browsers restore a sent form from the back-forward cache. Playwright disables this cache, so the test aborts the
 * request, which leaves the form in the same state, and dispatches the same event. A test in spec/outages sends a form to a
 * slow Keycloak.
 */
test('a form restored from the back-forward cache after sending can be sent again', async ({
  page,
  creator,
}) => {
  await page.goto('/login');
  await title(page, 'Welcome Back');
  let sent = 0;
  await page.route('**/login-actions/authenticate**', (route) => {
    sent += 1;
    return route.abort('aborted');
  });
  await page.getByLabel('Email').fill(creator.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Log In' }).dblclick();
  await expect(page.getByRole('button', { name: 'Logging In...' })).toBeDisabled();
  await expect(page.getByRole('status').filter({ hasText: 'Logging In...' })).toBeAttached();
  await page.getByRole('textbox', { name: 'Password', exact: true }).press('Enter');
  expect(sent).toBe(1);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await page.unroute('**/login-actions/authenticate**');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a password is shown and hidden by a named button [e2e-187]', async ({ page }) => {
  await page.goto('/login');
  const password = page.getByRole('textbox', { name: 'Password', exact: true });
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

/** The colour that the page sets for the browser's toolbars. */
const barColor = (page: Page) =>
  page
    .locator('meta[name=theme-color]')
    .evaluateAll((metas: HTMLMetaElement[]) => metas.find(({ media }) => matchMedia(media).matches)?.content);
const light = '#f7f2e9';
const dark = '#13100d';

for (const { name, path, arrive } of [
  { name: 'log-in', path: '/login', arrive: 'Welcome Back' },
  { name: 'sign-up', path: '/signup', arrive: 'Create Your Account' },
  { name: 'forgotten password', path: '/forgot-password', arrive: 'Forgot Your Password?' },
])
  test(`the ${name} page follows the theme of the site without a shared cookie`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/about');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
    // Without cookies, the pages of Keycloak cannot know the theme of the site, as if their hosts had no common domain.
    await page.context().clearCookies();
    await page.evaluate(navigateExpression(path));
    await title(page, arrive);
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
    expect(page.url()).not.toContain('stoa_theme');

    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.reload();
    await title(page, arrive);
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  });

test('the sign-in pages have the phone menu, the links and the theme of the site', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  expect(await barColor(page)).toBe(light);
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(() => barColor(page)).toBe(dark);
  await page.goto('/login');
  await title(page, 'Welcome Back');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  expect(await barColor(page)).toBe(dark);
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true');

  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(menu.getByRole('link')).toHaveText([
    'Home',
    'Browse Creators',
    'About Us',
    'Log In',
    'Sign Up',
  ]);
  await expectAccessible(page, 'open menu');
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();

  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  expect(await barColor(page)).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barColor(page)).toBe(light);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Help & Feedback' }).click();
  await expect(page).toHaveURL('/help-feedback');
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  expect(await barColor(page)).toBe(light);
});

// Keycloak's pages know that the user is logged in from a hint that the site has stored.
test("Keycloak's pages offer a signed-in creator the dashboard and the log-out", async ({
  dashboardPage: page,
}) => {
  await logOutAtKeycloak(page);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Home',
    'Browse Creators',
    'About Us',
    'Dashboard',
    'Log Out',
  ]);
  await expectAccessible(page, 'log out');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log Out' }).click();
  await main(page).getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
});

test("Keycloak's error pages name the error and have a link", async ({ page, browser, baseURL, creator }) => {
  await page.goto(
    `${realmUrl()}/protocol/openid-connect/auth?client_id=web&response_type=code&redirect_uri=https://evil.example`,
  );
  await title(page, 'Something Went Wrong');
  await expectAccessible(page, 'foreign redirect');
  await page.goto(`${realmUrl()}/login-actions/authenticate?client_id=web&tab_id=x`);
  await title(page, 'Something Went Wrong');
  await expect(main(page)).toContainText('cookies');
  await expectAccessible(page, 'no cookies');
  await main(page).getByRole('link', { name: 'Try Again' }).click();
  await title(page, 'Welcome Back');

  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(creator.email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const mail = await waitForMail(isPasswordResetTo(creator.email));
  const link = /https?:\/\/\S+login-actions\/action-token\S+/.exec(mail.text)?.[0] ?? '';
  // Opens the link in another browser, because people often read mails on another device.
  const context = await browser.newContext({ baseURL });
  const elsewhere = await context.newPage();
  await elsewhere.goto(link);
  await title(elsewhere, 'Choose a New Password');
  await expectAccessible(elsewhere, 'new password');
  await elsewhere.getByRole('textbox', { name: 'New password', exact: true }).fill('short');
  await elsewhere.getByRole('textbox', { name: /^Confirm/ }).fill('short');
  await submit(elsewhere).click();
  await expect(elsewhere.getByText('Password must be at least 8 characters long.')).toBeVisible();
  await elsewhere.getByRole('textbox', { name: 'New password', exact: true }).fill('long enough now');
  await elsewhere.getByRole('textbox', { name: /^Confirm/ }).fill('long enough now');
  await submit(elsewhere).click();
  await title(elsewhere, 'All Done');
  await expectAccessible(elsewhere, 'all done');
  await main(elsewhere).getByRole('link', { name: 'Go to the Dashboard' }).click();
  await logIn(elsewhere, { ...creator, password: 'long enough now' });
  await expect(elsewhere.getByRole('heading', { level: 1, name: /Welcome Back|Dashboard/ })).toBeVisible();
  await context.clearCookies();
  await elsewhere.goto(link);
  await title(elsewhere, 'This Link Has Expired');
  await expectAccessible(elsewhere, 'used link');
  await main(elsewhere).getByRole('link', { name: 'Ask for a New Link' }).click();
  await title(elsewhere, 'Forgot Your Password?');
  await context.close();
});

test('the password reset mail has HTML and plain text, and is accessible in light and dark', async ({
  page,
  creator,
}) => {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(creator.email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const { text, html, subject } = await waitForMail(isPasswordResetTo(creator.email));
  expect(subject).toBe('Choose a new password for Stoa');
  expect(text).toContain('reset the password of your Stoa account');
  expect(text).not.toContain('<');
  // An empty page, because the content policy of Keycloak's page forbids the inline styles of the mail.
  await page.goto('about:blank');
  await page.setContent(html);
  const address = await page.getByRole('link', { name: 'Choose a New Password' }).getAttribute('href');
  expect(text).toContain(address);
  await expectAccessible(page, 'reset mail');
});

test("Keycloak's unused pages answer 'Page Not Found'", async ({ page }) => {
  for (const path of ['/realms/stoa/device', '/realms/stoa/account/', '/admin/', '/realms/master/account/']) {
    await page.goto(`${theSystem().keycloak.publicUrl}${path}`);
    await title(page, 'Page Not Found');
  }
  await expect(page.getByRole('link', { name: 'Back to Log In' })).toBeVisible();
});

const actions = [
  ['UPDATE_PROFILE', 'Update Your Details', 1],
  ['UPDATE_PASSWORD', 'Choose a New Password', 1],
  // A pending change of the address needs a second log-in.
  ['UPDATE_EMAIL', 'Change Your Email', 2],
] as const;

for (const [action, heading, logIns] of actions) {
  test(`the page of ${action} has its title and no axe violation`, async ({ page, creator }) => {
    await enableRequiredAction(action);
    await setRequiredActions(creator.uid, action);
    await page.goto('/login');
    for (let times = 0; times < logIns; times += 1) await logIn(page, creator);
    await title(page, heading);
    await expectAccessible(page, action);
  });
}
