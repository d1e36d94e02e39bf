import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { messageFor } from '../../api/messages.ts';
import { signInMessages } from '../../api/account/sign-in-messages.ts';
import { takeReturnPath } from '../../browser/sign-in-notes.ts';
import { settleSession } from '../../auth/session.ts';
import { Page } from '../../layout/page.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/notice.tsx';
import { SignInWaiting } from './sign-in-waiting.tsx';

type Return = Awaited<ReturnType<typeof finishOnce>>;

// The answer in the address works once, however often the page mounts.
let finishing: ReturnType<typeof finishOnce> | undefined;

async function finishOnce() {
  const { finishSignIn } = await import('../../auth/sign-in.ts');
  return finishSignIn();
}

/** The return from the sign-in server. If no session resulted, it offers another attempt. */
export default function CallbackPage() {
  const navigate = useNavigate();
  const [failed, setFailed] = useState<{ from: string | undefined }>();

  useEffect(() => {
    let gone = false;
    const goOn = ({ to, ...state }: Return) => {
      if (!gone) void navigate(to, { replace: true, state });
    };
    const fail = (error: unknown) => {
      console.error(error);
      if (!gone) setFailed({ from: takeReturnPath() });
    };
    finishing ??= finishOnce();
    finishing.then(goOn, fail).finally(() => {
      finishing = undefined;
      settleSession();
    });
    return () => {
      gone = true;
    };
  }, [navigate]);

  return (
    <Page title="Log In" width="text">
      {failed ? (
        <ErrorState title={messageFor(signInMessages.login, undefined)} titleLevel="h1">
          <Link to={paths.login} state={failed} className={buttonClass('secondary')}>
            Try again
          </Link>
        </ErrorState>
      ) : (
        <>
          <h1 className="sr-only">Log In</h1>
          <SignInWaiting>Logging you in...</SignInWaiting>
        </>
      )}
    </Page>
  );
}
