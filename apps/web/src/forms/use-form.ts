import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { type Context, messageFor } from '../api/messages.ts';
import { dropDraft, holdDraft, readDraft } from './drafts.ts';

const doubleClickMs = 500;

/** Messages by path of the field, `paygates.0.url`. */
export type FieldErrors = Readonly<Record<string, string>>;

interface FormOptions<V extends object> {
  initial: V;
  validate: (values: V) => FieldErrors;
  /** Sends the values. A rejection keeps them on screen and is told in the words of `context`. */
  submit: (values: V) => Promise<void>;
  context: Context;
  /** Where the server's field errors belong on screen, if its fields are named differently. */
  place?: (values: V, errors: FieldErrors) => FieldErrors;
  /** Something under way that the form needs, as an upload; false stops the sending. */
  waitFor?: () => Promise<boolean>;
  /** Keeps what is typed across a new login. */
  draftKey?: string;
}

export function useForm<V extends object>(options: FormOptions<V>) {
  const { initial, context, draftKey } = options;
  const form = useRef<HTMLFormElement>(null);
  const [draft] = useState(() => (draftKey ? readDraft<V>(draftKey) : undefined));
  const [values, setValues] = useState<V>(() => ({ ...initial, ...draft }));
  const [dirty, setDirty] = useState(draft !== undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const doneAt = useRef(-Infinity);
  const focusError = useRef(false);
  // Ahead of the state, which a finished upload would find one render behind when the form is sent.
  const latest = useRef({ values, dirty });

  function hold(next: V, changed: boolean): void {
    latest.current = { values: next, dirty: changed };
    setValues(next);
    setDirty(changed);
  }

  useEffect(() => {
    if (!draftKey) return;
    dropDraft(draftKey);
    return holdDraft(draftKey, () => (latest.current.dirty ? latest.current.values : undefined));
  }, [draftKey]);

  useEffect(() => {
    if (!focusError.current) return;
    focusError.current = false;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  function change(changes: Partial<V>): void {
    doneAt.current = -Infinity;
    hold({ ...latest.current.values, ...changes }, true);
    // A message goes as soon as its field is touched; the next submit judges anew.
    setErrors((current) => without(current, Object.keys(changes)));
  }

  function show(found: FieldErrors): void {
    focusError.current = true;
    setErrors(found);
  }

  /** Resolves whether the values were taken. */
  async function send(): Promise<boolean> {
    setFailure(undefined);
    setBusy(true);
    try {
      if (!((await options.waitFor?.()) ?? true)) return false;
      // What was waited for has changed the values meanwhile.
      const { values: filledIn } = latest.current;
      const found = options.validate(filledIn);
      show(found);
      if (Object.keys(found).length > 0) return false;
      await options.submit(filledIn);
      hold(latest.current.values, false);
      return true;
    } catch (error) {
      console.error(error);
      if (error instanceof ApiError) {
        const refused = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
        show(options.place?.(latest.current.values, refused) ?? refused);
      }
      setFailure(messageFor(context, error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // State comes a render too late to stop the second half of a double click, and a quick answer may even be there
    // before it.
    if (running.current || performance.now() - doneAt.current < doubleClickMs) return;
    running.current = true;
    const done = await send();
    running.current = false;
    if (done) doneAt.current = performance.now();
  }

  function reset(to: V): void {
    hold(to, false);
    setErrors({});
  }

  return {
    values,
    change,
    errors,
    setErrors: show,
    failure,
    busy,
    dirty,
    reset,
    formProps: {
      ref: form,
      onSubmit: (event: FormEvent) => void onSubmit(event),
      noValidate: true,
      'aria-busy': busy,
    },
  };
}

function without(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  const touched = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`));
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !touched(path)));
}
