import { useEffect } from 'react';

/** A pointer that only crosses a link leaves it sooner. */
const intentMs = 80;
const maxConcurrent = 3;

/** Part of the Network Information API, which some browsers lack. */
type WithConnection = Navigator & { connection?: { saveData?: boolean } };

export type Prefetch = (to: HTMLAnchorElement) => Promise<void>;

/** Prefetches the page behind a link that the user points at, focuses or touches. Save-Data turns it off. */
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
      // The link opens another tab, which loads the page itself.
      if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      const link = target instanceof Element ? target.closest('a') : null;
      if (!link || link.target || link.origin !== location.origin) return;
      if (link.pathname + link.search === location.pathname + location.search) return;
      // A click needs the page in any case. This loads its code and data in parallel.
      if (type === 'click') return void start(link);
      if (running >= maxConcurrent || (navigator as WithConnection).connection?.saveData) return;
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
