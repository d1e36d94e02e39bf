import type { ContactMessage } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../api/endpoints.ts';
import type { Words } from '../../api/messages.ts';
import { useSession } from '../../auth/session.ts';
import { LeaveGuard } from '../../browser/leave-guard.tsx';
import { CharacterCount } from '../../forms/character-count.tsx';
import { FormStatus } from '../../forms/form-status.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { type ContactValues, validateContact } from './contact.validation.ts';

const empty: ContactValues = { name: '', email: '', subject: '', message: '' };

interface ContactFormProps {
  words: Words;
  send: (message: ContactMessage) => Promise<unknown>;
  /** What is said once the message is on its way, to whom the answer goes to. */
  thanks: (email: string) => string;
}

/** A message to the people behind the site or to a creator. */
export function ContactForm({ words, send, thanks }: ContactFormProps) {
  const sender = useSender();
  const attempt = useRef<{ id: string; text: string }>(undefined);
  const [success, setSuccess] = useState<string>();
  const form = useForm<ContactValues>({
    initial: empty,
    words,
    validate: (values) => {
      setSuccess(undefined);
      return validateContact(values);
    },
    submit: async (values) => {
      // One number for one text, however often it is tried; another text is another message.
      const message = trimmed(values);
      const text = JSON.stringify(message);
      if (attempt.current?.text !== text) attempt.current = { id: crypto.randomUUID(), text };
      await send({ id: attempt.current.id, ...message });
      attempt.current = undefined;
      form.reset({ ...empty, ...sender });
      setSuccess(thanks(message.email));
    },
  });
  const fillIn = useEffectEvent(form.fillIn);
  useEffect(() => {
    if (sender) fillIn(sender);
  }, [sender]);
  const field = (name: keyof ContactValues) => ({
    name,
    required: true,
    value: form.values[name],
    error: form.errors[name],
    disabled: form.busy,
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value }),
  });

  return (
    <form {...form.formProps} className="mt-10 grid gap-6">
      <noscript>This form needs JavaScript.</noscript>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label="Name" autoComplete="name" {...field('name')} />
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      </div>
      <TextField label="Subject" {...field('subject')} />
      <TextArea
        label="Message"
        hint={<CharacterCount text={form.values.message} max={limits.messageLength} />}
        {...field('message')}
      />
      <FormStatus errors={form.errors} failure={form.failure} success={success} />
      <div>
        <Button type="submit" disabled={form.busy}>
          {form.busy ? 'Sending...' : 'Send Message'}
        </Button>
      </div>
      <LeaveGuard active={form.dirty} changes={form.values} />
    </form>
  );
}

/** Name and address of a creator who is signed in; a visitor types theirs, as does a creator whose record cannot be read. */
function useSender(): Pick<ContactValues, 'name' | 'email'> | undefined {
  const { status } = useSession();
  const [sender, setSender] = useState<Pick<ContactValues, 'name' | 'email'>>();
  useEffect(() => {
    if (status !== 'signed-in') return;
    const leaving = new AbortController();
    api.me(leaving.signal).then(
      ({ displayName, email }) => setSender({ name: displayName, email }),
      (error: unknown) => leaving.signal.aborted || console.error(error),
    );
    return () => leaving.abort();
  }, [status]);
  return sender;
}

function trimmed(values: ContactValues): ContactValues {
  const { name, email, subject, message } = values;
  return { name: name.trim(), email: email.trim(), subject: subject.trim(), message: message.trim() };
}
