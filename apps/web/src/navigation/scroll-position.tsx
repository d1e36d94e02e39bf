import { useEffect } from 'react';
import {
  ScrollRestoration as RouterScrollRestoration,
  useLocation,
  useNavigationType,
} from 'react-router-dom';

const storageKey = 'stoa.scroll-positions';
const timeoutMs = 2_000;
/** Gestures with which the user takes over the scrolling. */
const gestures = ['wheel', 'pointerdown', 'keydown'];

/**
 * Gives the first page of a visit its own key. The router gives all of them the same key, and would mix up
 * their positions.
 */
export function identifyHistoryEntry(): void {
  const state = history.state as { key?: string } | null;
  if (!state?.key) history.replaceState({ ...state, key: Math.random().toString(36).slice(2) }, '');
}

/**
 * The position of this history entry before the last reload. It is returned once: afterwards the router
 * remembers the entry more precisely.
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

/**
 * New pages start at the top. Going back and a reload restore the position, even if a long list has to load
 * again first.
 */
export function ScrollRestoration() {
  const { key } = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    const saved = type === 'POP' ? takeScrollPosition() : undefined;
    return saved === undefined ? undefined : scrollOnceReachable(saved);
  }, [key, type]);
  return <RouterScrollRestoration storageKey={storageKey} />;
}

/** After a reload, scrolling to the end of a long list makes it load further pages. */
function scrollOnceReachable(top: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    for (const gesture of gestures) removeEventListener(gesture, stop);
    clearTimeout(timer);
    observer.disconnect();
  };
  const scroll = () => {
    // While the page grows, the position may still become reachable.
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
