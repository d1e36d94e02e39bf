import { useEffect } from 'react';

/** A pointer that only crosses a link leaves it sooner. */
const intentMs = 80;
const mostAtOnce = 3;

/** Part of the Network Information API, which not all browsers have. */
type WithConnection = Navigator & { connection?: { saveData?: boolean } };

export type Prefetch = (to: HTMLAnchorElement) => Promise<void>;

/** Fetches the page behind a link while somebody points at it, stands on it or touches it; never at the expense of Save-Data. */
export function PrefetchOnIntent({ prefetch }: { prefetch: Prefetch }): null {
  useEffect(() => {
    let running = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const start = async (link: HTMLAnchorElement) => {
      running += 1;
      await prefetch(link);
      running -= 1;
    };
    const listen = (event: Event) => {
      clearTimeout(timer);
      const { type, target } = event;
      // It opens in another tab, which fetches for itself.
      if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      const link = target instanceof Element ? target.closest('a') : null;
      if (!link || link.target || link.origin !== location.origin) return;
      if (link.pathname + link.search === location.pathname + location.search) return;
      // Who clicks waits for it: code and data come side by side then, in any case.
      if (type === 'click') return void start(link);
      if (running >= mostAtOnce || (navigator as WithConnection).connection?.saveData) return;
      if (type === 'touchstart') void start(link);
      else timer = setTimeout(() => void start(link), intentMs);
    };

    const types = ['mouseover', 'focusin', 'touchstart', 'click'];
    for (const type of types) document.addEventListener(type, listen, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const type of types) document.removeEventListener(type, listen, { capture: true });
    };
  }, [prefetch]);

  return null;
}
