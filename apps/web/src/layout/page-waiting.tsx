import { Skeleton } from '../ui/skeleton.tsx';

/** Placeholder while the code of a page loads. */
export function PageWaiting() {
  return (
    <div
      aria-busy="true"
      className="mx-auto grid min-h-[70vh] w-full max-w-6xl content-start gap-6 px-5 py-16 sm:px-8"
    >
      <Skeleton className="h-12 w-1/2" />
      <Skeleton className="h-6 w-3/4" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
