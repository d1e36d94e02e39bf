import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';

interface LoadMoreProps {
  /** The number of loaded items. A change observes the new position. */
  shown: number;
  busy: boolean;
  /** False after a failure: then only the button loads, not scrolling. */
  automatic: boolean;
  onMore: () => void;
  /** Runs when the button was pressed, so that the focus can move to the new items. */
  onAsked: () => void;
}

/** Loads more when its place comes near the screen, or when its button is pressed. */
export function LoadMore({ shown, busy, automatic, onMore, onAsked }: LoadMoreProps) {
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
  }, [shown, automatic, busy]);

  return (
    <div ref={place} className="mt-10 flex justify-center">
      {/* Not disabled, since that would lose the focus. */}
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
