// None of this is secret: tokens never leave memory. Every page loads this file; `sign-in-notes.ts` has the
// rest.
export const signedInKey = 'stoa.signed-in';
export const signingOutKey = 'stoa.signing-out';
export const signedOutKey = 'stoa.signed-out';
export const unfinishedKey = 'stoa.sign-out-unfinished';

export function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

export function write(storage: () => Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Storage may be blocked. Signing in still works, without these notes.
  }
}

export const lasting = (): Storage => localStorage;
export const passing = (): Storage => sessionStorage;

/** Whether this browser has signed in before. Only then does a page ask Keycloak on start. */
export function hasSignedInBefore(): boolean {
  return read(lasting, signedInKey) === '1';
}

export function rememberSignedIn(signedIn: boolean): void {
  write(lasting, signedInKey, signedIn ? '1' : undefined);
  if (!signedIn) write(lasting, signedOutKey, crypto.randomUUID());
}

export function signOutIsUnfinished(): boolean {
  return read(lasting, unfinishedKey) === '1';
}

export function takeSigningOut(): boolean {
  const signingOut = read(passing, signingOutKey) === '1';
  write(passing, signingOutKey, undefined);
  return signingOut;
}
