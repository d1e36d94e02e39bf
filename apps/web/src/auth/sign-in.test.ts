import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type * as Session from './session.ts';
import type * as SignIn from './sign-in.ts';
import { FakeKeycloak, uid } from './fake-keycloak.ts';

const stay = new AbortController().signal;
let keycloak: FakeKeycloak;
let signIn: typeof SignIn;
let session: typeof Session;
let page: Parameters<typeof removeEventListener>[];

beforeEach(async () => {
  jest.resetModules();
  page = [];
  const listen = window.addEventListener.bind(window);
  jest
    .spyOn(window, 'addEventListener')
    .mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => {
      page.push([type, listener]);
      listen(type, listener);
    });
  jest.spyOn(console, 'error').mockImplementation(() => {});
  history.replaceState(null, '', '/dashboard');
  document.documentElement.style.visibility = '';
  keycloak = new FakeKeycloak();
  // After the reset of modules, this is the same new instance that sign-in.ts imports.
  const { loadConfig } = await import('../api/config.ts');
  await keycloak.install(loadConfig);
  signIn = await import('./sign-in.ts');
  session = await import('./session.ts');
});

afterEach(() => {
  jest.useRealTimers();
  keycloak.uninstall();
  // Each test is a new page. Listeners of the previous one must not run.
  for (const heard of page) window.removeEventListener(...heard);
});

/** Returns to the callback, as Keycloak redirects after a log-in that `address` began. */
async function returnFrom(address: string) {
  history.replaceState(null, '', `/auth/callback${keycloak.redirectOf(address)}`);
  return signIn.finishSignIn();
}

const others = ['performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] as const;

/** Fakes the clock, and no timer. */
function anHourLater(): void {
  jest.useFakeTimers({ now: Date.now() + 3_600_000, doNotFake: [...others, 'setTimeout', 'clearTimeout'] });
}

const live = { status: 'signed-in', uid, ended: false };
const asked = async () => (await import('../api/http.ts')).call('GET', '/api/me', { signedIn: true });

test('a log-in leads to the dashboard, and a sign-up to the profile form', async () => {
  expect(await returnFrom(await signIn.signInAddress('login', undefined, stay))).toEqual({
    to: '/dashboard',
  });
  expect(session.currentSession()).toMatchObject(live);
  keycloak.recordIsNew = true;
  expect(await returnFrom(await signIn.signInAddress('signup', undefined, stay))).toEqual({
    to: '/create-profile',
  });
});

test('after a failed return the log-in can be retried without a reload', async () => {
  const address = await signIn.signInAddress('login', '/dashboard/edit-profile', stay);
  keycloak.answersLost = 1;
  await expect(returnFrom(address)).rejects.toThrow();
  expect(session.currentSession().status).toBe('anonymous');
  const again = await signIn.signInAddress('login', '/dashboard/edit-profile', stay);
  expect(await returnFrom(again)).toEqual({ to: '/dashboard/edit-profile' });
  expect(session.currentSession()).toMatchObject(live);
});

test('a lost answer to a refresh does not end the session', async () => {
  await signIn.restore();
  keycloak.answersLost = 1;
  anHourLater();
  await asked();
  // The page still holds the old refresh token, which Keycloak has already used up.
  await asked();
  expect(session.currentSession()).toMatchObject(live);
  expect(
    keycloak.sentTo('/token').filter((form) => form.get('grant_type') === 'authorization_code'),
  ).toHaveLength(2);
});

test('a session that Keycloak has ended ends here, and drafts are kept', async () => {
  await signIn.restore();
  keycloak.session = undefined;
  anHourLater();
  await asked();
  expect(session.currentSession()).toMatchObject({ status: 'signed-in', uid, ended: true });
});

test('a log-in with another account ends the session', async () => {
  await signIn.restore();
  keycloak.session = 'somebody-else';
  anHourLater();
  keycloak.forgetRefreshToken();
  await asked();
  expect(session.currentSession()).toMatchObject({ uid, ended: true });
});

test('a login in another tab resumes the session in this one', async () => {
  await signIn.restore();
  keycloak.session = undefined;
  anHourLater();
  await asked();
  keycloak.session = uid;
  await asked();
  expect(session.currentSession()).toMatchObject(live);
});

test('an outage of Keycloak does not end the session', async () => {
  await signIn.restore();
  keycloak.forgetRefreshToken();
  anHourLater();
  keycloak.away = true;
  await asked();
  expect(session.currentSession()).toMatchObject(live);
  keycloak.away = false;
  await asked();
  expect(session.currentSession()).toMatchObject(live);
});

test('a request to Keycloak times out after 5 s', async () => {
  jest.useFakeTimers({ doNotFake: [...others, 'Date'] });
  keycloak.hangs = true;
  const restored = signIn.restore();
  await waitFor(() => expect(document.querySelector('iframe')).not.toBeNull());
  await jest.advanceTimersByTimeAsync(5_000);
  await restored;
  expect(session.currentSession().status).toBe('anonymous');
  expect(document.querySelector('iframe')).toBeNull();
});

test('leaving cancels a pending redirect to Keycloak', async () => {
  keycloak.hangs = true;
  const leaving = new AbortController();
  const address = signIn.signInAddress('login', '/dashboard', leaving.signal);
  leaving.abort();
  await expect(address).rejects.toMatchObject({ name: 'AbortError' });
  keycloak.hangs = false;
  const late = new AbortController();
  const answered = signIn.signInAddress('login', '/dashboard', late.signal);
  late.abort();
  await expect(answered).rejects.toMatchObject({ name: 'AbortError' });
  expect(sessionStorage.getItem('stoa.return-to')).toBeNull();
});

test('a plain login clears the return path of the guard', async () => {
  await signIn.signInAddress('login', '/dashboard/edit-offering/of-somebody', stay);
  expect(await returnFrom(await signIn.signInAddress('login', undefined, stay))).toEqual({
    to: '/dashboard',
  });
});

test('logging out redirects to Keycloak with id_token_hint, and home when Keycloak is down', async () => {
  await signIn.restore();
  expect(new URL(await signIn.signOutAddress()).searchParams.get('id_token_hint')).toBeTruthy();
  keycloak.away = true;
  expect(await signIn.signOutAddress()).toBe('/');
  expect(localStorage.getItem('stoa.sign-out-unfinished')).toBe('1');
});

test('the next log-in first retries a log-out that failed at Keycloak', async () => {
  await signIn.restore();
  keycloak.away = true;
  await signIn.signOutAddress();
  keycloak.away = false;
  const address = new URL(await signIn.signInAddress('login', undefined, stay));
  expect(keycloak.session).toBeUndefined();
  expect(address.searchParams.get('prompt')).toBeNull();
  expect(localStorage.getItem('stoa.sign-out-unfinished')).toBeNull();
});

test('if that retry fails, the next log-in asks for the password (prompt=login)', async () => {
  await signIn.restore();
  keycloak.away = true;
  await signIn.signOutAddress();
  keycloak.away = false;
  keycloak.logoutFails = true;
  const address = new URL(await signIn.signInAddress('login', undefined, stay));
  expect(address.searchParams.get('prompt')).toBe('login');
});

test('a password change starts and ends at the account page, with its outcome', async () => {
  await signIn.restore();
  const address = await signIn.passwordAddress(stay);
  expect(new URL(address).searchParams.get('kc_action')).toBe('UPDATE_PASSWORD');
  const said = '&kc_action=UPDATE_PASSWORD&kc_action_status=cancelled';
  history.replaceState(null, '', `/auth/callback${keycloak.redirectOf(address)}${said}`);
  expect(await signIn.finishSignIn()).toEqual({
    to: '/dashboard/account',
    changed: { action: 'UPDATE_PASSWORD', outcome: 'cancelled' },
  });
});

test('a visitor is offered the password reset mail', async () => {
  expect(await signIn.passwordAddress(stay)).toContain('/login-actions/reset-credentials?client_id=web');
});

test('the addresses of the sign-in pages carry the theme chosen on the site', async () => {
  document.documentElement.dataset.theme = 'dark';
  try {
    for (const address of [
      await signIn.signInAddress('login', undefined, stay),
      await signIn.signInAddress('signup', undefined, stay),
      await signIn.passwordAddress(stay),
    ])
      expect(new URL(address).searchParams.get('stoa_theme')).toBe('dark');
  } finally {
    delete document.documentElement.dataset.theme;
  }
  expect(await signIn.signInAddress('login', undefined, stay)).not.toContain('stoa_theme');
});

const leave = () => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
const comeBack = () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
const { style } = document.documentElement;

test('a signed-out page restored from the back-forward cache stays signed out', async () => {
  await signIn.restore();
  keycloak.away = true;
  await signIn.signOutAddress();
  leave();
  expect(style.visibility).toBe('hidden');
  comeBack();
  expect(session.currentSession().status).toBe('anonymous');
  expect(style.visibility).toBe('');
});

test('a page restored from the back-forward cache notices a log-out and login in another tab', async () => {
  await signIn.restore();
  const drafts = await import('../browser/drafts.ts');
  drafts.registerDraft('form', () => ({ bio: 'Half a sentence' }));
  leave();
  const { rememberSignedIn } = await import('../browser/sign-in-storage.ts');
  rememberSignedIn(false);
  rememberSignedIn(true);
  comeBack();
  expect(session.currentSession().status).toBe('anonymous');
  expect(sessionStorage.getItem('stoa.draft.form')).toContain('Half a sentence');
});

test('a log-out in another tab is distinguished from one in this tab [web-4]', async () => {
  await signIn.restore();
  dispatchEvent(new StorageEvent('storage', { key: 'stoa.signed-in', newValue: null }));
  expect(session.currentSession()).toEqual({ status: 'anonymous', loggedOutElsewhere: true });
  await signIn.restore();
  await signIn.signOutAddress();
  leave();
  comeBack();
  expect(session.currentSession()).toEqual({ status: 'anonymous' });
});

test('going back during a log-out still logs out', async () => {
  await signIn.restore();
  await signIn.signOutAddress();
  leave();
  comeBack();
  expect(session.currentSession().status).toBe('anonymous');
  expect(localStorage.getItem('stoa.signed-in')).toBeNull();
  expect(localStorage.getItem('stoa.sign-out-unfinished')).toBe('1');
});

test('a page restored from the back-forward cache resumes its session', async () => {
  await signIn.restore();
  leave();
  comeBack();
  expect(session.currentSession()).toMatchObject(live);
  expect(style.visibility).toBe('');
});

test('a log-in counts as recent for minutes, and Keycloak provides a new one', async () => {
  expect(signIn.isLoginFresh()).toBe(false);
  keycloak.loginAgeSeconds = 200;
  await signIn.restore();
  expect(signIn.isLoginFresh()).toBe(true);
  keycloak.loginAgeSeconds = 400;
  await signIn.restore();
  expect(signIn.isLoginFresh()).toBe(false);
  const address = await signIn.freshLoginAddress('/dashboard/account?delete', 'delete-account', stay);
  expect(new URL(address).searchParams.get('prompt')).toBe('login');
  keycloak.loginAgeSeconds = 0;
  expect(await returnFrom(address)).toEqual({ to: '/dashboard/account?delete' });
  expect(signIn.isLoginFresh()).toBe(true);
});

test('a log-in after an ended session fills in the email', async () => {
  await signIn.restore();
  session.endSession();
  const hintOf = async (page: 'login' | 'signup') =>
    new URL(await signIn.signInAddress(page, '/dashboard', stay)).searchParams.get('login_hint');
  expect(await hintOf('login')).toBe('ada@stoa.test');
  expect(await hintOf('signup')).toBeNull();
  session.dropSession();
  expect(await hintOf('login')).toBeNull();
});

test('the next log-in explains a pending change of email, until it is done or logged out', async () => {
  const explained = async () =>
    new URL(await signIn.signInAddress('login', undefined, stay)).searchParams.get('stoa_for');
  await signIn.restore();
  expect(await explained()).toBeNull();
  await signIn.accountChangeAddress('UPDATE_PASSWORD', '/dashboard/account', stay);
  expect(await explained()).toBeNull();
  await signIn.accountChangeAddress('UPDATE_EMAIL', '/dashboard/account', stay);
  session.endSession();
  const address = await signIn.signInAddress('login', undefined, stay);
  expect(new URL(address).searchParams.get('stoa_for')).toBe('email-changed');
  // The old address would not work as a hint.
  expect(new URL(address).searchParams.get('login_hint')).toBeNull();
  await returnFrom(address);
  expect(await explained()).toBeNull();
  await signIn.accountChangeAddress('UPDATE_EMAIL', '/dashboard/account', stay);
  await signIn.signOutAddress();
  expect(await explained()).toBeNull();
});
