import type { Creator } from '@stoa/contracts';
import { deletionPhrase } from '@stoa/contracts/facts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator/creator-messages.ts';
import { ApiError } from '../../api/http.ts';
import { messageFor } from '../../api/messages.ts';
import { signInMessages } from '../../api/account/sign-in-messages.ts';
import { paths } from '../../navigation/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Message } from '../../ui/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useDeleteAccount } from './sessions.queries.ts';
import { AccountRow } from './account-row.tsx';

// The address for the return from the log-in, which continues with the confirmation.
const confirming = '?delete';

/** Deletes the account after a recent log-in and a typed phrase, which prevents accidents. */
export function DeleteAccount({ email, emailVerified }: Pick<Creator, 'email' | 'emailVerified'>) {
  const [step, setStep] = useState<'idle' | 'leaving' | 'confirming'>(
    useLocation().search === confirming ? 'confirming' : 'idle',
  );
  const [failure, setFailure] = useState<string>();
  // The server decides whether the log-in is recent, even if this page thinks so.
  const [refused, setRefused] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  const place = useRef<HTMLDivElement>(null);

  const backToStart = () => {
    // The form disappears together with the focus in it.
    flushSync(() => setStep('idle'));
    place.current?.querySelector('button')?.focus();
  };

  useEffect(() => () => leaving.current?.abort(), []);

  const begin = async () => {
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    setFailure(undefined);
    setStep('leaving');
    try {
      const { freshLoginAddress, isLoginFresh } = await import('../../auth/sign-in.ts');
      if (isLoginFresh() && !refused) setStep('confirming');
      else {
        location.assign(await freshLoginAddress(paths.account + confirming, 'delete-account', signal));
        // A user who goes back in the history finds the page as it was.
        setStep('idle');
      }
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setFailure(messageFor(signInMessages.login, error));
      setStep('idle');
    }
  };

  const fail = (error: unknown) => {
    setFailure(messageFor(creatorErrorMessages.deleteAccount, error));
    if (!(error instanceof ApiError && error.reason === 'forbidden')) return;
    setRefused(true);
    backToStart();
  };

  return (
    <AccountRow
      id="delete-account"
      title="Delete Your Account"
      opensFor={failure ?? (step === 'confirming' && confirming)}
      isDangerous
    >
      <p>
        Your profile, your offerings with their pictures, files and sales, and the messages to you and by you
        that we still hold go for good, and your login with them. Download links stop working for those who
        bought from you. There is no way back.
      </p>
      <p className="text-muted mt-4 break-words">
        {emailVerified
          ? `When all is gone we mail a receipt to ${email}, and forget that address.`
          : `We forget ${email}. It gets no receipt, because it is not proved.`}{' '}
        A number that stood for your account stays, so that nothing of it comes back.
      </p>
      <div role="alert" className="mt-4 empty:absolute">
        {failure && <Message kind="failure">{failure}</Message>}
      </div>
      <div ref={place} className="mt-6">
        {step === 'confirming' ? (
          <Confirmation onFailure={fail} onCancel={backToStart} />
        ) : (
          <Button look="danger" size="small" disabled={step === 'leaving'} onClick={() => void begin()}>
            Delete My Account
          </Button>
        )}
      </div>
    </AccountRow>
  );
}

interface ConfirmationProps {
  onFailure: (error: unknown) => void;
  onCancel: () => void;
}

function Confirmation({ onFailure, onCancel }: ConfirmationProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  // The second click of a double click comes before the button is disabled.
  const confirmed = useRef(false);
  const deletion = useDeleteAccount();

  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() !== deletionPhrase) {
      setError(`Type “${deletionPhrase}” to go on.`);
      form.current?.querySelector('input')?.focus();
      return;
    }
    setError(undefined);
    if (confirmed.current) return;
    confirmed.current = true;
    try {
      // Imported first: code that fails to load must not appear as a failed deletion.
      const { forgetSignIn } = await import('../../auth/sign-in.ts');
      await deletion.mutateAsync();
      forgetSignIn();
      location.replace(paths.accountDeleted);
    } catch (failure) {
      confirmed.current = false;
      onFailure(failure);
    }
  };

  return (
    <form ref={form} noValidate className="grid gap-5" onSubmit={(event) => void confirm(event)}>
      <TextField
        label={`Type “${deletionPhrase}” to confirm`}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        {...(error !== undefined && { error })}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="danger" disabled={deletion.isPending}>
          {deletion.isPending ? 'Deleting...' : 'Delete for Good'}
        </Button>
        <Button look="secondary" disabled={deletion.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
