import { useEffect, useRef, useState } from 'react';
import { ApiError, type Reason } from '../api/http.ts';
import { messageFor, type Words } from '../api/messages.ts';

interface UploadOptions<T> {
  send: (file: File, onProgress: (fraction: number) => void, signal: AbortSignal) => Promise<T>;
  /** What a failed attempt is called on screen, where the server does not say what is wrong with the file. */
  words: Words;
  /** Runs with the finished upload, and with null when it is taken away. */
  onChange: (uploaded: T | null) => void;
}

/** `preview` is an address of the chosen file within this page. */
export type UploadState =
  | { step: 'idle' }
  | { step: 'uploading'; file: File; preview: string; progress: number }
  | { step: 'failed'; file: File; preview: string; error: string };

export type Upload = ReturnType<typeof useUpload>;

interface Attempt {
  file: File;
  preview: string;
  abort: AbortController;
  ended: Promise<boolean>;
}

/** One file of a form: uploaded at once, cancelled or tried again. Who uses it says what is refused. */
export function useUpload<T>({ send, words, onChange }: UploadOptions<T>) {
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [refusal, setRefusal] = useState<string>();
  const current = useRef<Attempt>(undefined);
  const cancels = useRef(0);

  useEffect(() => () => drop(current), []);

  function start(file: File): void {
    drop(current);
    setRefusal(undefined);
    const attempt = { file, preview: URL.createObjectURL(file), abort: new AbortController() };
    current.current = { ...attempt, ended: run(attempt) };
  }

  /** Resolves whether the form may go on with what it has. */
  async function run({ file, preview, abort: { signal } }: Omit<Attempt, 'ended'>): Promise<boolean> {
    const progressed = (progress: number) => {
      if (!signal.aborted) setState({ step: 'uploading', file, preview, progress });
    };
    progressed(0);
    try {
      const uploaded = await send(file, progressed, signal);
      if (signal.aborted) return true;
      onChange(uploaded);
      setState({ step: 'idle' });
      drop(current);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      console.error(error);
      setState({ step: 'failed', file, preview, error: verdictOf(error) ?? messageFor(words, error) });
      return false;
    }
  }

  function cancel(): void {
    cancels.current += 1;
    drop(current);
    setState({ step: 'idle' });
    setRefusal(undefined);
  }

  return {
    state,
    /** The file that is not part of the form's values yet. */
    pending: state.step === 'idle' ? undefined : state.file,
    refusal,
    /** What is wrong with a file that is not sent. */
    refuse: setRefusal,
    start,
    cancel,
    retry: () => current.current && start(current.current.file),
    remove: () => {
      cancel();
      onChange(null);
    },
    /**
     * Waits for an upload under way, and for the one that took its place; false when the last of them failed, and when one
     * was cancelled meanwhile.
     */
    settled: async () => {
      const before = cancels.current;
      for (let seen = current.current; seen; seen = current.current) {
        const ended = await seen.ended;
        if (current.current === seen) return ended;
      }
      return cancels.current === before;
    },
  };
}

const verdicts: ReadonlySet<Reason> = new Set(['unsupported_picture', 'too_large', 'limit_reached']);

/** What the server found wrong with the file itself, or with its size; it says so in words for the uploader. */
export function verdictOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields[0]?.message ?? (verdicts.has(error.reason) ? error.message : undefined);
}

/** Ends an attempt: what is on its way is given up, and its preview's memory given back. */
function drop(current: { current: Attempt | undefined }): void {
  const attempt = current.current;
  if (!attempt) return;
  current.current = undefined;
  attempt.abort.abort();
  URL.revokeObjectURL(attempt.preview);
}
