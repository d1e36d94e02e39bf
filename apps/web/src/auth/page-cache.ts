import { rememberUnfinishedSignOut } from '../browser/sign-in-notes.ts';
import { rememberSignedIn, takeSigningOut } from '../browser/sign-in-storage.ts';
import { currentSession } from './session.ts';

interface PageCacheOptions {
  /** Whether the session of this page has been signed out, here or in another tab. */
  isOver: () => boolean;
  forget: () => void;
}

/**
 * Browsers keep a page that is left and show it again on the way back, its memory and so its tokens included. The page
 * of a session that is over is not shown again, not for a moment: it stays hidden until that is known.
 */
export function clearWhenPageIsRestored({ isOver, forget }: PageCacheOptions): void {
  const { style } = document.documentElement;
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted && currentSession().status === 'signed-in') style.visibility = 'hidden';
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    // On the way to Keycloak's log-out one turned back: what was asked for holds all the same.
    if (takeSigningOut()) {
      rememberSignedIn(false);
      rememberUnfinishedSignOut(true);
    }
    if (currentSession().status === 'signed-in' && isOver()) forget();
    style.visibility = '';
  });
}
