import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

const positions = new Map<string, number>();
const patienceMs = 2_000;

/** New pages begin at the top; going back returns to where one was, also once a list has grown again. */
export function ScrollMemory() {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const remember = () => positions.set(key, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [key]);

  useLayoutEffect(() => {
    const left = type === 'POP' ? positions.get(key) : undefined;
    if (left !== undefined) return restore(left);
    if (type !== 'POP' && !hash) scrollTo({ top: 0, behavior: 'instant' });
    return undefined;
    // A changed query, like a filter, is the same page and keeps its place.
  }, [pathname]);

  return null;
}

function restore(top: number): () => void {
  const place = () => scrollTo({ top, behavior: 'instant' });
  place();
  const observer = new ResizeObserver(place);
  observer.observe(document.body);
  const stop = () => observer.disconnect();
  const timer = setTimeout(stop, patienceMs);
  for (const gesture of ['wheel', 'touchstart', 'keydown']) addEventListener(gesture, stop, { once: true });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
