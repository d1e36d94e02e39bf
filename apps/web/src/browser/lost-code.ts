/** Drafts are written on it, before the page is loaded again. */
export const leaveEvent = 'stoa-leave';
/** Drafts of a form that was on a page are written on it once that page has broken. */
export const brokenEvent = 'stoa-broken';

/** Loads the page at its address anew, with what is typed written down. */
export function reloadPage(): void {
  dispatchEvent(new Event(leaveEvent));
  location.reload();
}

/**
 * Loads the page anew where `error` says that code of it did not come: its release may be gone. Once for each build and
 * tab, or it would go on for ever. Says whether it does; without a network nothing better would come.
 */
export function recoverCode(error: unknown): boolean {
  // Each browser has words of its own for it, and nothing else.
  if (!/import(ed|ing a) module/i.test(String(error)) || !navigator.onLine) return false;
  try {
    // The name of this chunk names those of all others.
    const noted = `stoa.reloaded.${import.meta.url}`;
    if (sessionStorage.getItem(noted)) return false;
    sessionStorage.setItem(noted, '1');
  } catch {
    return false;
  }
  reloadPage();
  return true;
}
