import { limits } from '@stoa/contracts/limits';
import { useEffect, useEffectEvent, useState } from 'react';
import { sessionApi } from '../../api/session-endpoints.ts';
import { CharacterCount } from '../../forms/character-count.tsx';
import { isTooLong } from '../../forms/is-too-long.ts';
import type { FieldErrors, useForm } from '../../forms/use-form.ts';
import type { ContactValues } from './contact.validation.ts';

// What a visitor can begin to write without, and so comes after the form.

// Those of the contract: its own check weighs too much for a public page.
const longest = { name: 100, subject: 200, message: limits.messageLength };

/** The fields that are longer than the contract takes, in its words. */
export function tooLong(values: ContactValues): FieldErrors {
  const names = Object.keys(longest) as (keyof typeof longest)[];
  return Object.fromEntries(
    names
      .filter((name) => isTooLong(values[name].trim(), longest[name]))
      .map((name) => [name, `Must be at most ${longest[name]} characters.`]),
  );
}

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
    sessionApi.me(leaving.signal).then(
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
