import { isAddress, plainAddress } from '@stoa/contracts/email-address';
import { limits } from '@stoa/contracts/limits';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { sessionApi } from '../../api/account/session-endpoints.ts';
import { CharacterCount } from '../../forms/character-count.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';
import type { FieldErrors, useForm } from '../../forms/use-form.ts';
import type { ContactValues } from './contact.validation.ts';

// The parts that a visitor does not need to begin writing. They load after the form.

// The contract's limits. Its own validation is too large for a public page.
const longest = { name: 100, subject: 200, message: limits.messageLength };

const longestAddress = 254;

/** The fields that the contract refuses, with its messages. */
export function refused(values: ContactValues): FieldErrors {
  const names = Object.keys(longest) as (keyof typeof longest)[];
  const address = plainAddress(values.email);
  return {
    ...(!(address.length <= longestAddress && isAddress(address)) && {
      email: 'The email address is not valid.',
    }),
    ...Object.fromEntries(
      names
        .filter((name) => isTooLong(values[name].trim(), longest[name]))
        .map((name) => [name, `Must be at most ${longest[name]} characters.`]),
    ),
  };
}

export function MessageLength({ text }: { text: string }) {
  return <CharacterCount text={text} max={limits.messageLength} />;
}

interface SignedInSenderProps {
  form: Pick<ReturnType<typeof useForm<ContactValues>>, 'values' | 'dirty' | 'reset' | 'change'>;
  /** Changes when the form has been cleared for the next message. */
  sent: ReactNode;
}

/**
 * Fills in the signed-in creator's name and address. If the record cannot be read, they stay empty as for
 * visitors.
 */
export function SignedInSender({ form, sent }: SignedInSenderProps): null {
  const [sender, setSender] = useState<Pick<ContactValues, 'name' | 'email'>>();

  useEffect(() => {
    const leaving = new AbortController();
    sessionApi.me(leaving.signal).then(
      ({ displayName, email }) => setSender({ name: displayName, email }),
      (error: unknown) => leaving.signal.aborted || console.error(error),
    );
    return () => leaving.abort();
  }, []);

  const fillIn = useEffectEvent(({ name, email }: Pick<ContactValues, 'name' | 'email'>) => {
    const { values, dirty, reset, change } = form;
    // Filling in must not count as an unsaved change.
    if (dirty) change({ name: values.name || name, email: values.email || email });
    else reset({ ...values, name, email });
  });
  useEffect(() => {
    if (sender) fillIn(sender);
  }, [sender, sent]);

  return null;
}
