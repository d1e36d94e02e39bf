import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { messageFor } from '../api/messages.ts';
import { signInMessages } from '../api/sign-in-messages.ts';
import { saveDraftsAndLeave } from '../browser/drafts.ts';
import { buttonClass } from '../ui/button.tsx';
import { useSession } from './session.ts';

/** Tells a creator whose session is over how to go on without losing what they typed. */
export function SessionEnded() {
  const session = useSession();
  return session.status === 'signed-in' && session.ended ? <LogInAgain /> : null;
}

function LogInAgain() {
  const { key } = useLocation();
  const [failure, setFailure] = useState<string>();
  const leaving = useRef<AbortController>(undefined);

  // Whoever goes to another page meanwhile does not want to go to Keycloak any more.
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
