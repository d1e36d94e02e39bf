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

/** The words of a waiting state, said by screen readers and seen by everybody. */
export function LoadingText({ children }: { children: string }) {
  return (
    <p role="status" className="text-muted mb-6 text-sm">
      {children}
    </p>
  );
}
