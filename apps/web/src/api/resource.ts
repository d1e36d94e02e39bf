import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { isTransient } from './http.ts';

// Public pages read with this. TanStack Query serves the creators' rooms; its 10 KB would take a public page over
// the weight that it may have.

interface State<T> {
  data: T | undefined;
  error: unknown;
  busy: boolean;
}

export interface Resource<T> extends State<T> {
  reload: () => void;
}

export interface CursorPage<T> {
  items: T[];
  nextCursor: string | null;
  total: number;
  totalIsExact?: boolean;
}

type Read<T> = (signal: AbortSignal) => Promise<T>;

const retryPauseMs = 600;
const freshMs = 30_000;
/** A list that has grown while scrolling is worth more whole than new, for a while. */
const listFreshMs = 5 * 60_000;
const mostEntries = 60;

class Entry<T> {
  state: State<T> = { data: undefined, error: undefined, busy: false };
  private readAt = 0;
  private running: AbortController | undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stop();
    };
  };

  readonly read = (): State<T> => this.state;

  /** What the page came with. */
  fill(data: T): void {
    this.readAt = Date.now();
    this.set({ data, error: undefined, busy: false });
  }

  isOlderThan(milliseconds: number): boolean {
    return Date.now() - this.readAt > milliseconds;
  }

  async load(read: Read<T>): Promise<void> {
    this.running?.abort();
    const controller = new AbortController();
    this.running = controller;
    this.set({ ...this.state, error: undefined, busy: true });
    try {
      const data = await withOneRetry(read, controller.signal);
      if (controller.signal.aborted) return;
      this.readAt = Date.now();
      this.set({ data, error: undefined, busy: false });
    } catch (error) {
      if (controller.signal.aborted) return;
      console.error(error);
      this.set({ ...this.state, error, busy: false });
    }
  }

  private stop(): void {
    this.running?.abort();
    this.state = { ...this.state, busy: false };
  }

  private set(state: State<T>): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

type Entries = Map<string, Entry<unknown>>;

const inBrowser: Entries = new Map();

/** Where answers are remembered: in a browser for all its pages, on the server for one of them. */
export const ResourceEntries = createContext(inBrowser);

/** The answers that a page is made from, by their addresses, which are also the names of their resources. */
export type Answers = Readonly<Record<string, unknown>>;

/** Puts `answers` where the components find them. */
export function rememberAnswers(answers: Answers, entries: Entries = inBrowser): Entries {
  for (const [key, data] of Object.entries(answers)) entryOf(entries, key).fill(data);
  return entries;
}

function entryOf<T>(entries: Entries, key: string): Entry<T> {
  const entry = (entries.get(key) ?? new Entry()) as Entry<T>;
  // What is on screen is asked for again and again, and so never the oldest.
  entries.delete(key);
  entries.set(key, entry as Entry<unknown>);
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size > mostEntries) entries.delete(oldest);
  return entry;
}

/** Everything that was read is read anew when it is next shown. */
export function forgetResources(): void {
  inBrowser.clear();
}

/** What `key` names, shown from memory at once and read again when it has aged. */
export function useResource<T>(key: string, read: Read<T>): Resource<T> {
  return useEntry(key, read, freshMs);
}

/** A list that is walked page by page; a failed step keeps what is there. */
export function usePages<T>(
  key: string,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<CursorPage<T>>,
) {
  const entry = entryOf<CursorPage<T>>(use(ResourceEntries), key);
  const pages = useEntry(key, (signal) => read(undefined, signal), listFreshMs);
  const cursor = pages.data?.nextCursor ?? undefined;
  const loadMore = () => {
    void entry.load(async (signal) => {
      const page = await read(cursor, signal);
      return { ...page, items: [...(pages.data?.items ?? []), ...page.items] };
    });
  };
  return { ...pages, hasMore: cursor !== undefined, loadMore };
}

function useEntry<T>(key: string, read: Read<T>, fresh: number): Resource<T> {
  const entry = entryOf<T>(use(ResourceEntries), key);
  const state = useSyncExternalStore(entry.subscribe, entry.read, entry.read);

  // The key stands for what `read` reads, which is a new function at every render.
  const load = useEffectEvent(() => void entry.load(read));

  useEffect(() => {
    if (!entry.state.busy && entry.isOlderThan(fresh)) load();
  }, [entry, fresh]);

  return { ...state, reload: () => void entry.load(read) };
}

async function withOneRetry<T>(read: Read<T>, signal: AbortSignal): Promise<T> {
  try {
    return await read(signal);
  } catch (error) {
    if (signal.aborted || !isTransient(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    return read(signal);
  }
}
