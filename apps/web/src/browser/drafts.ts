import { brokenEvent, leaveEvent } from './lost-code.ts';

const prefix = 'stoa.draft.';
/** For so long after leaving a form, the next page may still fail to load. The form's draft is saved then. */
const leftMs = 60_000;
const open = new Map<string, () => unknown>();
const left = new Map<string, { values: unknown; at: number }>();
/**
 * Forms whose draft was saved after a failed send, in case of a reload. A step to another page drops those
 * drafts.
 */
const unsent = new Set<string>();
let leaving = false;

// Going back may restore this very page from the browser's cache.
globalThis.window?.addEventListener('pageshow', () => {
  leaving = false;
});

globalThis.window?.addEventListener(leaveEvent, () => {
  writeLeft();
  saveDraftsAndLeave();
});

// Saves what was typed since the last failed attempt, too.
globalThis.window?.addEventListener('pagehide', () => {
  for (const key of unsent) write(key, open.get(key)?.());
});

// The form was unmounted with its broken page. The user has not discarded it, and may retry much later.
globalThis.window?.addEventListener(brokenEvent, writeLeft);

/** Registers an open form. The returned function removes it. */
export function registerDraft(key: string, read: () => unknown): () => void {
  open.set(key, read);
  left.delete(key);
  return () => {
    open.delete(key);
    left.set(key, { values: read(), at: performance.now() });
    if (unsent.delete(key)) dropDraft(key);
  };
}

/** Saves the draft of a form that could not be sent: the user may retry by reloading the page. */
export function keepUnsent(key: string): void {
  unsent.add(key);
  write(key, open.get(key)?.());
}

/** Saves the drafts of all open forms before a session ends. */
export function saveDrafts(): void {
  for (const [key, read] of open) {
    write(key, read());
  }
  // From here on the drafts outlive their forms, until the user returns.
  unsent.clear();
}

function writeLeft(): void {
  for (const [key, { values, at }] of left) if (performance.now() - at < leftMs) write(key, values);
}

function write(key: string, values: unknown): void {
  if (values !== undefined)
    ignoringErrors(() => sessionStorage.setItem(prefix + key, JSON.stringify(values)));
}

/** Saves the drafts and allows leaving for the log-in without a question about unsaved changes. */
export function saveDraftsAndLeave(): void {
  saveDrafts();
  leaving = true;
}

/**
 * Whether the drafts were saved because the page is being left, so that no question about unsaved changes is
 * needed.
 */
export function leavingWithSavedDrafts(): boolean {
  return leaving;
}

export function readDraft<V>(key: string): Partial<V> | undefined {
  return ignoringErrors(() => {
    const kept = sessionStorage.getItem(prefix + key);
    return kept ? (JSON.parse(kept) as Partial<V>) : undefined;
  });
}

/** Passes the stored draft to `take`, and removes it. */
export function takeDraft<V>(key: string, take: (kept: Partial<V>) => void): void {
  const kept = readDraft<V>(key);
  dropDraft(key);
  if (kept) take(kept);
}

export function dropDraft(key: string): void {
  unsent.delete(key);
  ignoringErrors(() => sessionStorage.removeItem(prefix + key));
}

// Storage may be blocked or full. The form works nevertheless, without drafts.
function ignoringErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
