import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { messageFor } from '../api/messages.ts';
import { signInMessages } from '../api/account/sign-in-messages.ts';
import { saveDraftsAndLeave } from '../browser/drafts.ts';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Message } from '../ui/notice.tsx';

/** Detects that the sent change requires a recent log-in. */
export function useFreshLogin() {
  const [needed, setNeeded] = useState(false);
  async function noticed<T>(sending: Promise<T>): Promise<T> {
    try {
      return await sending;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'fresh_login_required') setNeeded(true);
      throw error;
    }
  }
  return { needed, noticed, dismiss: () => setNeeded(false) };
}

/** Asks for a log-in, which redirects back to this form with its draft. */
export function FreshLogin({
  needed,
  dismiss,
  title = 'Log in again to change where payments go',
  text = 'Your pages have not led to this payment link lately. Your password shows that it is you who publishes it. What you typed is kept: save it once you are back.',
  purpose = 'payment-link',
}: Pick<ReturnType<typeof useFreshLogin>, 'needed' | 'dismiss'> & {
  title?: string;
  text?: string;
  purpose?: 'payment-link' | 'decision';
}) {
  const [failure, setFailure] = useState<string>();
  const [isLeaving, setLeaving] = useState(false);
  const leaving = useRef<AbortController>(undefined);

  useEffect(() => () => leaving.current?.abort(), []);

  const logIn = async () => {
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    setFailure(undefined);
    setLeaving(true);
    try {
      const { freshLoginAddress } = await import('../auth/sign-in.ts');
      const address = await freshLoginAddress(location.pathname + location.search, purpose, signal);
      saveDraftsAndLeave();
      location.assign(address);
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setFailure(messageFor(signInMessages.login, error));
    }
    // A user who goes back in the history finds the form as it was.
    setLeaving(false);
    dismiss();
  };

  return (
    <>
      <div role="alert" className="empty:absolute">
        {failure && <Message kind="failure">{failure}</Message>}
      </div>
      <ConfirmDialog
        open={needed}
        title={title}
        text={text}
        confirmLabel="Log In Again"
        busyLabel="Opening..."
        cancelLabel="Not Now"
        busy={isLeaving}
        onConfirm={() => void logIn()}
        onCancel={dismiss}
      />
    </>
  );
}
