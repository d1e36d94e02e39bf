/** Dispatched before the page reloads. Forms save their drafts on it. */
export const leaveEvent = 'stoa-leave';
/** Dispatched after a page broke. Forms that were on the page save their drafts on it. */
export const brokenEvent = 'stoa-broken';

/** Reloads the page after saving drafts. */
export function reloadPage(): void {
  dispatchEvent(new Event(leaveEvent));
  location.reload();
}

/**
 * Reloads the page if `error` means that one of its modules did not load: the release may be gone. It reloads
 * once per build and tab, which prevents a loop, and never offline. Returns whether it reloads.
 */
export function recoverCode(error: unknown): boolean {
  // Browsers identify this error by its message only, and each has its own.
  if (!/import(ed|ing a) module/i.test(String(error)) || !navigator.onLine) return false;
  try {
    // This chunk's name contains a hash that changes with any other chunk, so it identifies the build.
    const noted = `stoa.reloaded.${import.meta.url}`;
    if (sessionStorage.getItem(noted)) return false;
    sessionStorage.setItem(noted, '1');
  } catch {
    return false;
  }
  reloadPage();
  return true;
}
