import type { ContactMessage } from '@stoa/contracts';
import { type ReactNode, useRef, useState } from 'react';
import type { Words } from '../../api/messages.ts';
import { useSession } from '../../auth/session.ts';
import { LeaveGuard } from '../../navigation/leave-guard.tsx';
import { FormStatus, RestoredDraftNotice } from '../../forms/form-status.tsx';
import { type FieldErrors, useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { TextArea, TextField } from '../../ui/fields/text-field.tsx';
import { type ContactValues, validateContact } from './contact.validation.ts';

const extras = () => import('./contact-form-extras.tsx');
let refused: ((values: ContactValues) => FieldErrors) | undefined;
const MessageLength = lazyOptional(async () => {
  const loaded = await extras();
  refused = loaded.refused;
  return loaded.MessageLength;
});
const SignedInSender = lazyOptional(async () => (await extras()).SignedInSender);

const empty: ContactValues = { name: '', email: '', subject: '', message: '' };

interface ContactFormProps {
  /** The address that a browser without scripts posts to. */
  action: string;
  /** The key of the draft that is kept after a failed send. */
  draftKey: string;
  words: Words;
  send: (message: ContactMessage) => Promise<unknown>;
  /** Shown after the message was accepted. */
  thanks: ReactNode;
}

/** The form for a message to the site's operators or to a creator. */
export function ContactForm({ action, draftKey, words, send, thanks }: ContactFormProps) {
  const { status } = useSession();
  const attempt = useRef<{ id: string; text: string }>(undefined);
  const [success, setSuccess] = useState<ReactNode>();
  const form = useForm<ContactValues>({
    initial: empty,
    words,
    draftKey,
    validate: (values) => {
      setSuccess(undefined);
      return { ...refused?.(values), ...validateContact(values) };
    },
    submit: async (values) => {
      // Retries of the same text keep its id, so that it arrives once. Another text is another message.
      const message = trimmed(values);
      const text = JSON.stringify(message);
      if (attempt.current?.text !== text) attempt.current = { id: crypto.randomUUID(), text };
      await send({ id: attempt.current.id, ...message });
      attempt.current = undefined;
      form.reset(empty);
      setSuccess(thanks);
    },
  });
  const field = (name: keyof ContactValues) => ({
    name,
    required: true,
    value: form.values[name],
    error: form.errors[name],
    disabled: form.busy,
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value }),
  });

  return (
    <form {...form.formProps} action={action} method="post" className="mt-10 grid gap-6">
      <RestoredDraftNotice shown={form.restored} undone="sent" />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField label="Name" autoComplete="name" {...field('name')} />
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      </div>
      <TextField label="Subject" {...field('subject')} />
      <TextArea label="Message" hint={<MessageLength text={form.values.message} />} {...field('message')} />
      <FormStatus errors={form.errors} failure={form.failure} success={success} />
      <div>
        <Button type="submit" disabled={form.busy}>
          {form.busy ? 'Sending...' : 'Send Message'}
        </Button>
      </div>
      {status === 'signed-in' && <SignedInSender form={form} sent={success} />}
      <LeaveGuard active={form.dirty} changes={form.values} />
    </form>
  );
}

function trimmed(values: ContactValues): ContactValues {
  const { name, email, subject, message } = values;
  return { name: name.trim(), email: email.trim(), subject: subject.trim(), message: message.trim() };
}
