import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';

interface LoadMoreProps {
  busy: boolean;
  /** After a failure only the button asks again, never the scrolling. */
  automatic: boolean;
  onMore: () => void;
  /** The button was pressed, so someone waits for what comes. */
  onAsked: () => void;
}

/** Fetches on as its place comes near the screen; the button does the same by hand. */
export function LoadMore({ busy, automatic, onMore, onAsked }: LoadMoreProps) {
  const place = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);

  useEffect(() => {
    more.current = onMore;
  });

  useEffect(() => {
    if (!place.current || !automatic || busy || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), {
      rootMargin: '800px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [automatic, busy]);

  return (
    <div ref={place} className="mt-10 flex justify-center">
      {/* Not disabled: that would lose the focus. */}
      <Button
        look="secondary"
        aria-disabled={busy}
        onClick={() => {
          onAsked();
          if (!busy) onMore();
        }}
      >
        {busy ? 'Loading more creators...' : 'Load more creators'}
      </Button>
    </div>
  );
}
