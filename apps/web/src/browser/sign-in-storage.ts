// None of this is secret: tokens never leave memory.
const signedInKey = 'stoa.signed-in';
const placeKey = 'stoa.return-to';
const intentKey = 'stoa.intent';
const signingOutKey = 'stoa.signing-out';
const signedOutKey = 'stoa.signed-out';
const unfinishedKey = 'stoa.sign-out-unfinished';

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Storage may be blocked: signing in still works, only without this comfort.
  }
}

const lasting = () => localStorage;
const passing = () => sessionStorage;

/** Whether this browser has signed in before, so that only then Keycloak is asked on start. */
export function hasSignedInBefore(): boolean {
  return read(lasting, signedInKey) === '1';
}

export function rememberSignedIn(signedIn: boolean): void {
  write(lasting, signedInKey, signedIn ? '1' : undefined);
  if (!signedIn) write(lasting, signedOutKey, crypto.randomUUID());
}

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

export function signOutIsUnfinished(): boolean {
  return read(lasting, unfinishedKey) === '1';
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

/** On the way to Keycloak's log-out. Other tabs hear of it only on the way back: till then it would sign them in again. */
export function rememberSigningOut(): void {
  write(passing, signingOutKey, '1');
}

export function takeSigningOut(): boolean {
  const signingOut = read(passing, signingOutKey) === '1';
  write(passing, signingOutKey, undefined);
  return signingOut;
}
