import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { recordHistoryEntry } from './history-entries.ts';

const storageKey = 'stoa.scroll';
const mostPlaces = 60;
const patienceMs = 2_000;

/** How far down each entry of the history was left, the latest last; kept over a reload. */
const positions = new Map<string, number>(keptPositions());

/** The place that is still to come; till then the end of a page that grows is nobody's place. */
let awaited: number | undefined;

globalThis.window?.addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...positions].slice(-mostPlaces)));
  } catch {
    // Storage may be blocked or full: a reload begins at the top then.
  }
});

/** New pages begin at the top; going back and a reload return to where one was, also once a list has grown again. */
export function ScrollRestoration() {
  const { key, pathname, search, hash } = useLocation();
  const type = useNavigationType();
  // The first entry of every visit has the same key.
  const entry = `${key} ${pathname}${hash}`;
  const before = useRef('');

  const arrive = useEffectEvent(() => {
    const left = type === 'POP' ? positions.get(entry) : undefined;
    // A changed query, like a filter, is the same page and keeps its place, also where it drops a fragment.
    const filtered = before.current.startsWith(`${pathname}?`) && before.current !== `${pathname}?${search}`;
    before.current = `${pathname}?${search}`;
    if (left !== undefined) return restore(left);
    if (type !== 'POP' && !hash && !filtered) scrollTo({ top: 0, behavior: 'instant' });
    return undefined;
  });
  useLayoutEffect(() => arrive(), [pathname, hash]);

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const remember = () => {
      if (awaited !== undefined && !isAt(awaited)) return;
      positions.delete(entry);
      positions.set(entry, scrollY);
    };
    recordHistoryEntry();
    // An entry that is left without a scroll has a place, too.
    if (!positions.has(entry)) remember();
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [entry]);

  return null;
}

/** Holds on to a place that is still to come: a long list fetches on as its end is scrolled to. */
function restore(top: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  awaited = top;
  const stop = () => {
    awaited = undefined;
    clearTimeout(timer);
    observer.disconnect();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, patienceMs);
  };
  const place = () => {
    const arrived = isAt(top);
    scrollTo({ top, behavior: 'instant' });
    // As long as the page grows towards it, the place may still come.
    if (!arrived) wait();
  };
  const observer = new ResizeObserver(place);
  wait();
  place();
  observer.observe(document.body);
  for (const gesture of ['wheel', 'pointerdown', 'keydown']) addEventListener(gesture, stop, { once: true });
  return stop;
}

function isAt(top: number): boolean {
  return Math.abs(scrollY - top) < 1;
}

function keptPositions(): [string, number][] {
  try {
    const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as [string, number][];
    // Whoever typed the address or followed a link to it arrives at the top.
    return loaded?.type === 'navigate' ? kept.filter(([entry]) => !entry.startsWith('default ')) : kept;
  } catch {
    return [];
  }
}
