import { useSyncExternalStore } from 'react';

/**
 * `unknown`: this browser has signed in before, and Keycloak is being asked whether that still holds.
 * `loggedOutElsewhere`: signed in on this page, until another tab logged out.
 * `ended`: signed in on this page, but the session is over. What was typed stays until the user signs in again.
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

// A page as the server makes it is the same for everybody.
const anonymousSession = (): Session => anonymous;

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession, anonymousSession);
}

export function awaitSession(): void {
  set({ status: 'unknown' });
}

/** Ends the wait: no session was found. */
export function settleSession(): void {
  if (session.status === 'unknown') dropSession();
}

export function beginSession(uid: string, email = ''): void {
  set({ status: 'signed-in', uid, email, ended: false });
}

/** The server no longer takes our tokens. */
export function endSession(): void {
  if (session.status === 'signed-in') set({ ...session, ended: true });
}

export function dropSession(loggedOutElsewhere = false): void {
  set(loggedOutElsewhere ? { status: 'anonymous', loggedOutElsewhere } : anonymous);
}
