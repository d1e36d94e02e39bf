import {
  lasting,
  passing,
  read,
  signedInKey,
  signedOutKey,
  signingOutKey,
  unfinishedKey,
  write,
} from './sign-in-storage.ts';

const placeKey = 'stoa.return-to';
const intentKey = 'stoa.intent';
const emailChangeKey = 'stoa.email-change';
/** An unused session lives this long. The end of a later one needs no explanation. */
const emailChangeMs = 3 * 24 * 60 * 60 * 1000;

/** Runs `react` when another tab of this browser has signed out. */
export function onSignedOutElsewhere(react: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === signedInKey && event.newValue === null) react();
  });
}

/** Changes with every sign-out in this browser, since another user may sign in after it. */
export function signOutMark(): string | null {
  return read(lasting, signedOutKey);
}

/** Stores whether the last sign-out could not reach Keycloak. */
export function rememberUnfinishedSignOut(unfinished: boolean): void {
  write(lasting, unfinishedKey, unfinished ? '1' : undefined);
}

/** The page that the guard protected. Sign-in redirects back to it. */
export function rememberReturnPath(place: string | undefined): void {
  write(passing, placeKey, place);
}

export function takeReturnPath(): string | undefined {
  const place = read(passing, placeKey);
  rememberReturnPath(undefined);
  // Only a path of this site: `//host` and `/\\host` would leave it.
  return place && /^\/(?![/\\])/.test(place) ? place : undefined;
}

export function rememberIntent(intent: 'login' | 'signup'): void {
  write(passing, intentKey, intent);
}

export function takeIntent(): string | null {
  const intent = read(passing, intentKey);
  write(passing, intentKey, undefined);
  return intent;
}

/**
 * Notes a change of email that began here. After its confirmation in any browser, this one must log in with
 * the new address.
 */
export function rememberEmailChange(asked: boolean): void {
  write(lasting, emailChangeKey, asked ? String(Date.now()) : undefined);
}

/** Whether a change of email may have ended a session of this browser. */
export function emailChangeWasAsked(): boolean {
  const at = Number(read(lasting, emailChangeKey));
  return at > 0 && Date.now() - at < emailChangeMs;
}

/**
 * Notes the way to Keycloak's log-out. Other tabs are notified only on the return: before that, Keycloak
 * would sign them in again.
 */
export function rememberSigningOut(): void {
  write(passing, signingOutKey, '1');
}
