import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';

/** Screen readers announce changes of a live region, but not the text that it is inserted with. */
const regionAheadMs = 100;
const unchanging = () => () => {};

/**
 * Whether the live regions of a new part have existed long enough to receive text. Those of a server-rendered
 * page have.
 */
export function useRegionAhead(): boolean {
  const fromServer = useSyncExternalStore(
    unchanging,
    () => false,
    () => true,
  );
  const [isAhead, setAhead] = useState(fromServer);
  useEffect(() => {
    if (isAhead) return;
    const timer = setTimeout(() => setAhead(true), regionAheadMs);
    return () => clearTimeout(timer);
  }, [isAhead]);
  return isAhead;
}

/** A live region that is inserted empty and then receives its text. */
export function StatusRegion({ className, children }: { className?: string; children: ReactNode }) {
  const isAhead = useRegionAhead();
  return (
    <div role="status" className={className}>
      {isAhead && children}
    </div>
  );
}
