import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { messageFor } from '../api/messages.ts';
import { signInMessages } from '../api/account/sign-in-messages.ts';
import { saveDraftsAndLeave } from '../browser/drafts.ts';
import { buttonClass } from '../ui/button.tsx';
import { useSession } from './session.ts';

/** Offers a new log-in after the session has ended. Typed text is kept. */
export function SessionEnded() {
  const session = useSession();
  return session.status === 'signed-in' && session.ended ? <LogInAgain /> : null;
}

function LogInAgain() {
  const { key } = useLocation();
  const [failure, setFailure] = useState<string>();
  const leaving = useRef<AbortController>(undefined);

  // Leaving the page cancels the redirect to Keycloak.
  useEffect(() => () => leaving.current?.abort(), [key]);

  const logIn = async () => {
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    setFailure(undefined);
    try {
      const { signInAddress } = await import('./sign-in.ts');
      const address = await signInAddress('login', location.pathname + location.search, signal);
      saveDraftsAndLeave();
      location.replace(address);
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setFailure(messageFor(signInMessages.login, error));
    }
  };

  return (
    <div role="alert" className="bg-accent-soft border-line border-b">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-3 px-5 py-3 sm:px-8">
        <p>{failure ?? 'Your session has ended. Log in again to go on: what you typed is kept.'}</p>
        <button type="button" onClick={() => void logIn()} className={buttonClass('primary', 'small')}>
          Log In Again
        </button>
      </div>
    </div>
  );
}
