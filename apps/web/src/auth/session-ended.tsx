import { leaveWithDrafts } from '../forms/drafts.ts';
import { buttonClass } from '../ui/button.tsx';
import { rememberPlace } from './browser-memory.ts';
import { paths } from '../paths.ts';
import { useSession } from './session.ts';

/** Tells a creator whose session is over how to go on without losing what they typed. */
export function SessionEnded() {
  const session = useSession();
  if (session.status === 'anonymous' || !session.ended) return null;

  const logIn = async () => {
    leaveWithDrafts();
    rememberPlace(location.pathname + location.search);
    const { handOver } = await import('./keycloak.client.ts');
    await handOver('login').catch(() => location.assign(paths.login));
  };

  return (
    <div role="alert" className="bg-accent-soft border-line border-b">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-3 px-5 py-3">
        <p>Your session has ended. Log in again to go on: what you typed is kept.</p>
        <button type="button" onClick={() => void logIn()} className={buttonClass('primary', 'small')}>
          Log In Again
        </button>
      </div>
    </div>
  );
}
