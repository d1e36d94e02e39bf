import type { ReactNode } from 'react';

interface OwnerBarProps {
  /** Why only the owner sees the page. */
  reason: string;
  children: ReactNode;
}

/** A bar above a page that only its owner sees. */
export function OwnerBar({ reason, children }: OwnerBarProps) {
  return (
    <section aria-label="Preview" className="bg-ink text-paper px-5 py-3 sm:px-8">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:px-8">
        <p className="max-w-prose min-w-0">
          <strong>Only you can see this.</strong> {reason}
        </p>
        <div className="flex flex-wrap gap-2">{children}</div>
      </div>
    </section>
  );
}
