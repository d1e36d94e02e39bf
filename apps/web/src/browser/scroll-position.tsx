import { useEffect } from 'react';
import {
  ScrollRestoration as RouterScrollRestoration,
  useLocation,
  useNavigationType,
} from 'react-router-dom';

const storageKey = 'stoa.scroll-positions';
const timeoutMs = 2_000;
/** The reader scrolls from here on. */
const gestures = ['wheel', 'pointerdown', 'keydown'];

/** Gives the first page of a visit a key of its own: the router calls them all the same, and would mix up their positions. */
export function identifyHistoryEntry(): void {
  const state = history.state as { key?: string } | null;
  if (!state?.key) history.replaceState({ ...state, key: Math.random().toString(36).slice(2) }, '');
}

/**
 * How far down this entry of the history was left before the last reload. It is told once: from then on the router
 * remembers the entry, and better.
 */
function takeScrollPosition(): number | undefined {
  try {
    const { key } = history.state as { key: string };
    const saved = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>;
    const { [key]: position, ...others } = saved;
    sessionStorage.setItem(storageKey, JSON.stringify(others));
    return position;
  } catch {
    return undefined;
  }
}

/** New pages begin at the top; going back and a reload return to where one was, also once a list has grown again. */
export function ScrollRestoration() {
  const { key } = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    const saved = type === 'POP' ? takeScrollPosition() : undefined;
    return saved === undefined ? undefined : scrollOnceReachable(saved);
  }, [key, type]);
  return <RouterScrollRestoration storageKey={storageKey} />;
}

/** After a reload a long list fetches on as its end is scrolled to. */
function scrollOnceReachable(top: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    for (const gesture of gestures) removeEventListener(gesture, stop);
    clearTimeout(timer);
    observer.disconnect();
  };
  const scroll = () => {
    // As long as the page grows towards it, the place may still come.
    clearTimeout(timer);
    timer = setTimeout(stop, timeoutMs);
    scrollTo({ top, behavior: 'instant' });
    if (Math.abs(scrollY - top) < 1) stop();
  };
  const observer = new ResizeObserver(scroll);
  observer.observe(document.body);
  for (const gesture of gestures) addEventListener(gesture, stop);
  return stop;
}
