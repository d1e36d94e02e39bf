import { useSyncExternalStore } from 'react';

/**
 * `unknown`: this browser has signed in before, and the check with Keycloak is still running.
 * `loggedOutElsewhere`: another tab logged this page out.
 * `ended`: the session of this page is over. Typed text stays until the user signs in again.
 */
export type Session =
  | { status: 'unknown' }
  | { status: 'anonymous'; loggedOutElsewhere?: boolean }
  | { status: 'signed-in'; uid: string; email: string; ended: boolean };

const anonymous: Session = { status: 'anonymous' };
const listeners = new Set<() => void>();
let session: Session = anonymous;

function set(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentSession(): Session {
  return session;
}

// The server renders the same page for all users.
const anonymousSession = (): Session => anonymous;

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, anonymousSession);
}

export function awaitSession(): void {
  set({ status: 'unknown' });
}

/** Ends the wait for the check: no session was found. */
export function settleSession(): void {
  if (session.status === 'unknown') dropSession();
}

export function beginSession(uid: string, email = ''): void {
  set({ status: 'signed-in', uid, email, ended: false });
}

/** Marks the session as ended: the server no longer accepts our tokens. */
export function endSession(): void {
  if (session.status === 'signed-in') set({ ...session, ended: true });
}

export function dropSession(loggedOutElsewhere = false): void {
  set(loggedOutElsewhere ? { status: 'anonymous', loggedOutElsewhere } : anonymous);
}
