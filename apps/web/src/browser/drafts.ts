import { brokenEvent, leaveEvent } from './lost-code.ts';

const prefix = 'stoa.draft.';
/** How long after a form is left the page that was gone to may turn out not to come. */
const leftMs = 60_000;
const open = new Map<string, () => unknown>();
const left = new Map<string, { values: unknown; at: number }>();
/** Their drafts were written in case the page is loaded anew; a step to another page gives them up. */
const unsent = new Set<string>();
let leaving = false;

// The way back may show the very same page again.
globalThis.window?.addEventListener('pageshow', () => {
  leaving = false;
});

globalThis.window?.addEventListener(leaveEvent, () => {
  writeLeft();
  saveDraftsAndLeave();
});

// Words that were typed since the last try are kept too.
globalThis.window?.addEventListener('pagehide', () => {
  for (const key of unsent) write(key, open.get(key)?.());
});

// The form went with its page, and nobody has decided to give it up: it may be long until the page is tried again.
globalThis.window?.addEventListener(brokenEvent, writeLeft);

/** Registers a form that is being filled in; answers how to take it off again. */
export function registerDraft(key: string, read: () => unknown): () => void {
  open.set(key, read);
  left.delete(key);
  return () => {
    open.delete(key);
    left.set(key, { values: read(), at: performance.now() });
    if (unsent.delete(key)) dropDraft(key);
  };
}

/** Writes down what could not be sent: the reader may try again by loading the page anew. */
export function keepUnsent(key: string): void {
  unsent.add(key);
  write(key, open.get(key)?.());
}

/** Writes down what is typed in every open form, before a session is over. */
export function saveDrafts(): void {
  for (const [key, read] of open) {
    write(key, read());
  }
  // From here on they wait for the way back.
  unsent.clear();
}

function writeLeft(): void {
  for (const [key, { values, at }] of left) if (performance.now() - at < leftMs) write(key, values);
}

function write(key: string, values: unknown): void {
  if (values !== undefined)
    ignoringErrors(() => sessionStorage.setItem(prefix + key, JSON.stringify(values)));
}

/** Leaves the page for the login with what is typed written down, without asking about unsaved changes. */
export function saveDraftsAndLeave(): void {
  saveDrafts();
  leaving = true;
}

/** Nothing is lost by leaving now. */
export function leavingWithSavedDrafts(): boolean {
  return leaving;
}

export function readDraft<V>(key: string): Partial<V> | undefined {
  return ignoringErrors(() => {
    const kept = sessionStorage.getItem(prefix + key);
    return kept ? (JSON.parse(kept) as Partial<V>) : undefined;
  });
}

/** Hands what is kept to `take`, and keeps it no longer. */
export function takeDraft<V>(key: string, take: (kept: Partial<V>) => void): void {
  const kept = readDraft<V>(key);
  dropDraft(key);
  if (kept) take(kept);
}

export function dropDraft(key: string): void {
  unsent.delete(key);
  ignoringErrors(() => sessionStorage.removeItem(prefix + key));
}

// Storage may be blocked or full: the form works all the same, only without this comfort.
function ignoringErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
