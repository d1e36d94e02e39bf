import { rememberUnfinishedSignOut } from '../browser/sign-in-notes.ts';
import { rememberSignedIn, takeSigningOut } from '../browser/sign-in-storage.ts';
import { currentSession } from './session.ts';

interface PageCacheOptions {
  /** Whether this page's session was signed out, here or in another tab. */
  isOver: () => boolean;
  forget: () => void;
}

/**
 * Browsers keep a page in the back-forward cache, with its memory and its tokens. When they restore it, the
 * page stays hidden until the session has been checked. A signed-out page never shows again.
 */
export function clearWhenPageIsRestored({ isOver, forget }: PageCacheOptions): void {
  const { style } = document.documentElement;
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted && currentSession().status === 'signed-in') style.visibility = 'hidden';
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    // The user went back on the way to Keycloak's log-out. The log-out counts nevertheless.
    if (takeSigningOut()) {
      rememberSignedIn(false);
      rememberUnfinishedSignOut(true);
    }
    if (currentSession().status === 'signed-in' && isOver()) forget();
    style.visibility = '';
  });
}
