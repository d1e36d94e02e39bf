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
/** A session lives so long without use; after it, its end needs no explanation. */
const emailChangeMs = 3 * 24 * 60 * 60 * 1000;

/** Runs when another tab of this browser has signed out. */
export function onSignedOutElsewhere(react: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === signedInKey && event.newValue === null) react();
  });
}

/** Changes with every sign-out of this browser: who signs in after one is somebody else's business. */
export function signOutMark(): string | null {
  return read(lasting, signedOutKey);
}

/** A sign-out that Keycloak, being away, has not heard of. */
export function rememberUnfinishedSignOut(unfinished: boolean): void {
  write(lasting, unfinishedKey, unfinished ? '1' : undefined);
}

/** Where the guard caught the visitor; sign-in leads back there. */
export function rememberReturnPath(place: string | undefined): void {
  write(passing, placeKey, place);
}

export function takeReturnPath(): string | undefined {
  const place = read(passing, placeKey);
  rememberReturnPath(undefined);
  // Only a path of this site; `//host` and `/\\host` would leave it.
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

/** Another address was asked for here. Once it is proved, in whatever browser, this one has to log in with it. */
export function rememberEmailChange(asked: boolean): void {
  write(lasting, emailChangeKey, asked ? String(Date.now()) : undefined);
}

/** Whether a session of this browser may have ended by a change of the address. */
export function emailChangeWasAsked(): boolean {
  const at = Number(read(lasting, emailChangeKey));
  return at > 0 && Date.now() - at < emailChangeMs;
}

/** On the way to Keycloak's log-out. Other tabs hear of it only on the way back: till then it would sign them in again. */
export function rememberSigningOut(): void {
  write(passing, signingOutKey, '1');
}
