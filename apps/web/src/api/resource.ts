import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { ageMsOf, get, isTransient } from './http.ts';

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
/** Dispatched when a read has failed. */
export const readFailedEvent = 'stoa-read-failed';
const freshMs = 30_000;
/** A list that has grown while scrolling is worth more whole than new, for a while. */
const listFreshMs = 5 * 60_000;
const mostEntries = 60;

let uses = 0;

class Entry<T> {
  /** Grows with each use: the least is what was used longest ago. */
  usedAt = 0;
  state: State<T> = { data: undefined, error: undefined, busy: false };
  private readAt = 0;
  private running: AbortController | undefined;
  private lastRead: Read<T> | undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      this.touch();
      if (!this.isInUse) this.stop();
    };
  };

  readonly read = (): State<T> => this.state;

  fill(data: T, ageMs = ageMsOf(data)): void {
    this.readAt = Date.now() - ageMs;
    this.set({ data, error: undefined, busy: false });
  }

  touch(): void {
    uses += 1;
    this.usedAt = uses;
  }

  get isInUse(): boolean {
    return this.listeners.size > 0;
  }

  isDue(fresh: number): boolean {
    return !this.state.busy && Date.now() - this.readAt > fresh;
  }

  /** With `error` what went wrong before stays on screen meanwhile. */
  async load(read: Read<T>, error?: unknown): Promise<void> {
    this.running?.abort();
    const controller = new AbortController();
    this.running = controller;
    this.lastRead = read;
    this.set({ ...this.state, error, busy: true });
    try {
      const data = await withOneRetry(read, controller.signal);
      if (controller.signal.aborted) return;
      this.fill(data);
    } catch (failure) {
      if (controller.signal.aborted) return;
      console.error(failure);
      // Without a listener the error is not kept: the page that needs the data fetches it again.
      this.set({ ...this.state, error: this.isInUse ? failure : undefined, busy: false });
      dispatchEvent(new Event(readFailedEvent));
    }
  }

  /** Reads again what a page in view still lacks. A list that has grown keeps what it has. */
  retry(): void {
    const { data, error, busy } = this.state;
    if (this.isInUse && !busy && data === undefined && isTransient(error) && this.lastRead)
      void this.load(this.lastRead, error);
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

/** Puts `answers`, which were `ageMs` old when they came, where the components find them. */
export function primeResources(answers: Answers, ageMs = 0, entries: Entries = inBrowser): Entries {
  for (const [key, data] of Object.entries(answers)) entryOf(entries, key).fill(data, ageMs);
  return entries;
}

/** Reads the public answer at `address` before a page asks for it. What is here stays: a list may have grown. */
export async function prefetchAnswer(address: string): Promise<void> {
  const entry = entryOf(inBrowser, address);
  if (entry.state.data === undefined && !entry.state.busy)
    await entry.load((signal) => get(address, { signal }));
}

/** What was answered at `address`, if a page has read it. */
export const knownAnswer = (address: string): unknown => inBrowser.get(address)?.state.data;

function entryOf<T>(entries: Entries, key: string): Entry<T> {
  const entry = (entries.get(key) ?? new Entry()) as Entry<T>;
  entry.touch();
  entries.set(key, entry as Entry<unknown>);
  if (entries.size > mostEntries) evictOne(entries, key);
  return entry;
}

/** What is on screen stays, however much is fetched ahead beside it. */
function evictOne(entries: Entries, added: string): void {
  const unused = [...entries].filter(([key, { isInUse }]) => !isInUse && key !== added);
  const [oldest] = unused.toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
  if (oldest) entries.delete(oldest[0]);
}

/** Reads again everything that a page in view lacks since its read has failed. */
export function retryFailedReads(): void {
  for (const entry of inBrowser.values()) entry.retry();
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
    if (entry.isDue(fresh)) load();
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
