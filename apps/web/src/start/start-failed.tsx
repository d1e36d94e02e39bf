import { useEffect } from 'react';
import { ErrorState } from '../ui/notice.tsx';

/** Shown if the page arrived without its configuration, and the server does not provide it either. */
export function StartFailed() {
  useEffect(() => {
    const reload = () => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return (
    <main className="mx-auto max-w-3xl px-5 py-16">
      <ErrorState
        title="Stoa cannot be reached at the moment. Please try again later."
        titleLevel="h1"
        onRetry={() => location.reload()}
      />
    </main>
  );
}
