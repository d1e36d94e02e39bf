import { useEffect, useState } from 'react';
import { retryWithBackoff } from '../retry-with-backoff.ts';

/** Keycloak was away at the log-out: says so, and ends the session over there as soon as it is back. */
export function SignOutUnfinished() {
  const [finished, setFinished] = useState(false);

  useEffect(() => {
    const finish = async () => (await import('./sign-in.ts')).finishSignOut();
    retryWithBackoff(finish).then(
      () => setFinished(true),
      // It is tried again before the next login, and with the next page.
      (error: unknown) => console.error(error),
    );
  }, []);

  return (
    <div role="status" className="bg-sunk border-line border-b">
      <p className="mx-auto max-w-6xl px-5 py-3 sm:px-8">
        {finished
          ? 'You are logged out, here and on the sign-in server.'
          : 'You are logged out here. The sign-in server cannot be reached: your session there ends as soon as it answers. On a shared computer, close the browser.'}
      </p>
    </div>
  );
}
