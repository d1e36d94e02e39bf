import { useEffect, useState } from 'react';
import { retryWithBackoff } from '../browser/retry-with-backoff.ts';
import { StatusRegion } from '../ui/live-region.tsx';

/** Explains that Keycloak was down at the log-out, and ends the session there once Keycloak is back. */
export function SignOutUnfinished() {
  const [finished, setFinished] = useState(false);

  useEffect(() => {
    const finish = async () => (await import('./sign-in.ts')).finishSignOut();
    retryWithBackoff(finish).then(
      () => setFinished(true),
      // The next page and the next log-in try again.
      (error: unknown) => console.error(error),
    );
  }, []);

  return (
    <StatusRegion className="bg-sunk border-line border-b empty:absolute">
      <p className="mx-auto max-w-6xl px-5 py-3 sm:px-8">
        {finished
          ? 'You are logged out, here and on the sign-in server.'
          : 'You are logged out here. The sign-in server cannot be reached: your session there ends as soon as it answers. On a shared computer, close the browser.'}
      </p>
    </StatusRegion>
  );
}
