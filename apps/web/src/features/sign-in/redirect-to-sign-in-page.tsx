import { useCallback, useEffect, useRef, useState } from 'react';
import { matchPath, Navigate, useLocation } from 'react-router-dom';
import { messageFor, type Words } from '../../api/messages.ts';
import { signInMessages } from '../../api/account/sign-in-messages.ts';
import { hasSignedInBefore } from '../../browser/sign-in-storage.ts';
import { useSession } from '../../auth/session.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { WhomToAsk } from '../../storefront/whom-to-ask.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { SignInWaiting } from './sign-in-waiting.tsx';

const pages = {
  login: { title: 'Log In', waiting: 'Taking you to log in...', refusals: signInMessages.login },
  signup: { title: 'Sign Up', waiting: 'Taking you to sign up...', refusals: signInMessages.signup },
  'forgot-password': {
    title: 'Forgot Password',
    waiting: 'Taking you to reset your password...',
    refusals: signInMessages.forgotPassword,
  },
} satisfies Record<string, { title: string; waiting: string; refusals: Words }>;

const downloads = '/download/';

const addresses = {
  [paths.login]: 'login',
  [paths.signup]: 'signup',
  [paths.forgotPassword]: 'forgot-password',
} as const;

export default function RedirectToSignInPage() {
  const { pathname } = useLocation();
  const [, to = 'login'] = Object.entries(addresses).find(([path]) => matchPath(path, pathname)) ?? [];
  return <RedirectToSignIn key={to} to={to} />;
}

/** Redirects to the sign-in server's page, or shows an error if the server does not answer. */
function RedirectToSignIn({ to }: { to: keyof typeof pages }) {
  const session = useSession();
  const { state } = useLocation();
  const place = placeOf(state);
  if (session.status === 'unknown') return <Waiting to={to} />;
  // A signed-in creator who wants a new password gets the page for that.
  if (session.status === 'signed-in' && !session.ended && to !== 'forgot-password')
    return <Navigate to={place ?? paths.dashboard} replace />;
  // A browser that has signed in before most likely belongs to the creator, who may only need to log in
  // again.
  if (to === 'login' && place?.startsWith(downloads) && !hasSignedInBefore())
    return <LostKey place={place} />;
  if (to === 'login' && place && session.status === 'anonymous' && session.loggedOutElsewhere)
    return <LoggedOutElsewhere place={place} />;
  return <Redirect to={to} place={place} />;
}

/** Explains that another tab logged out, before the log-in asks for a password. */
function LoggedOutElsewhere({ place }: { place: string }) {
  const [goesOn, setGoesOn] = useState(false);
  useEffect(() => {
    // After a log-in in the other tab, this one continues without a password.
    const resume = () => hasSignedInBefore() && setGoesOn(true);
    resume();
    addEventListener('storage', resume);
    return () => removeEventListener('storage', resume);
  }, []);
  if (goesOn) return <Redirect to="login" place={place} />;
  return (
    <Page title="Log In" width="text">
      <h1 className="text-4xl">You are logged out</h1>
      <p className="mt-4 text-lg">
        You logged out in another tab of this browser, and so here, too. If you were typing something, this
        tab keeps it: log in, and it is back.
      </p>
      <div className="mt-8">
        <Button onClick={() => setGoesOn(true)}>Log In Again</Button>
      </div>
    </Page>
  );
}

/**
 * Shown if the guard stopped at a download without its key. The visitor is a buyer, who has no account, or
 * the creator.
 */
function LostKey({ place }: { place: string }) {
  const [isCreator, setIsCreator] = useState(false);
  if (isCreator) return <Redirect to="login" place={place} />;
  const [, creatorId, offeringId] = new URL(place, location.origin).pathname.slice(1).split('/');
  return (
    <Page title="Log In" width="text">
      <h1 className="text-4xl">Your link is not whole</h1>
      <p className="mt-4 text-lg">
        A download opens with the whole link that you got after paying. The end of this one is missing: open
        it once more from your receipt, or ask its creator for a new one.
      </p>
      <p className="text-muted mt-4">You need no account for it. Only its creator logs in here.</p>
      <div className="mt-8 flex flex-wrap items-center gap-x-3 gap-y-4">
        <WhomToAsk creatorId={creatorId} offeringId={offeringId} />
        <Button look="quiet" onClick={() => setIsCreator(true)}>
          I Am the Creator: Log In
        </Button>
      </div>
    </Page>
  );
}

function Redirect({ to, place }: { to: keyof typeof pages; place: string | undefined }) {
  const { title, refusals } = pages[to];
  const [failure, setFailure] = useState<string>();
  const leaving = useRef<AbortController>(undefined);

  const leave = useCallback(async () => {
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    try {
      const { passwordAddress, signInAddress } = await import('../../auth/sign-in.ts');
      const address = to === 'forgot-password' ? passwordAddress(signal) : signInAddress(to, place, signal);
      location.replace(await address);
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setFailure(messageFor(refusals, error));
    }
  }, [to, place, refusals]);

  useEffect(() => {
    void leave();
    // Leaving the page cancels the redirect.
    return () => leaving.current?.abort();
  }, [leave]);

  if (!failure) return <Waiting to={to} />;
  return (
    <Page title={title} width="text">
      <h1 className="sr-only">{title}</h1>
      <ErrorState
        title={failure}
        onRetry={() => {
          setFailure(undefined);
          void leave();
        }}
      />
    </Page>
  );
}

function Waiting({ to }: { to: keyof typeof pages }) {
  const { title, waiting } = pages[to];
  return (
    <Page title={title} width="text">
      <h1 className="sr-only">{title}</h1>
      <SignInWaiting>{waiting}</SignInWaiting>
    </Page>
  );
}

function placeOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return typeof state.from === 'string' ? state.from : undefined;
}
