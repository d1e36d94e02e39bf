import { useSyncExternalStore } from 'react';

/** `ended`: signed in on this page, but the session is over. What was typed stays until the user signs in again. */
export type Session = { status: 'anonymous' } | { status: 'signed-in'; uid: string; ended: boolean };

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

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

export function beginSession(uid: string): void {
  set({ status: 'signed-in', uid, ended: false });
}

/** The server no longer takes our tokens. */
export function endSession(): void {
  if (session.status === 'signed-in') set({ ...session, ended: true });
}

export function dropSession(): void {
  set(anonymous);
}
