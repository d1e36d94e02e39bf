import { useCallback, useEffect, useRef, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { messageFor, type Words, words } from '../../api/messages.ts';
import { rememberPlace } from '../../auth/browser-memory.ts';
import { useSession } from '../../auth/session.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../paths.ts';
import { BrandMark } from '../../ui/brand.tsx';
import { ErrorState } from '../../ui/notice.tsx';

const pages = {
  login: { title: 'Log In', waiting: 'Taking you to log in...', refusals: words.login },
  signup: { title: 'Sign Up', waiting: 'Taking you to sign up...', refusals: words.signup },
  'forgot-password': {
    title: 'Forgot Password',
    waiting: 'Taking you to reset your password...',
    refusals: words.forgotPassword,
  },
} satisfies Record<string, { title: string; waiting: string; refusals: Words }>;

/** Leads to the sign-in server's own page, and says so when that server does not answer. */
export default function HandOverPage({ to }: { to: keyof typeof pages }) {
  const session = useSession();
  const place = placeOf(useLocation().state);
  if (session.status === 'signed-in' && !session.ended)
    return <Navigate to={place ?? paths.dashboard} replace />;
  return <HandOver to={to} place={place} />;
}

function HandOver({ to, place }: { to: keyof typeof pages; place: string | undefined }) {
  const { title, waiting, refusals } = pages[to];
  const [failure, setFailure] = useState<string>();
  const left = useRef(false);

  const leave = useCallback(async () => {
    if (left.current) return;
    left.current = true;
    setFailure(undefined);
    if (place) rememberPlace(place);
    try {
      const { handOver } = await import('../../auth/keycloak.client.ts');
      await handOver(to);
    } catch (error) {
      console.error(error);
      left.current = false;
      setFailure(messageFor(refusals, error));
    }
  }, [to, place, refusals]);

  useEffect(() => {
    void leave();
  }, [leave]);

  return (
    <Page title={title} width="text">
      <h1 className="sr-only">{title}</h1>
      {failure ? (
        <ErrorState title={failure} onRetry={() => void leave()} />
      ) : (
        <div role="status" className="grid justify-items-center gap-6 py-20">
          <BrandMark className="animate-breathe size-16" />
          <p className="text-muted text-lg">{waiting}</p>
        </div>
      )}
    </Page>
  );
}

function placeOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return typeof state.from === 'string' ? state.from : undefined;
}
