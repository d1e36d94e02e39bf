import { classNames } from './class-names.ts';
import { StatusRegion } from './live-region.tsx';

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-skeleton=""
      className={classNames('animate-breathe bg-line block', className)}
    />
  );
}

/** The text of a loading state, both visible and announced. */
export function LoadingText({ children }: { children: string }) {
  return <StatusRegion className="text-muted mb-6 min-h-lh text-sm">{children}</StatusRegion>;
}
