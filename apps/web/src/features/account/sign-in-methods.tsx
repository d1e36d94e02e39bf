import { useEffect, useRef, useState } from 'react';
import { messageFor } from '../../api/messages.ts';
import { signInMessages } from '../../api/account/sign-in-messages.ts';
import type { AskedChange } from '../../auth/sign-in.ts';
import { paths } from '../../navigation/paths.ts';
import { ChevronIcon } from '../../ui/icons/editor-icons.tsx';
import { Message } from '../../ui/notice.tsx';
import { SecondFactorList } from './second-factor-list.tsx';

interface Method {
  action: AskedChange;
  title: string;
  text: string;
  label: string;
}

const methods = (email: string): readonly Method[] => [
  {
    action: 'UPDATE_PASSWORD',
    title: 'Password',
    text: 'At least 8 characters, and not one that others use too.',
    label: 'Change Password',
  },
  {
    action: 'UPDATE_EMAIL',
    title: 'Email address',
    text: `You log in with ${email}, and we write to you there.`,
    label: 'Change Email',
  },
  {
    action: 'webauthn-register',
    title: 'Passkey',
    text: 'A second step at each log-in: your fingerprint, your face or the PIN of your device.',
    label: 'Add a Passkey',
  },
  {
    action: 'CONFIGURE_TOTP',
    title: 'Authenticator app',
    text: 'A second step at each log-in: a code from an app on your phone.',
    label: 'Set Up App',
  },
  {
    action: 'CONFIGURE_RECOVERY_AUTHN_CODES',
    title: 'Recovery codes',
    text: 'Codes to write down, each good once, for the day on which the phone is gone.',
    label: 'Make Codes',
  },
];

/** The account's sign-in methods. Each is changed on a page of the sign-in server. */
export function SignInMethods({ email }: { email: string }) {
  const [leavingFor, setLeavingFor] = useState<AskedChange>();
  const [failure, setFailure] = useState<string>();
  const leaving = useRef<AbortController>(undefined);

  useEffect(() => () => leaving.current?.abort(), []);

  const change = async (action: AskedChange) => {
    leaving.current?.abort();
    const { signal } = (leaving.current = new AbortController());
    setFailure(undefined);
    setLeavingFor(action);
    try {
      const { accountChangeAddress } = await import('../../auth/sign-in.ts');
      location.assign(await accountChangeAddress(action, paths.account, signal));
    } catch (error) {
      if (signal.aborted) return;
      console.error(error);
      setFailure(messageFor(signInMessages.login, error));
    }
    setLeavingFor(undefined);
  };

  return (
    <section
      aria-labelledby="sign-in-methods"
      className="bg-surface border-line shadow-card rounded-card border px-4 pt-4 pb-3 sm:px-6"
    >
      <h2 id="sign-in-methods" className="text-2xl">
        How You Log In
      </h2>
      <div role="alert" className="mt-4 empty:absolute">
        {failure && <Message kind="failure">{failure}</Message>}
      </div>
      <ul className="divide-line mt-1 divide-y">
        {methods(email).map(({ action, title, text, label }) => (
          // The whole row is the button's target.
          <li
            key={action}
            className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:min-h-16"
          >
            <h3 className="font-sans text-base font-semibold tracking-normal">{title}</h3>
            <p className="text-muted text-sm leading-snug wrap-anywhere max-sm:order-1 max-sm:col-span-2 max-sm:-mt-1 max-sm:pb-1 sm:row-start-2">
              {text}
            </p>
            <button
              type="button"
              disabled={leavingFor !== undefined}
              onClick={() => void change(action)}
              className="text-accent hover:text-accent-strong inline-flex min-h-11 items-center gap-1 text-sm font-semibold after:absolute after:inset-0 disabled:opacity-60 sm:row-span-2 sm:row-start-1 [&>svg]:size-4"
            >
              {label} <ChevronIcon />
            </button>
          </li>
        ))}
      </ul>
      <SecondFactorList busy={leavingFor !== undefined} onChange={(asked) => void change(asked)} />
    </section>
  );
}
