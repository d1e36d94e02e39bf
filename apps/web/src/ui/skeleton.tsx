import { useEffect, useState, useSyncExternalStore } from 'react';
import { classNames } from './class-names.ts';

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-skeleton=""
      className={classNames('animate-breathe bg-line block', className)}
    />
  );
}

/** A live region is read only if it is there before its words. */
const regionAheadMs = 100;
const unchanging = () => () => {};

/** The words of a waiting state, said by screen readers and seen by everybody. */
export function LoadingText({ children }: { children: string }) {
  const [words, setWords] = useState('');
  const fromServer = useSyncExternalStore(
    unchanging,
    () => false,
    () => true,
  );
  useEffect(() => {
    const timer = setTimeout(() => setWords(children), regionAheadMs);
    return () => clearTimeout(timer);
  }, [children]);
  return (
    <p role="status" className="text-muted mb-6 min-h-lh text-sm">
      {fromServer ? children : words}
    </p>
  );
}
