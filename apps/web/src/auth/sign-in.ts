import { operatorRole } from '@stoa/contracts/facts';
import { limits } from '@stoa/contracts/limits';
import type Keycloak from 'keycloak-js';
import { sessionApi } from '../api/account/session-endpoints.ts';
import { ApiError, setTokenSource } from '../api/http.ts';
import { saveDrafts } from '../browser/drafts.ts';
import { paths } from '../navigation/paths.ts';
import {
  emailChangeWasAsked,
  onSignedOutElsewhere,
  rememberEmailChange,
  rememberIntent,
  rememberReturnPath,
  rememberSigningOut,
  rememberUnfinishedSignOut,
  signOutMark,
  takeReturnPath,
} from '../browser/sign-in-notes.ts';
import { rememberSignedIn, signOutIsUnfinished } from '../browser/sign-in-storage.ts';
import { type AccountAction, type AccountChange, changeIn } from './account-change.ts';
import { destinationAfterSignIn } from './destination.ts';
import {
  checkSsoSilently,
  assertReachable,
  endSessionAtKeycloak,
  isRefusal,
  KeycloakTimeout,
  loginAddress,
  type LoginPurpose,
  refreshTokens,
  resetAddress,
  startKeycloak,
} from './keycloak.client.ts';
import { clearWhenPageIsRestored } from './page-cache.ts';
import { beginSession, currentSession, dropSession, endSession } from './session.ts';

/** The adapter with the tokens. They are stored nowhere else. */
let adapter: Keycloak | undefined;
let pendingCheck: Promise<void> | undefined;
let signedOut = false;
let mark: string | null;

onSignedOutElsewhere(() => forget(true));
clearWhenPageIsRestored({
  isOver: () => signedOut || signOutMark() !== mark,
  forget: () => forget(!signedOut),
});

function adopt(instance: Keycloak): void {
  adapter = instance;
  signedOut = false;
  mark = signOutMark();
  setTokenSource({ token: () => tokenFor(20), renew: () => tokenFor(-1) });
  rememberSignedIn(true);
  rememberUnfinishedSignOut(false);
  beginSession(instance.subject ?? '', emailOf(instance));
}

/** A token for a call whose answer is a file. */
export const accessToken = (): Promise<string | undefined> => tokenFor(20);

function emailOf({ tokenParsed }: Keycloak): string {
  const email: unknown = tokenParsed?.email;
  return typeof email === 'string' ? email.toLowerCase() : '';
}

function forget(loggedOutElsewhere: boolean): void {
  saveDrafts();
  adapter = undefined;
  setTokenSource(undefined);
  dropSession(loggedOutElsewhere);
}

async function tokenFor(minValidity: number): Promise<string | undefined> {
  const instance = adapter;
  if (!instance) return undefined;
  try {
    await refreshTokens(instance, minValidity);
  } catch (error) {
    // The adapter drops its tokens if Keycloak refuses them, and keeps them if Keycloak is down.
    const lost = !instance.token || error instanceof KeycloakTimeout;
    if (lost) await (pendingCheck ??= checkSessionAgain().finally(() => (pendingCheck = undefined)));
    // The API has refused the current token. Whether the session is over is unknown.
    else if (minValidity < 0)
      throw new ApiError('unreachable', 'Keycloak did not answer the request for a token', undefined, error);
  }
  return adapter?.token;
}

/**
 * A refresh token works once. If the answer to its use was lost, Keycloak refuses the next use although its
 * session lives on. Only a new check at Keycloak shows whether the session is over.
 */
async function checkSessionAgain(): Promise<void> {
  const session = currentSession();
  const instance = await checkSsoSilently().catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw new ApiError('unreachable', 'Keycloak did not answer the request for a token', undefined, error);
  });
  const same = session.status === 'signed-in' && instance?.subject === session.uid;
  if (instance?.authenticated && same) adopt(instance);
  else endSession();
}

/** Checks in a hidden frame whether this browser is still signed in. */
export async function restore(): Promise<void> {
  try {
    const instance = await checkSsoSilently();
    if (!instance.authenticated) {
      rememberSignedIn(false);
      return;
    }
    adopt(instance);
  } catch (error) {
    console.error(error);
  }
}

interface WayOn {
  to: string;
  from?: string | undefined;
  changed?: AccountChange;
}

/**
 * Finishes the return from Keycloak's pages: gets the tokens and the creator's record, and returns the next
 * address.
 */
export async function finishSignIn(): Promise<WayOn> {
  // Read first: the adapter removes Keycloak's answer from the address.
  const changed = changeIn(location.hash);
  const instance = await startKeycloak();
  // The address holds no answer to our request, as after a password reset. A new log-in returns immediately.
  if (!instance.authenticated) return { to: paths.login, from: takeReturnPath() };
  adopt(instance);
  // After a log-in the user knows the new email address, so the hint is not needed.
  rememberEmailChange(false);
  const opened = await sessionApi.openSession().catch((error: unknown) => {
    console.error(error);
    return undefined;
  });
  const to = destinationAfterSignIn(opened);
  return changed ? { to, changed } : { to };
}

export type SignInPage = 'login' | 'signup';

/**
 * The address of Keycloak's page, which redirects back to `place`. Rejects if Keycloak cannot be reached, or
 * if `signal` cancels the redirect.
 */
export async function signInAddress(
  to: SignInPage,
  place: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  await assertReachable(signal);
  const finished = await finishSignOut().then(
    () => true,
    () => false,
  );
  const instance = await startKeycloak();
  const moved = to === 'login' && emailChangeWasAsked();
  const login = await loginAddress(
    instance,
    {
      // After an unfinished log-out Keycloak's session lives on. It must not sign in the next user.
      ...(!finished && { prompt: 'login' as const }),
      ...(to === 'login' && !moved && emailOfEnded()),
    },
    moved ? 'email-changed' : undefined,
  );
  signal.throwIfAborted();
  rememberReturnPath(place);
  rememberIntent(to);
  return to === 'login' ? login : login.replace('/openid-connect/auth?', '/openid-connect/registrations?');
}

/** The email address to fill in, if this page's session has ended. */
function emailOfEnded(): { loginHint?: string } {
  const session = currentSession();
  return session.status === 'signed-in' && session.ended && session.email ? { loginHint: session.email } : {};
}

/** An action that Keycloak offers. Deleting a credential names the credential. */
export type AskedChange = Exclude<AccountAction, 'delete_credential'> | `delete_credential:${string}`;

/** The address of Keycloak's page for this change of the account, which redirects back to `place`. */
export async function accountChangeAddress(
  action: AskedChange,
  place: string,
  signal: AbortSignal,
): Promise<string> {
  await assertReachable(signal);
  const address = await loginAddress(await startKeycloak(), { action });
  signal.throwIfAborted();
  rememberReturnPath(place);
  rememberIntent('login');
  if (action === 'UPDATE_EMAIL') rememberEmailChange(true);
  return address;
}

/** Whether the log-in is younger than half the limit. The other half is left for typing. */
export function isLoginFresh(): boolean {
  const { tokenParsed, timeSkew } = adapter ?? {};
  const serverSeconds = Date.now() / 1000 - (timeSkew ?? 0);
  const ageSeconds = serverSeconds - (tokenParsed?.auth_time ?? 0);
  return ageSeconds < (limits.freshLoginMinutes / 2) * 60;
}

/** Whether to link to the operators' pages. The server decides about access. */
export function isOperator(): boolean {
  const roles: unknown = adapter?.tokenParsed?.roles;
  return Array.isArray(roles) && roles.includes(operatorRole);
}

/** The address of Keycloak's log-in for a user who is already signed in. It redirects back to `place`. */
export async function freshLoginAddress(
  place: string,
  purpose: LoginPurpose,
  signal: AbortSignal,
): Promise<string> {
  await assertReachable(signal);
  const address = await loginAddress(await startKeycloak(), { prompt: 'login' }, purpose);
  signal.throwIfAborted();
  rememberReturnPath(place);
  rememberIntent('login');
  return address;
}

/** The address for a new password: Keycloak's form for a signed-in user, else the reset mail. */
export async function passwordAddress(signal: AbortSignal): Promise<string> {
  const session = currentSession();
  if (session.status === 'signed-in' && !session.ended)
    return accountChangeAddress('UPDATE_PASSWORD', paths.account, signal);
  await assertReachable(signal);
  signal.throwIfAborted();
  rememberReturnPath(undefined);
  return resetAddress();
}

/** Where to go to sign out: to Keycloak, or home if Keycloak is down. */
export async function signOutAddress(): Promise<string> {
  signedOut = true;
  rememberEmailChange(false);
  const session = currentSession();
  const hadEnded = session.status === 'signed-in' && session.ended;
  try {
    if (!adapter?.idToken) throw new Error('There is no session to end');
    await assertReachable();
    rememberSigningOut();
    return adapter.createLogoutUrl({ redirectUri: location.origin + paths.home });
  } catch (error) {
    console.error(error);
    rememberSignedIn(false);
    // A session that Keycloak has already ended needs no second attempt.
    rememberUnfinishedSignOut(!hadEnded);
    return paths.home;
  }
}

/** Forgets the sign-in after the server has ended every session. Returns the next address. */
export function forgetSignIn(): string {
  signedOut = true;
  rememberEmailChange(false);
  rememberSignedIn(false);
  return paths.home;
}

/**
 * Ends the Keycloak session that a log-out left open while Keycloak was down. Rejects while it is still down.
 */
export async function finishSignOut(): Promise<void> {
  if (!signOutIsUnfinished()) return;
  const instance = await checkSsoSilently();
  // A log-in in another tab since then is a new session, which stays.
  if (instance.authenticated && signOutIsUnfinished()) await endSessionAtKeycloak(instance);
  rememberUnfinishedSignOut(false);
}
