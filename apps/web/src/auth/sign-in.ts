import { operatorRole } from '@stoa/contracts/facts';
import { limits } from '@stoa/contracts/limits';
import type Keycloak from 'keycloak-js';
import { sessionApi } from '../api/session-endpoints.ts';
import { ApiError, setTokenSource } from '../api/http.ts';
import { saveDrafts } from '../browser/drafts.ts';
import { paths } from '../paths.ts';
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

/** Whose tokens these are; they are nowhere else. */
let held: Keycloak | undefined;
let asking: Promise<void> | undefined;
let signedOut = false;
let mark: string | null;

onSignedOutElsewhere(() => forget(true));
clearWhenPageIsRestored({
  isOver: () => signedOut || signOutMark() !== mark,
  forget: () => forget(!signedOut),
});

function adopt(instance: Keycloak): void {
  held = instance;
  signedOut = false;
  mark = signOutMark();
  setTokenSource({ token: () => tokenFor(20), renew: () => tokenFor(-1) });
  rememberSignedIn(true);
  rememberUnfinishedSignOut(false);
  beginSession(instance.subject ?? '', emailOf(instance));
}

/** For a call whose answer is a file. */
export const accessToken = (): Promise<string | undefined> => tokenFor(20);

function emailOf({ tokenParsed }: Keycloak): string {
  const email: unknown = tokenParsed?.email;
  return typeof email === 'string' ? email.toLowerCase() : '';
}

function forget(loggedOutElsewhere: boolean): void {
  saveDrafts();
  held = undefined;
  setTokenSource(undefined);
  dropSession(loggedOutElsewhere);
}

async function tokenFor(minValidity: number): Promise<string | undefined> {
  const instance = held;
  if (!instance) return undefined;
  try {
    await refreshTokens(instance, minValidity);
  } catch (error) {
    // The adapter drops its tokens when Keycloak refuses them, and keeps them when Keycloak is merely away.
    const lost = !instance.token || error instanceof KeycloakTimeout;
    if (lost) await (asking ??= askAnew().finally(() => (asking = undefined)));
    // The API has refused the token in hand; whether the session is over is unknown.
    else if (minValidity < 0)
      throw new ApiError('unreachable', 'Keycloak cannot be asked for a token', undefined, error);
  }
  return held?.token;
}

/**
 * A refresh token is good once. When the answer to its use got lost, the next one is refused although Keycloak's own
 * session lives on: only Keycloak knows whether it is over.
 */
async function askAnew(): Promise<void> {
  const session = currentSession();
  const instance = await checkSsoSilently().catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw new ApiError('unreachable', 'Keycloak cannot be asked for a token', undefined, error);
  });
  const same = session.status === 'signed-in' && instance?.subject === session.uid;
  if (instance?.authenticated && same) adopt(instance);
  else endSession();
}

/** Finds out, unseen, whether this browser is still signed in. */
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
  /** What became of something that one set out to change at Keycloak. */
  changed?: AccountChange;
}

/** Ends the way back from Keycloak's pages: tokens, the creator's record, and where to go now. */
export async function finishSignIn(): Promise<WayOn> {
  // The adapter takes its answer out of the address.
  const changed = changeIn(location.hash);
  const instance = await startKeycloak();
  // No answer for a question of ours, as after a password reset: asking anew comes back at once.
  if (!instance.authenticated) return { to: paths.login, from: takeReturnPath() };
  adopt(instance);
  // Whoever comes back with a log-in knows the address that it takes.
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
 * The address of Keycloak's page, which leads back to `place`. Rejects when Keycloak cannot be reached, and when
 * `signal` cancels the redirect.
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
      // After an unfinished log-out Keycloak's session lives on: it must not log anybody in.
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

/** The address to log in with again, of the session that has ended on this page. */
function emailOfEnded(): { loginHint?: string } {
  const session = currentSession();
  return session.status === 'signed-in' && session.ended && session.email ? { loginHint: session.email } : {};
}

/** What Keycloak is asked to change; of several things of a kind, which one. */
export type AskedChange = Exclude<AccountAction, 'delete_credential'> | `delete_credential:${string}`;

/** The address of Keycloak's page for changing something of the account, which leads back to `place`. */
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

/** Whether the log-in is so fresh that the account may be deleted by it, with as long again left to type. */
export function isLoginFresh(): boolean {
  const { tokenParsed, timeSkew } = held ?? {};
  const serverSeconds = Date.now() / 1000 - (timeSkew ?? 0);
  const ageSeconds = serverSeconds - (tokenParsed?.auth_time ?? 0);
  return ageSeconds < (limits.freshLoginMinutes / 2) * 60;
}

/** Whether to offer the room of operators. The server decides about what is in it. */
export function isOperator(): boolean {
  const roles: unknown = held?.tokenParsed?.roles;
  return Array.isArray(roles) && roles.includes(operatorRole);
}

/** The address of Keycloak's log-in for somebody who is signed in, which leads back to `place`. */
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

/** Where one gets another password: by a mail, or at once where it is known who asks. */
export async function passwordAddress(signal: AbortSignal): Promise<string> {
  const session = currentSession();
  if (session.status === 'signed-in' && !session.ended)
    return accountChangeAddress('UPDATE_PASSWORD', paths.account, signal);
  await assertReachable(signal);
  signal.throwIfAborted();
  rememberReturnPath(undefined);
  return resetAddress();
}

/** Where signing out goes on: to Keycloak, or home when Keycloak is away. */
export async function signOutAddress(): Promise<string> {
  signedOut = true;
  rememberEmailChange(false);
  const session = currentSession();
  const hadEnded = session.status === 'signed-in' && session.ended;
  try {
    if (!held?.idToken) throw new Error('There is no session to end');
    await assertReachable();
    rememberSigningOut();
    return held.createLogoutUrl({ redirectUri: location.origin + paths.home });
  } catch (error) {
    console.error(error);
    rememberSignedIn(false);
    // Of a session that Keycloak itself has ended there is nothing left to finish.
    rememberUnfinishedSignOut(!hadEnded);
    return paths.home;
  }
}

/** Every session has been ended by the server; answers where to go on. */
export function forgetSignIn(): string {
  signedOut = true;
  rememberEmailChange(false);
  rememberSignedIn(false);
  return paths.home;
}

/** Ends at Keycloak what a log-out without Keycloak left there. Rejects while it is still away. */
export async function finishSignOut(): Promise<void> {
  if (!signOutIsUnfinished()) return;
  const instance = await checkSsoSilently();
  // A login in another tab meanwhile is somebody's new session.
  if (instance.authenticated && signOutIsUnfinished()) await endSessionAtKeycloak(instance);
  rememberUnfinishedSignOut(false);
}
