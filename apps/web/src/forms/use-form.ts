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

/** How long after the first half of a double click its second half may come. */
export const doubleClickMs = 500;
const answerMark = 'data-answers-form';

/** Marks what takes the focus when it has come as the answer to a form, in place of what sends it. */
export const answersForm = { [answerMark]: true };

/** Messages by path of the field, `paygates.0.url`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** New values, or how they follow from those of now: what was waited for may find others than it left. */
type Changes<V> = Partial<V> | ((now: V) => Partial<V>);

interface FormOptions<V extends object> {
  initial: V;
  validate: (values: V) => FieldErrors;
  /** Sends the values. A rejection keeps them on screen and is told in these `words`. */
  submit: (values: V) => Promise<void>;
  /** Navigates once the values were saved, unless the page was left meanwhile. */
  goOn?: () => void | Promise<void>;
  words: Words;
  /** Where the server's field errors belong on screen, if its fields are named differently. */
  place?: (values: V, errors: FieldErrors) => FieldErrors;
  /** Something under way that the form needs, as an upload; false stops the sending. */
  waitFor?: () => Promise<boolean>;
  /** The fields that what is under way fills in: nothing is amiss with them before it ends. */
  pending?: () => readonly string[];
  /** Keeps what is typed across a new log-in, a page that does not load, and a failed send. */
  draftKey?: string;
}

const unchanging = () => () => {};

export function useForm<V extends object>(options: FormOptions<V>) {
  const { initial, words, draftKey } = options;
  const form = useRef<HTMLFormElement>(null);
  // The server renders a form without a draft, and the first render in a browser has to match it.
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
  // Ahead of the state, which a finished upload would find one render behind when the form is sent.
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

  const takeUp = useEffectEvent((kept: Partial<V>) => {
    latest.current = { values: { ...latest.current.values, ...kept }, dirty: true };
    // Parts of the page whose code is still to come stay as the server made them until they take part.
    startTransition(() => {
      setDraft(kept);
      setValues(latest.current.values);
      setDirty(true);
    });
  });

  useEffect(() => {
    if (!draftKey) return;
    takeDraft<V>(draftKey, (kept) => {
      if (isHydrating) takeUp(kept);
    });
    return registerDraft(draftKey, () => (latest.current.dirty ? latest.current.values : undefined));
  }, [draftKey, isHydrating]);

  useEffect(() => {
    // What was focused is gone, as while the form is busy: go on at the first error, or where one tries again.
    if (answers > 0) takeFocus(form.current);
  }, [answers]);

  /** `touched` are the paths of the changed fields, where one value holds several. */
  function change(changes: Changes<V>, touched?: readonly string[]): void {
    const made = typeof changes === 'function' ? changes(latest.current.values) : changes;
    doneAt.current = -Infinity;
    const next = { ...latest.current.values, ...made };
    hold(next, JSON.stringify(next) !== JSON.stringify(saved.current));
    // A message goes as soon as its field is touched; the next submit judges anew.
    setErrors((current) => without(current, touched ?? Object.keys(made)));
  }

  /** Resolves whether what is under way has come, and nobody has called the save off meanwhile. */
  async function waited(): Promise<boolean> {
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

  /** Resolves whether the values were taken. */
  async function send(): Promise<boolean> {
    setFailure(undefined);
    setBusy(true);
    try {
      // An upload may take an hour: what is wrong with the rest is said before it ends.
      const early = without(options.validate(latest.current.values), options.pending?.() ?? []);
      setErrors(early);
      if (Object.keys(early).length > 0) return false;
      if (!(await waited())) return false;
      // An upload that ends because its page was left is no leave to send without it.
      if (!mounted.current) return false;
      // What was waited for has changed the values meanwhile.
      const { values: filledIn } = latest.current;
      const found = options.validate(filledIn);
      setErrors(found);
      if (Object.keys(found).length > 0) return false;
      await options.submit(filledIn);
      if (!mounted.current || !running.current) return true;
      // The next page may be long in coming; until then there is nothing to send again.
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
    // State comes a render too late to stop the second half of a double click, and a quick answer may even be there
    // before it.
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

  /** Takes back what is unsaved, to what was opened or taken over last. */
  function discard(): void {
    reset(saved.current);
  }

  /** Sends the values with these changes, as its button would. */
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
    /** The save waits for what is under way, until that has come or `keepEditing` calls the save off. */
    waiting,
    keepEditing: () => callOff.current?.(),
    /** The values were taken, and the page is about to be left. */
    done,
    dirty,
    /** What stands here was typed before a new login. */
    restored: draft !== undefined && dirty && !done,
    reset,
    discard,
    sendWith,
    formProps: {
      ref: form,
      onSubmit: (event: FormEvent) => void onSubmit(event),
      noValidate: true,
      // Without scripts: what is typed never stands in an address.
      method: 'post',
      'aria-busy': busy,
    },
  };
}

function without(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  const touched = (path: string) => fields.some((field) => path === field || path.startsWith(`${field}.`));
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !touched(path)));
}

/** Moves the focus to the first error in `form`, or where one tries again, unless it is at work elsewhere. */
export function takeFocus(form: HTMLElement | null): void {
  const { activeElement: focused, body } = document;
  if (focused && focused !== body && !form?.contains(focused)) return;
  const place =
    form?.querySelector('[aria-invalid="true"]') ??
    form?.querySelector(`[${answerMark}]`) ??
    form?.querySelector('[type="submit"]');
  if (place instanceof HTMLElement) place.focus();
}
