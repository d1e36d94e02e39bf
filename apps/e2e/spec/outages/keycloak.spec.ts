import type { BrowserContext, Page } from '@playwright/test';
import { fetchApi, fetchJson } from '../../src/api.ts';
import { controlProcess, whileDown } from '../../src/process-control.ts';
import { newAccount, type TestCreator, makeCreator, makeOffering, saveProfile } from '../../src/creators.ts';
import { updateRealm } from '../../src/keycloak-admin.ts';
import { expect, row, test } from '../../src/spec-test.ts';
import { theSystem } from '../../src/system.ts';

async function fillLogin(page: Page, creator: TestCreator): Promise<void> {
  const { email, password } = creator;
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
}

async function fillRegistration(page: Page): Promise<void> {
  const { displayName, username, email, password } = newAccount();
  await page.goto('/signup');
  await page.getByLabel('Display name').fill(displayName);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('checkbox', { name: /I agree to the Terms of Service/ }).check();
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

/**
 * Records the texts of disabled buttons and status messages. It runs in the page, because Playwright cannot inspect a page
 * that navigates, and Keycloak's forms navigate immediately.
 */
async function noteBusyWords(page: Page): Promise<string[]> {
  const noted: string[] = [];
  await page.exposeFunction('noteBusyWords', (words: string) => noted.push(words));
  await page.addInitScript(() => {
    const { noteBusyWords } = window as unknown as { noteBusyWords: (words: string) => void };
    const note = () => {
      for (const each of document.querySelectorAll('button[disabled], [role=status]')) {
        const words = each.textContent?.trim();
        if (words) noteBusyWords(`${each instanceof HTMLButtonElement ? 'button' : 'status'}: ${words}`);
      }
    };
    new MutationObserver(note).observe(document, { attributes: true, childList: true, subtree: true });
  });
  return noted;
}

/** Submits a form while Keycloak hangs, and expects that its button is disabled and shows a message. */
async function expectBusy(page: Page, noted: string[], label: string, busyLabel: string): Promise<void> {
  await whileDown(
    'keycloak',
    async () => {
      await button(page, label).click({ noWaitAfter: true });
      await expect.poll(() => noted).toContain(`button: ${busyLabel}`);
    },
    'pause',
  );
}

test(...row('4.busy.sign-up', 'Keycloak hangs while the form is sent'), async ({ page, words }) => {
  const noted = await noteBusyWords(page);
  await fillRegistration(page);
  await expectBusy(page, noted, 'Sign Up', words);
  await expect(page).toHaveURL('/create-profile');
});

test(...row('4.busy.reset', 'Keycloak hangs while the form is sent'), async ({ page, resident }) => {
  const noted = await noteBusyWords(page);
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(resident.email);
  await expectBusy(page, noted, 'Send Reset Link', 'Sending...');
  await expect(page.getByText(/^If an account with that email exists/)).toBeVisible();
});

test(
  ...row('4.busy.log-in', 'Keycloak hangs while the form is sent by repeated clicks'),
  async ({ page, creator, words }) => {
    const noted = await noteBusyWords(page);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await fillLogin(page, creator);
    const place = await button(page, 'Log In').boundingBox();
    expect(place).not.toBeNull();
    const { x, y, width, height } = place ?? { x: 0, y: 0, width: 0, height: 0 };
    await whileDown(
      'keycloak',
      async () => {
        // Sends raw keyboard input, because Playwright finds no elements while a page navigates.
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        await expect.poll(() => noted).toContain(`button: ${words}`);
        await expect.poll(() => noted).toContain(`status: ${words}`);
        await page.keyboard.press('Enter');
        await page.mouse.dblclick(x + width / 2, y + height / 2);
      },
      'pause',
    );
    await expect(page).toHaveURL('/dashboard');
    expect(sent.filter((url) => url.includes('/login-actions/authenticate'))).toHaveLength(1);
  },
);

test(
  ...row('8.signup.other', 'registration is closed by an administrator while the form is filled in'),
  async ({ page, words }) => {
    await fillRegistration(page);
    await updateRealm({ registrationAllowed: false });
    try {
      await button(page, 'Sign Up').click();
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    } finally {
      await updateRealm({ registrationAllowed: true });
    }
  },
);

test(
  ...row('8.forgot.failure', 'resetting is switched off by an administrator while the form is filled in'),
  async ({ page, resident, words }) => {
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill(resident.email);
    await updateRealm({ resetPasswordAllowed: false });
    try {
      await button(page, 'Send Reset Link').click();
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    } finally {
      await updateRealm({ resetPasswordAllowed: true });
    }
  },
);

test(
  ...row('8.login.other', "Keycloak's database is stopped while the form is filled in"),
  async ({ page, creator, words }) => {
    await fillLogin(page, creator);
    await whileDown('postgres', async () => {
      await button(page, 'Log In').click();
      await expect(page.getByText(words, { exact: true })).toBeVisible({ timeout: 40_000 });
    });
    await expect
      .poll(async () => (await fetchApi('GET', '/api/me', { token: creator.token })).status, {
        timeout: 60_000,
      })
      .toBe(200);
    await expect(async () => void (await makeCreator())).toPass({ timeout: 60_000 });
  },
);

const inMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

test.describe('Keycloak is stopped', () => {
  let context: BrowserContext;
  let leaving: Page;
  let creator: TestCreator;

  test.beforeAll(async ({ browser }) => {
    creator = await makeCreator();
    const { browserState: storageState } = creator;
    context = await browser.newContext({ storageState, baseURL: theSystem().siteUrl });
    leaving = await context.newPage();
    await leaving.goto('/dashboard');
    await expect(leaving.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await inMenu(leaving, 'About Us').click();
    await controlProcess('stop', 'keycloak');
  });

  test.afterAll(async () => {
    await controlProcess('start', 'keycloak');
    await context.close();
  });

  for (const [line, path] of [
    ['8.login.unreachable', '/login'],
    ['8.signup.unreachable', '/signup'],
    ['8.forgot.unreachable', '/forgot-password'],
  ] as const) {
    test(...row(line, 'Keycloak is stopped'), async ({ page, words }) => {
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1 }), 'the site is open').toBeVisible();
      await page.goto(path);
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    });
  }

  test('a signed-in creator continues without Keycloak, except for the list of sessions', async () => {
    const { token } = creator;
    await saveProfile(token, { displayName: creator.displayName, bio: 'Written meanwhile' });
    expect(await fetchJson('GET', '/api/me', { token })).toMatchObject({ bio: 'Written meanwhile' });
    await makeOffering(token);
    expect((await fetchApi('GET', '/api/account/sessions', { token })).status).toBe(503);
  });

  test('a log-out without Keycloak is local, shows that, and is completed later', async () => {
    // Needs more time, because it starts Keycloak.
    test.slow();
    await leaving.getByRole('button', { name: 'Log Out' }).click();
    await expect(leaving).toHaveURL('/');
    await expect(inMenu(leaving, 'Log In')).toBeVisible();
    await expect(
      leaving.getByText('You are logged out here. The sign-in server cannot be reached'),
    ).toBeVisible();
    await leaving.goBack();
    await expect(inMenu(leaving, 'Log In')).toBeVisible();
    await expect(leaving.getByRole('button', { name: 'Log Out' })).toHaveCount(0);
    // Leaves the page, because it would complete the log-out before the test can read the message.
    await leaving.goto('about:blank');
    await controlProcess('start', 'keycloak');
    await leaving.goto('/');
    // Waits long, because a restarted Keycloak is slow and the page retries with growing pauses.
    await expect(leaving.getByText('You are logged out, here and on the sign-in server.')).toBeVisible({
      timeout: 90_000,
    });
    await inMenu(leaving, 'Log In').click();
    await expect(leaving.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  });
});

test('a password reset without a working mail server does not reveal accounts', async ({
  page,
  resident,
}) => {
  await whileDown('mail', async () => {
    for (const email of [resident.email, newAccount().email]) {
      await page.goto('/forgot-password');
      await page.getByLabel('Email').fill(email);
      await button(page, 'Send Reset Link').click();
      await expect(page.getByText(/^If an account with that email exists/)).toBeVisible();
    }
  });
});
