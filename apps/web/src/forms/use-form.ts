import {
  type FormEvent,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError } from '../api/http.ts';
import { messageFor, type Words } from '../api/messages.ts';
import { dropDraft, keepUnsent, readDraft, registerDraft, takeDraft } from '../browser/drafts.ts';

/** The longest time between the two clicks of a double click. */
export const doubleClickMs = 500;
const answerMark = 'data-answers-form';

/** Marks an element that appears after a submit and takes the focus in place of the submit button. */
export const answersForm = { [answerMark]: true };

/** Messages by the path of the field, such as `paygates.0.url`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** New values, or a function of the current ones, which may have changed during an upload. */
type Changes<V> = Partial<V> | ((now: V) => Partial<V>);

interface FormOptions<V extends object> {
  initial: V;
  validate: (values: V) => FieldErrors;
  /** Sends the values. If it rejects, the values stay and the message comes from `words`. */
  submit: (values: V) => Promise<void>;
  /** Navigates after a save, unless the user has left the page. */
  goOn?: () => void | Promise<void>;
  words: Words;
  /** Maps the server's field errors to the fields on screen, if their names differ. */
  place?: (values: V, errors: FieldErrors) => FieldErrors;
  /** Waits for work that the form needs, such as an upload; false stops the send. */
  waitFor?: () => Promise<boolean>;
  /** The fields that this work fills in. They are not validated before it ends. */
  pending?: () => readonly string[];
  /** Keeps a draft across a new log-in, a failed page load and a failed send. */
  draftKey?: string;
}

const unchanging = () => () => {};

export function useForm<V extends object>(options: FormOptions<V>) {
  const { initial, words, draftKey } = options;
  const form = useRef<HTMLFormElement>(null);
  // The server renders a form without a draft, and hydration must match it.
  const isHydrating = useSyncExternalStore(
    unchanging,
    () => false,
    () => true,
  );
  const [draft, setDraft] = useState(() => (draftKey && !isHydrating ? readDraft<V>(draftKey) : undefined));
  const [values, setValues] = useState<V>(() => ({ ...initial, ...draft }));
  const saved = useRef(initial);
  const [dirty, setDirty] = useState(draft !== undefined);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const callOff = useRef<() => void>(undefined);
  const [answers, setAnswers] = useState(0);
  const running = useRef(false);
  const mounted = useRef(false);
  const doneAt = useRef(-Infinity);
  // The newest values. The state is one render behind when a finished upload sends the form.
  const latest = useRef({ values, dirty });

  function hold(next: V, changed: boolean): void {
    latest.current = { values: next, dirty: changed };
    setValues(next);
    setDirty(changed);
  }

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  const applyDraft = useEffectEvent((kept: Partial<V>) => {
    latest.current = { values: { ...latest.current.values, ...kept }, dirty: true };
    // A transition leaves parts whose code is still loading as the server rendered them.
    startTransition(() => {
      setDraft(kept);
      setValues(latest.current.values);
      setDirty(true);
    });
  });

  useEffect(() => {
    if (!draftKey) return;
    takeDraft<V>(draftKey, (kept) => {
      if (isHydrating) applyDraft(kept);
    });
    return registerDraft(draftKey, () => (latest.current.dirty ? latest.current.values : undefined));
  }, [draftKey, isHydrating]);

  useEffect(() => {
    // The focused element is gone, such as a button of the busy form. The focus moves to the first error or
    // the retry.
    if (answers > 0) takeFocus(form.current);
  }, [answers]);

  /** `touched`: the paths of the changed fields, if one value has several. */
  function change(changes: Changes<V>, touched?: readonly string[]): void {
    const made = typeof changes === 'function' ? changes(latest.current.values) : changes;
    doneAt.current = -Infinity;
    const next = { ...latest.current.values, ...made };
    hold(next, JSON.stringify(next) !== JSON.stringify(saved.current));
    // A field's message disappears with its change. The next submit validates it again.
    setErrors((current) => without(current, touched ?? Object.keys(made)));
  }

  /** Waits for `waitFor`. Resolves to false if that does, or if the user cancels the save. */
  async function waitForWork(): Promise<boolean> {
    if (!options.waitFor) return true;
    const calledOff = Promise.withResolvers<boolean>();
    callOff.current = () => calledOff.resolve(false);
    setWaiting(true);
    try {
      return await Promise.race([options.waitFor(), calledOff.promise]);
    } finally {
      setWaiting(false);
    }
  }

  /** Resolves to whether the server accepted the values. */
  async function send(): Promise<boolean> {
    setFailure(undefined);
    setBusy(true);
    try {
      // An upload may take an hour. Errors in other fields appear before it.
      const early = without(options.validate(latest.current.values), options.pending?.() ?? []);
      setErrors(early);
      if (Object.keys(early).length > 0) return false;
      if (!(await waitForWork())) return false;
      // An upload that was aborted by leaving the page must not send the form.
      if (!mounted.current) return false;
      // The awaited work has changed the values.
      const { values: filledIn } = latest.current;
      const found = options.validate(filledIn);
      setErrors(found);
      if (Object.keys(found).length > 0) return false;
      await options.submit(filledIn);
      if (!mounted.current || !running.current) return true;
      // The next page may load slowly. Until then there is nothing to send again.
      hold(latest.current.values, false);
      if (draftKey) dropDraft(draftKey);
      setDone(true);
      await options.goOn?.();
      return true;
    } catch (error) {
      console.error(error);
      if (error instanceof ApiError) {
        const refused = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
        setErrors(options.place?.(latest.current.values, refused) ?? refused);
      }
      setFailure(messageFor(words, error));
      if (draftKey) keepUnsent(draftKey);
      return false;
    } finally {
      setBusy(false);
      setAnswers((count) => count + 1);
    }
  }

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The state changes a render too late to stop the second click of a double click. A fast answer may even
    // arrive before that click.
    if (running.current || performance.now() - doneAt.current < doubleClickMs) return;
    running.current = true;
    if (await send()) doneAt.current = performance.now();
    else running.current = false;
  }

  /** Opens the form for another entry. */
  function reset(to: V): void {
    running.current = false;
    saved.current = to;
    hold(to, false);
    setDraft(undefined);
    if (draftKey) dropDraft(draftKey);
    setErrors({});
    setFailure(undefined);
    setAnswers((count) => count + 1);
  }

  /** Discards unsaved changes. The values return to those last opened or taken over. */
  function discard(): void {
    reset(saved.current);
  }

  /** Sends the values with these changes, as the submit button would. */
  function sendWith(changes: Partial<V>): void {
    change(changes);
    form.current?.requestSubmit();
  }

  return {
    values,
    change,
    errors,
    failure,
    busy,
    /** Whether the save waits for `waitFor`. `keepEditing` cancels the save. */
    waiting,
    keepEditing: () => callOff.current?.(),
    /** Whether the values are saved and the page is about to change. */
    done,
    dirty,
    /** Whether the values come from a draft. */
    restored: draft !== undefined && dirty && !done,
    reset,
    discard,
    sendWith,
    formProps: {
      ref: form,
      onSubmit: (event: FormEvent) => void onSubmit(event),
      noValidate: true,
      // Without scripts, typed text must never appear in an address.
      method: 'post',
      'aria-busy': busy,
    },
  };
}

function without(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  const touched = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`));
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !touched(path)));
}

/** Moves the focus to the first error in `form`, or to the retry, unless the focus is outside the form. */
export function takeFocus(form: HTMLElement | null): void {
  const { activeElement: focused, body } = document;
  if (focused && focused !== body && !form?.contains(focused)) return;
  const place =
    form?.querySelector('[aria-invalid="true"]') ??
    form?.querySelector(`[${answerMark}]`) ??
    form?.querySelector('[type="submit"]');
  if (place instanceof HTMLElement) place.focus();
}
