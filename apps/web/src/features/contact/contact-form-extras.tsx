import { limits } from '@stoa/contracts/limits';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '../../api/endpoints.ts';
import { CharacterCount } from '../../forms/character-count.tsx';
import type { useForm } from '../../forms/use-form.ts';
import type { ContactValues } from './contact.validation.ts';

// What a visitor can begin to write without, and so comes after the form.

export function MessageLength({ text }: { text: string }) {
  return <CharacterCount text={text} max={limits.messageLength} />;
}

interface SignedInSenderProps {
  form: Pick<ReturnType<typeof useForm<ContactValues>>, 'values' | 'dirty' | 'reset' | 'change'>;
  /** Changes when the form has been emptied for the next message. */
  sent: string | undefined;
}

/** Fills in name and address of the creator who is signed in. When their record cannot be read they type them, as visitors do. */
export function SignedInSender({ form, sent }: SignedInSenderProps): null {
  const [sender, setSender] = useState<Pick<ContactValues, 'name' | 'email'>>();

  useEffect(() => {
    const leaving = new AbortController();
    api.me(leaving.signal).then(
      ({ displayName, email }) => setSender({ name: displayName, email }),
      (error: unknown) => leaving.signal.aborted || console.error(error),
    );
    return () => leaving.abort();
  }, []);

  const fillIn = useEffectEvent(({ name, email }: Pick<ContactValues, 'name' | 'email'>) => {
    const { values, dirty, reset, change } = form;
    // What stands there without anybody's doing is no reason to be asked before leaving.
    if (dirty) change({ name: values.name || name, email: values.email || email });
    else reset({ ...values, name, email });
  });
  useEffect(() => {
    if (sender) fillIn(sender);
  }, [sender, sent]);

  return null;
}
